import { expect, it } from "vitest";
import type { TestModule } from "vitest/node";
import { countTests } from "../../scripts/lib/count-reporter.ts";

type State = "passed" | "failed" | "skipped" | "pending";

/** As much of a module's report as is counted. */
function moduleOf(state: State, ...tests: readonly State[]): TestModule {
	const allTests = () => tests.map((test) => ({ result: () => ({ state: test }) }));
	return { state: () => state, children: { allTests } } as unknown as TestModule;
}

it("counts tests over all modules by how they ended", () => {
	const modules = [moduleOf("failed", "passed", "failed", "skipped"), moduleOf("passed", "passed", "pending")];

	expect(countTests(modules, 0)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

it("counts a module that failed outside its tests as a failure", () => {
	expect(countTests([moduleOf("failed"), moduleOf("failed", "passed")], 0)).toEqual({
		passed: 1,
		failed: 2,
		skipped: 0,
	});
});

it("counts an error that no test caught as a failure", () => {
	expect(countTests([moduleOf("passed", "passed")], 2)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});
