import type { AgentRun } from "./agent-run.ts";
import type { Family } from "./family.ts";
import type { AgentId } from "./ids.ts";
import type { StopRequest } from "./outcome.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** How runs are stopped, and all that they have started with them. */
export interface Stops {
	/** Stops these and all below them, of whom none starts on the way. */
	all(these: readonly AgentRun[], request: StopRequest): void;
	/** Those that end with these. */
	below(these: readonly AgentRun[]): readonly AgentRun[];
	/** Stops what an agent has started, if that is ending or has ended, in whatever way. */
	followEnd(agentId: AgentId): void;
}

/** What stops need from their owner. */
export interface StopsOptions {
	/** Every run that is not over, in the order in which they joined the line or started. */
	readonly opened: ReadonlySet<AgentRun>;
	readonly family: Family;
	/** The agent's newest run. */
	current(agentId: AgentId): AgentRun | undefined;
}

const byParent: StopRequest = { status: "stopped", reason: "stopped_by_parent" };

export function createStops({ opened, family, current }: StopsOptions): Stops {
	/** Those of an agent belong to its current run: of an earlier one none is left. */
	const below = (these: readonly AgentRun[]): readonly AgentRun[] =>
		family.below(these.filter((run) => current(run.record.agentId) === run).map((run) => run.record.agentId));

	// All that have not started leave first, from the line's end: neither a slot that comes free on the way nor the end of
	// one they wait for must start, or end in another way, a run that is about to be stopped.
	const all = (these: readonly AgentRun[], request: StopRequest): void => {
		const asked = new Set(these);
		// The deepest first: whoever is asked for is stopped for that, and not for the end of its parent.
		const those = new Set([...[...below(these)].reverse(), ...these]);
		const unstarted = [...opened].reverse().filter((run) => run.record.status === "queued" && those.has(run));
		for (const run of unstarted) run.withdraw();
		const forTheirs = request.reason === "parent_shutdown" ? request : byParent;
		// Before those that run: one that closes at once frees its slot, and whoever takes that finds them gone.
		for (const run of [...unstarted, ...those]) run.stop(asked.has(run) ? request : forTheirs);
	};

	return {
		all,
		below,
		followEnd: (agentId) => {
			const run = current(agentId);
			if (run === undefined || !isEnding(run.record)) return;
			const theirs = below([run]);
			if (theirs.length > 0) all(theirs, byParent);
		},
	};
}

function isEnding(record: AgentRecord): boolean {
	return isTerminal(record) || (record.status === "running" && record.stopping !== undefined);
}
