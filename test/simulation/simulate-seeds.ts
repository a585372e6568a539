import { generateScript, sizeOf } from "./generate-script.ts";
import type { Violation } from "./rules.ts";
import type { Script } from "./script.ts";
import { simulate } from "./simulate.ts";

export interface Totals {
	readonly agents: number;
	readonly steps: number;
	readonly seeds: number;
	readonly failure: { readonly script: Script; readonly violation: Violation } | undefined;
}

/**
 * Runs the scripts of `first`, `first + stride`, … until there have been `agents` agents, or one fails. With a stride,
 * several processes share the seeds among them.
 */
export async function simulateSeeds(agents: number, first: number, stride = 1): Promise<Totals> {
	const totals = { agents: 0, steps: 0, seeds: 0 };
	for (let seed = first; totals.agents < agents; seed += stride) {
		const script = generateScript(seed, sizeOf(seed));
		const report = await simulate(script);
		totals.agents += report.agents;
		totals.steps += report.steps;
		totals.seeds++;
		if (report.violation !== undefined) return { ...totals, failure: { script, violation: report.violation } };
	}
	return { ...totals, failure: undefined };
}
