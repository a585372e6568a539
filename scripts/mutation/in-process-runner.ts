import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { InstrumenterContext } from "@stryker-mutator/api/core";
import {
	type DryRunResult,
	DryRunStatus,
	determineHitLimitReached,
	type MutantRunOptions,
	type TestResult,
	type TestRunner,
	TestStatus,
	toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import type { RegisteredTest } from "./vitest-stand-in.ts";

/** The tests that judge: those in virtual time and the pure ones. docs/mutation.md says what is left out and why. */
const judges = ["test/marbles/**/*.test.ts", "test/streams/**/*.test.ts"];
const leftOut = ["test/marbles/operators/*-orderings.test.ts", "test/marbles/support/**", "test/streams/soak.test.ts"];

/**
 * Runs the tests in Stryker's own process, each test file loaded once and when it is first needed. Vitest would set up a
 * world for every mutant, which takes far longer than the few milliseconds in which the tests in virtual time judge it.
 */
export function createInProcessRunner(): TestRunner {
	const context = contextOfMutants();
	const files = globSync(judges, { exclude: leftOut }).sort();
	const loaded = new Map<string, readonly RegisteredTest[]>();

	async function testsIn(file: string): Promise<readonly RegisteredTest[]> {
		const known = loaded.get(file);
		if (known) return known;
		const { testsOf }: typeof import("./vitest-stand-in.ts") = await import(standIn);
		const tests = await testsOf(file, () => import(pathToFileURL(resolve(file)).href));
		loaded.set(file, tests);
		return tests;
	}

	/** The tests of `files` in order, those of `filter` where there is one. */
	async function* select(from: readonly string[], filter?: ReadonlySet<string>): AsyncGenerator<RegisteredTest> {
		for (const file of from) {
			for (const test of await testsIn(file)) if (filter?.has(test.id) ?? true) yield test;
		}
	}

	async function runAndTime({ id, name, file, run }: RegisteredTest): Promise<TestResult> {
		const begun = performance.now();
		const failureMessage = await run().then(() => undefined, messageOf);
		const about = { id, name, fileName: resolve(file), timeSpentMs: performance.now() - begun };
		return failureMessage === undefined
			? { ...about, status: TestStatus.Success }
			: { ...about, status: TestStatus.Failed, failureMessage };
	}

	async function judge(options: MutantRunOptions): Promise<DryRunResult> {
		const { activeMutant, testFilter, hitLimit, sandboxFileName, mutantActivation } = options;
		const isStatic = mutantActivation === "static";
		const from = testFilter ? filesOf(testFilter) : nearestFirst(files, sandboxFileName);
		// A static mutant is there while files are loaded; any other only while its tests run.
		if (!isStatic) for (const file of from) await testsIn(file);
		context.activeMutant = activeMutant.id;
		context.hitCount = 0;
		if (hitLimit === undefined) delete context.hitLimit;
		else context.hitLimit = hitLimit;
		const tests: TestResult[] = [];
		try {
			for await (const test of select(from, testFilter && new Set(testFilter))) {
				const result = await runAndTime(test);
				tests.push(result);
				if (result.status === TestStatus.Failed) break;
			}
		} catch (error) {
			// A file that cannot be loaded has no test that could be named.
			return { status: DryRunStatus.Error, errorMessage: messageOf(error) };
		} finally {
			if (!isStatic) delete context.activeMutant;
		}
		return determineHitLimitReached(context.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests };
	}

	return {
		// Modules stay loaded: for a static mutant Stryker begins a process of its own.
		capabilities: () => ({ reloadEnvironment: false }),
		init: async () => {
			standInForVitest();
			// A mutant may leave work behind that fails in the middle of the next one's tests: that is no verdict on either.
			process.on("uncaughtException", () => {});
		},
		dryRun: async () => {
			const tests: TestResult[] = [];
			for await (const test of select(files)) {
				context.currentTestId = test.id;
				tests.push(await runAndTime(test));
				delete context.currentTestId;
			}
			return {
				status: DryRunStatus.Complete,
				tests,
				mutantCoverage: context.mutantCoverage ?? { static: {}, perTest: {} },
			};
		},
		mutantRun: async (options) => toMutantRunResult(await judge(options)),
	};
}

/** Where the instrumented code looks for the mutant that is on, and counts what it passes. */
function contextOfMutants(): InstrumenterContext {
	const context: InstrumenterContext = Reflect.get(globalThis, "__stryker__") ?? {};
	Reflect.set(globalThis, "__stryker__", context);
	return context;
}

const standIn = new URL("./vitest-stand-in.ts", import.meta.url).href;

/** From here on the stand-in is what test files get as `vitest`. */
function standInForVitest(): void {
	registerHooks({
		resolve: (specifier, about, next) =>
			specifier === "vitest" ? { url: standIn, shortCircuit: true } : next(specifier, about),
	});
}

function filesOf(ids: readonly string[]): string[] {
	return [...new Set(ids.map((id) => id.slice(0, id.indexOf("#"))))];
}

/** The tests of a file are the likeliest to notice what is wrong with it, and the first failure ends the run. */
function nearestFirst(files: readonly string[], mutated: string): string[] {
	const stem = basename(mutated, ".ts");
	const isNear = (file: string): boolean => basename(file).includes(stem);
	return [...files.filter(isNear), ...files.filter((file) => !isNear(file))];
}

function messageOf(error: unknown): string {
	return String(error instanceof Error ? error.message : error).slice(0, 500);
}
