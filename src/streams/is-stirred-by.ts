import type { AgentRecord } from "./record.ts";

/** How long an agent is not told of what merely goes on below it, once it has been heard of itself; milliseconds. */
const stirPause = 1_000;

/**
 * Whether an agent is told of a snapshot of one that it has started, so that it does not count as silent. Of each that
 * starts, stands in line or has ended, since its silence depends on whether others are at work; and of one that works
 * once a second: each piece of each answer below would be a snapshot of every agent above.
 */
export function isStirredBy(snapshot: AgentRecord, parent: AgentRecord, now: number): boolean {
	if (parent.status !== "running") return false;
	return snapshot.status !== "running" || now - parent.lastEventAt >= stirPause;
}
