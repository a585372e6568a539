import ts from "typescript";
import { lineOf, moduleReferences, parse, walk } from "./imports.ts";
import type { SourceText, Violation } from "./violation.ts";

/** The longest a file in `src` may get, in lines. */
export const longestFile = 250;

/** Test functions whose modifiers and options are looked at. */
const testFunctions = new Set(["it", "test", "describe", "suite"]);
const switchedOff = new Set(["skip", "only", "todo"]);
const moduleMocks = new Set(["mock", "doMock"]);
const realTimers = new Set(["setTimeout", "setInterval", "setImmediate", "sleep", "wait", "delay"]);

/** A path of the machine where somebody works; nobody else has it. */
const machinePath = /(?<![\w.:~$}-])\/(?:work|tmp|root)\//;

/** Everything that makes a test say less than it seems to, a source file too long, or the repository tied to a machine. */
export function checkRepository(files: readonly SourceText[]): Violation[] {
	return files.flatMap((file) => [...checkText(file), ...checkLength(file), ...checkTest(file)]);
}

function checkText({ path, text }: SourceText): Violation[] {
	return text.split("\n").flatMap((line, index): Violation[] => {
		const found = machinePath.exec(line);
		if (!found) return [];
		const advice = `"${found[0]}…" exists on one machine; use a relative path, os.tmpdir() or a made-up path such as "/project"`;
		return [{ file: path, line: index + 1, rule: "repository/machine-path", advice }];
	});
}

function checkLength({ path, text }: SourceText): Violation[] {
	const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
	if (!path.startsWith("src/") || lines <= longestFile) return [];
	const advice = `${lines} lines are more than ${longestFile}; split the file along an idea`;
	return [{ file: path, line: longestFile + 1, rule: "repository/long-file", advice }];
}

function checkTest({ path, text }: SourceText): Violation[] {
	const inTest = path.startsWith("test/");
	if (!/\.[cm]?[jt]s$/.test(path) || !(inTest || /^(vitest|stryker)\.config\./.test(path))) return [];
	const source = parse(path, text);
	const found: Violation[] = [];
	const add = (node: ts.Node, complaint: Complaint) => {
		found.push({ file: path, line: lineOf(source, node), ...complaint });
	};
	walk(source, (node) => {
		for (const rule of [offTest, retried, mockedHost, realTime]) {
			const complaint = rule(node, path);
			if (complaint) add(node, complaint);
		}
	});
	if (path.startsWith("test/marbles/")) {
		for (const { specifier, line } of moduleReferences(source)) {
			if (/^(node:)?timers(\/promises)?$/.test(specifier))
				found.push({ file: path, line, ...realTimeComplaint(specifier) });
		}
	}
	return found.sort((a, b) => a.line - b.line);
}

type Complaint = Pick<Violation, "rule" | "advice">;

/** `it.skip`, `describe.concurrent.only`, `it.each(…).todo`, and `context.skip()` inside a test. */
function offTest(node: ts.Node): Complaint | undefined {
	if (!ts.isPropertyAccessExpression(node) || !switchedOff.has(node.name.text)) return undefined;
	const isCall = ts.isCallExpression(node.parent) && node.parent.expression === node;
	const owner = rootName(node);
	const isContext = isCall && (owner === "context" || owner === "ctx") && node.name.text === "skip";
	if (!isContext && !(owner !== undefined && testFunctions.has(owner))) return undefined;
	return { rule: "tests/off", advice: `remove ".${node.name.text}": a test that does not run proves nothing` };
}

/** `{ retry: 2 }` as an option of a test or of the runner. A setting of that name elsewhere is no business of ours. */
function retried(node: ts.Node, path: string): Complaint | undefined {
	if (!ts.isPropertyAssignment(node) || node.name.getText() !== "retry") return undefined;
	const call = node.parent.parent;
	const owner = ts.isCallExpression(call) ? rootName(call.expression) : undefined;
	if (path.startsWith("test/") && !(owner !== undefined && testFunctions.has(owner))) return undefined;
	return { rule: "tests/retry", advice: 'remove "retry": find out why the test fails at times' };
}

function mockedHost(node: ts.Node, path: string): Complaint | undefined {
	if (!path.startsWith("test/host/") || !ts.isPropertyAccessExpression(node)) return undefined;
	if (rootName(node) !== "vi" || !moduleMocks.has(node.name.text)) return undefined;
	return {
		rule: "tests/mocked-host",
		advice: `remove "vi.${node.name.text}": tests of the host run against the real Pi`,
	};
}

function realTime(node: ts.Node, path: string): Complaint | undefined {
	if (!path.startsWith("test/marbles/") || !ts.isCallExpression(node)) return undefined;
	const callee = node.expression;
	const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
	if (!ts.isIdentifier(name) || !realTimers.has(name.text)) return undefined;
	// RxJS has a `delay` of its own, which runs in virtual time.
	if (name.text === "delay" && !ts.isAwaitExpression(node.parent)) return undefined;
	return realTimeComplaint(name.text);
}

function realTimeComplaint(name: string): Complaint {
	return { rule: "tests/real-time", advice: `"${name}" waits for the clock; a marble test runs in virtual time` };
}

/** The first name in a chain of accesses and calls: `it` for `it.each([…]).only`. */
function rootName(node: ts.Expression): string | undefined {
	if (ts.isIdentifier(node)) return node.text;
	if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
		return rootName(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
	}
	return undefined;
}
