import type { AgentRecord } from "./record.ts";
import { addSpend, noSpend, type Spend, subtractSpend } from "./usage.ts";

/**
 * Hands out spend so that every token is carried to the parent by exactly one result: each call gives what has been
 * spent over all agents since the last one. `before` is what results have carried already.
 */
export function createSpendWatermark(records: () => readonly AgentRecord[], before: Spend = noSpend): () => Spend {
	let carried = before;
	return () => {
		const total = records().reduce((sum, record) => addSpend(sum, record.spend), noSpend);
		const rest = subtractSpend(total, carried);
		carried = total;
		return rest;
	};
}
