import { execFileSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moduleReferences, parse } from "../../scripts/lib/imports.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const packed = ["package.json", "extension.ts", "scripts", "src", "docs", "README.md", "CHANGELOG.md", "LICENSE"];
const configs = ["tsconfig.json", "tsconfig.operators.json"];

let folder: string;
/** A project that has the package from its tarball, RxJS beside it and nothing else. */
let consumer: string;
let installed: string;

/** Builds and packs a copy of the sources, so that no `dist/` that lies around can pass for theirs. */
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "package-test-"));
	const copy = join(folder, "copy");
	for (const entry of [...packed, ...configs]) {
		if (existsSync(repository + entry)) cpSync(repository + entry, join(copy, entry), { recursive: true });
	}
	symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
	execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: copy, stdio: "pipe" });

	consumer = join(folder, "consumer");
	installed = join(consumer, "node_modules/pi-rx-orchestrator");
	mkdirSync(installed, { recursive: true });
	const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
	execFileSync("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"]);
	symlinkSync(join(repository, "node_modules/rxjs"), join(consumer, "node_modules/rxjs"));
	writeFileSync(join(consumer, "package.json"), '{ "private": true, "type": "module" }');
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** The files of the package, relative to it. */
function files(): string[] {
	const entries = readdirSync(installed, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
		.sort();
}

/** The environment of somebody who has not put this repository's own Node in front. */
function plainEnvironment(): NodeJS.ProcessEnv {
	const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.includes("node_modules"));
	return { ...process.env, PATH: path.join(delimiter) };
}

function run(file: string, text: string): string {
	writeFileSync(join(consumer, file), text);
	return execFileSync("node", [file], { cwd: consumer, env: plainEnvironment(), encoding: "utf8" });
}

/** What the compiler says about a consumer's file; empty when it is content. */
function compile(text: string, moduleKind: "nodenext" | "esnext"): string {
	writeFileSync(join(consumer, "consumer.ts"), text);
	const resolution = moduleKind === "nodenext" ? "nodenext" : "bundler";
	const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--skipDefaultLibCheck"];
	const tsc = join(repository, "node_modules/typescript/bin/tsc");
	const all = [tsc, ...options, "--module", moduleKind, "--moduleResolution", resolution, "consumer.ts"];
	try {
		return execFileSync(process.execPath, all, { cwd: consumer, encoding: "utf8" });
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}

describe("the npm package", () => {
	it("ships what it needs and nothing of the workshop", () => {
		const allowed =
			/^(package\.json|README\.md|CHANGELOG\.md|LICENSE|extension\.ts|docs\/.+\.(md|json)|dist\/(THIRD_PARTY_LICENSES\.txt|index\.d\.ts|index\.js|chunks\/[^/]+\.js|pi\/(chunks\/)?[^/]+\.ts|operators\/[^/]+\.(js|d\.ts)))$/;

		expect(files().filter((file) => !allowed.test(file))).toEqual([]);
		expect(files()).toEqual(
			expect.arrayContaining(["LICENSE", "CHANGELOG.md", "extension.ts", "dist/index.js", "dist/pi/index.ts"]),
		);
	});

	it("has every file that its manifest names", () => {
		const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
		const named = [
			...manifest.pi.extensions,
			...Object.values<string | Record<string, string>>(manifest.exports).flatMap((entry) =>
				typeof entry === "string" ? [entry] : Object.values(entry),
			),
		];

		expect(named.length).toBeGreaterThan(4);
		expect(named.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
	});

	it("bundles everything but what the host gives and what is loaded late", () => {
		const bundles = files().filter((file) => /^dist\/(index|chunks|pi)\b.*(?<!\.d)\.[jt]s$/.test(file));
		const outside = bundles.flatMap((file) =>
			moduleReferences(parse(file, readFileSync(join(installed, file), "utf8")))
				.map(({ specifier }) => specifier)
				.filter((name) => !/^(\.\.?\/|node:|@earendil-works\/|@sinclair\/typebox|@opentelemetry\/)/.test(name)),
		);

		expect(bundles).toContain("dist/pi/index.ts");
		expect(outside).toEqual([]);
	});

	it("has the licence of every package that went into the bundle", () => {
		expect(readFileSync(join(installed, "dist/THIRD_PARTY_LICENSES.txt"), "utf8")).toMatch(/^rxjs 7\./m);
	});
});

describe("pi-rx-orchestrator/operators, installed in another project", () => {
	it("runs on the Node that is there, with the project's own RxJS", () => {
		const output = run(
			"consumer.mjs",
			`import { takeUntilAborted } from "pi-rx-orchestrator/operators";
			import { NEVER, Observable } from "rxjs";
			const controller = new AbortController();
			const stopped$ = NEVER.pipe(takeUntilAborted(controller.signal));
			stopped$.subscribe({ error: (reason) => console.log(reason, stopped$ instanceof Observable) });
			controller.abort("the reason");`,
		);

		expect(output).toBe("the reason true\n");
	});

	it.each(["nodenext", "esnext"] as const)(
		"has types that allow and refuse the right things: --module %s",
		(module) => {
			const complaints = compile(
				`import { of, type Observable } from "rxjs";
			import { fromAbortSignal, shareCompletion, takeUntilAborted } from "pi-rx-orchestrator/operators";
			const { signal } = new AbortController();
			export const reason$: Observable<unknown> = fromAbortSignal(signal);
			export const count$: Observable<number> = of(1).pipe(takeUntilAborted(signal), shareCompletion());
			// @ts-expect-error: a number is no string
			export const text$: Observable<string> = of(1).pipe(takeUntilAborted(signal), shareCompletion());
			// @ts-expect-error: a controller is no signal
			export const wrong$ = fromAbortSignal(new AbortController());\n`,
				module,
			);

			expect(complaints).toBe("");
		},
	);
});
