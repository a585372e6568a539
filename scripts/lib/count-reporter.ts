import type { Reporter, TestModule } from "vitest/node";

/** What a run came to. */
export interface Counts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/**
 * Counts tests by how they ended. A file that fails outside its tests, at import or in a hook, and an error that no test
 * caught count as one failure each, so that `0 failed` is never said of a run that went wrong.
 */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
	const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
	for (const module of modules) {
		const before = counts.failed;
		for (const test of module.children.allTests()) {
			const { state } = test.result();
			// A test that is still pending when the run is over did not run.
			counts[state === "pending" ? "skipped" : state]++;
		}
		if (module.state() === "failed" && counts.failed === before) counts.failed++;
	}
	return counts;
}

/** Ends a run's output with a plain line of its counts. */
export function countReporter(): Reporter {
	return {
		onTestRunEnd(modules, unhandledErrors) {
			const { passed, failed, skipped } = countTests(modules, unhandledErrors.length);
			if (skipped > 0) console.log(`${skipped} skipped`);
			console.log(`${passed} passed, ${failed} failed`);
		},
	};
}
