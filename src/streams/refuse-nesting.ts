import { depthOf } from "./family.ts";
import type { AgentId } from "./ids.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** Why an agent may have no other one now, or `undefined`. `parent` is the agent; absent where the session itself asks. */
export function refuseNesting(
	parent: AgentId | undefined,
	find: (agentId: AgentId) => AgentRecord | undefined,
	maxDepth: number = Number.POSITIVE_INFINITY,
): string | undefined {
	if (parent === undefined) return undefined;
	const record = find(parent);
	// Whatever is started below an agent ends with it: below one that ends nothing more may begin.
	if (record === undefined || !isUnderWay(record)) {
		return `Agent ${parent}, below which it would run, is not running any more.`;
	}
	const depth = depthOf(record, find) + 1;
	if (depth <= maxDepth) return undefined;
	const levels = maxDepth === 1 ? "1 level" : `${maxDepth} levels`;
	return `Agents may have ${levels}, and this one would be at level ${depth} (maxDepth). Go on without it.`;
}

function isUnderWay(record: AgentRecord): boolean {
	return !isTerminal(record) && record.status === "running" && record.stopping === undefined;
}
