import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { lineOf, type ModuleReference, moduleReferences, parse, walk } from "./imports.ts";
import type { SourceText, Violation } from "./violation.ts";

/** The layers, and the layers that each may import beside itself. `index.ts`, the composition root, may import all. */
const arrows: Readonly<Record<string, readonly string[]>> = {
	operators: [],
	streams: ["operators"],
	profiles: ["operators", "streams"],
	tools: ["operators", "streams", "profiles"],
	ui: ["operators", "streams", "profiles"],
	// The outermost layer: it gives the tools and the pictures to Pi. Neither of them knows of it.
	host: ["operators", "streams", "profiles", "tools", "ui"],
	index: ["operators", "streams", "profiles", "tools", "ui", "host"],
};

/** Where Pi may be there at run time. Everywhere else its types are all there is. */
const withPi = new Set(["host", "ui", "index"]);

/** Where time and chance come in from outside, so that a test can hold both still. */
const deterministic = new Set(["operators", "streams", "tools"]);

const clocks: Readonly<Record<string, readonly string[]>> = {
	Date: ["now"],
	performance: ["now"],
	Math: ["random"],
	crypto: ["randomUUID", "getRandomValues"],
};

const builtins = new Set(builtinModules);

/** Everything in `src` that goes against the direction of the layers or brings in what a layer must do without. */
export function checkLayers(files: readonly SourceText[]): Violation[] {
	return files.filter(({ path }) => path.startsWith("src/") && path.endsWith(".ts")).flatMap(checkFile);
}

function checkFile({ path, text }: SourceText): Violation[] {
	const layer = layerOf(path);
	if (layer === undefined) {
		const advice = `move the file into one of ${Object.keys(arrows).join(", ")}; the layers are closed`;
		return [{ file: path, line: 1, rule: "layers/unknown", advice }];
	}
	const source = parse(path, text);
	const found: Violation[] = [];
	for (const reference of moduleReferences(source)) {
		const complaint = judge(path, layer, reference);
		if (complaint) found.push({ file: path, line: reference.line, ...complaint });
	}
	if (deterministic.has(layer)) {
		walk(source, (node) => {
			const name = clockRead(node);
			if (name === undefined) return;
			const advice = `${name} cannot be held still by a test; take the time from the scheduler, or the value as an argument`;
			found.push({ file: path, line: lineOf(source, node), rule: "layers/clock", advice });
		});
	}
	return found.sort((a, b) => a.line - b.line);
}

type Complaint = Pick<Violation, "rule" | "advice">;

function judge(path: string, layer: string, { specifier, typeOnly }: ModuleReference): Complaint | undefined {
	if (specifier.startsWith(".")) return judgeRelative(path, layer, specifier);
	if (specifier === "<computed>") {
		return { rule: "layers/computed", advice: "name the module as a literal, so that its layer can be seen" };
	}
	if (specifier.startsWith("rxjs/"))
		return { rule: "layers/rxjs-root", advice: `import from "rxjs", not "${specifier}"` };
	if (specifier === "rxjs") return undefined;
	if (layer === "operators") {
		return {
			rule: "layers/operators",
			advice: `operators import only "rxjs"; move what needs "${specifier}" up a layer`,
		};
	}
	if (specifier.startsWith("node:") || builtins.has(specifier)) {
		if (layer === "host") return undefined;
		return { rule: "layers/node", advice: `do what needs "${specifier}" in host/, and pass it in through a port` };
	}
	if (specifier.startsWith("@earendil-works/") && !typeOnly && !withPi.has(layer)) {
		return {
			rule: "layers/pi",
			advice: `write "import type … from" or do it in host/ or ui/: "${specifier}" must not be loaded here`,
		};
	}
	return undefined;
}

function judgeRelative(path: string, layer: string, specifier: string): Complaint | undefined {
	const target = posix.join(posix.dirname(path), specifier);
	const targetLayer = layerOf(target);
	if (targetLayer === undefined) {
		return { rule: "layers/outside", advice: `"${specifier}" is no part of a layer; import only from src/` };
	}
	if (targetLayer === layer || arrows[layer]?.includes(targetLayer)) return undefined;
	const allowed = arrows[layer]?.join(", ") || "nothing else";
	return {
		rule: "layers/arrow",
		advice: `${layer} may import ${allowed}, not ${targetLayer}; pass it in from index.ts, or move the shared part down`,
	};
}

/** The layer of a file in `src`, or `undefined` where there is none. */
function layerOf(path: string): string | undefined {
	if (path === "src/index.ts") return "index";
	const [, layer] = /^src\/([^/]+)\//.exec(path) ?? [];
	return layer !== undefined && layer !== "index" && layer in arrows ? layer : undefined;
}

/** What a node reads of the clock or of chance, as it is written. `new Date(ms)` reads neither. */
function clockRead(node: ts.Node): string | undefined {
	if (ts.isNewExpression(node) && isNamed(node.expression, "Date") && !node.arguments?.length) return "new Date()";
	if (ts.isCallExpression(node) && isNamed(node.expression, "Date")) return "Date()";
	if (!ts.isPropertyAccessExpression(node)) return undefined;
	const owner = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
	if (!ts.isIdentifier(owner) || !clocks[owner.text]?.includes(node.name.text)) return undefined;
	return `${owner.text}.${node.name.text}`;
}

function isNamed(node: ts.Expression, name: string): boolean {
	return ts.isIdentifier(node) && node.text === name;
}
