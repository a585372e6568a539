import { expect, it } from "vitest";
import { type Share, tryAllOrderings } from "./enumerate.ts";

declare module "vitest" {
	interface TaskMeta {
		/** How many orderings a test has tried; the reporter adds them up. */
		orderings?: number;
	}
}

/** The longest orderings, in words. Eight fit into a minute on two cores; `npm test` has less time. */
export const longest = Number(process.env.ORDERINGS_WORDS ?? 6);

/** One share of all orderings as a test. Each share has a file of its own, so that each gets a core. */
export function itHoldsInEveryOrdering(share: Share): void {
	const name = `has one owner in every ordering of up to ${longest} words (part ${share.index + 1} of ${share.of})`;
	it(name, { timeout: 600_000 }, ({ task }) => {
		const { orderings, ends, failure } = tryAllOrderings(longest, share);
		task.meta.orderings = orderings;
		if (failure) throw new Error(`${failure.ordering.join(", ")}: ${failure.rule}`);
		// No rule held for want of a case.
		expect([...ends].sort()).toEqual(["delivered", "held", "published"]);
		expect(orderings).toBeGreaterThan(longest < 8 ? 2_000 : 50_000);
	});
}
