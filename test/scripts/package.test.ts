import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moduleReferences, parse } from "../../scripts/lib/imports.ts";
import { type InstalledPackage, installPackage } from "../support/installed-package.ts";
import { repositoryRoot } from "../support/pi-cli.ts";

let installed: InstalledPackage;

beforeAll(() => {
	installed = installPackage();
});

afterAll(() => {
	installed.remove();
});

/** The files of the package, relative to it. */
function files(): string[] {
	const entries = readdirSync(installed.folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(installed.folder.length + 1))
		.sort();
}

/** The environment of somebody who has not put this repository's own Node in front. */
function plainEnvironment(): NodeJS.ProcessEnv {
	const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.includes("node_modules"));
	return { ...process.env, PATH: path.join(delimiter) };
}

function run(file: string, text: string): string {
	writeFileSync(join(installed.project, file), text);
	return execFileSync("node", [file], { cwd: installed.project, env: plainEnvironment(), encoding: "utf8" });
}

/** What the compiler says about a consumer's file; empty when it is content. */
function compile(text: string, moduleKind: "nodenext" | "esnext"): string {
	writeFileSync(join(installed.project, "consumer.ts"), text);
	const resolution = moduleKind === "nodenext" ? "nodenext" : "bundler";
	const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--skipDefaultLibCheck"];
	const tsc = join(repositoryRoot, "node_modules/typescript/bin/tsc");
	const all = [tsc, ...options, "--module", moduleKind, "--moduleResolution", resolution, "consumer.ts"];
	try {
		return execFileSync(process.execPath, all, { cwd: installed.project, encoding: "utf8" });
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}

describe("the npm package", () => {
	it("ships what it needs and nothing of the workshop", () => {
		const allowed =
			/^(package\.json|README\.md|CHANGELOG\.md|LICENSE|extension\.ts|docs\/.+\.(md|json)|dist\/(THIRD_PARTY_LICENSES\.txt|index\.d\.ts|index\.js|chunk-[^/]+\.js|pi\/[^/]+\.ts|operators\/[^/]+\.(js|d\.ts)))$/;

		expect(files().filter((file) => !allowed.test(file))).toEqual([]);
		expect(files()).toEqual(
			expect.arrayContaining(["LICENSE", "CHANGELOG.md", "extension.ts", "dist/index.js", "dist/pi/index.ts"]),
		);
	});

	it("has every file that its manifest names", () => {
		const manifest = JSON.parse(readFileSync(join(installed.folder, "package.json"), "utf8"));
		const named = [
			...manifest.pi.extensions,
			...Object.values<string | Record<string, string>>(manifest.exports).flatMap((entry) =>
				typeof entry === "string" ? [entry] : Object.values(entry),
			),
		];

		expect(named.length).toBeGreaterThan(4);
		expect(named.filter((file) => !existsSync(join(installed.folder, file)))).toEqual([]);
	});

	it("bundles everything but what the host gives and what is loaded late", () => {
		const bundles = files().filter((file) => /^dist\/(index|chunk|pi)\b.*(?<!\.d)\.[jt]s$/.test(file));
		const outside = bundles.flatMap((file) =>
			moduleReferences(parse(file, readFileSync(join(installed.folder, file), "utf8")))
				.map(({ specifier }) => specifier)
				.filter((name) => !/^(\.\.?\/|node:|@earendil-works\/|@sinclair\/typebox|@opentelemetry\/)/.test(name)),
		);

		expect(bundles).toContain("dist/pi/index.ts");
		expect(outside).toEqual([]);
	});

	it("has the licence of every package that went into the bundle", () => {
		expect(readFileSync(join(installed.folder, "dist/THIRD_PARTY_LICENSES.txt"), "utf8")).toMatch(/^rxjs 7\./m);
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
