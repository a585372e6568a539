import type { Reporter, TestModule } from "vitest/node";

/** Ends a run's output with a plain line that says how many orderings its tests have tried. */
export default class OrderingsReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		console.log(`orderings: ${countOrderings(modules)}`);
	}
}

/** The sum over all tests that say so in their `meta`. */
export function countOrderings(modules: readonly TestModule[]): number {
	let sum = 0;
	for (const module of modules) {
		for (const test of module.children.allTests()) {
			const meta: { readonly orderings?: unknown } = test.meta();
			if (typeof meta.orderings === "number") sum += meta.orderings;
		}
	}
	return sum;
}
