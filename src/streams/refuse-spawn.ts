import type { AgentRun } from "./agent-run.ts";
import type { AgentsOptions } from "./agents-options.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** What there is already. */
export interface Opened {
	readonly runs: ReadonlySet<AgentRun>;
	/** Whether the session is ending. */
	readonly ending: boolean;
}

/** Why `count` more runs may not start now, or `undefined`. */
export function refuseSpawn(
	{ runs, ending }: Opened,
	count: number,
	options: Pick<AgentsOptions, "maxAgents" | "maxZombies">,
): string | undefined {
	if (ending) return "The session is ending: no agent is started any more.";
	const records = [...runs].map((run) => run.record);
	const live = records.filter((record) => !isTerminal(record)).length;
	const limit = options.maxAgents();
	if (live + count > limit) {
		const who = live === 1 ? "1 agent is" : `${live} agents are`;
		const which = live >= limit ? "which is the limit" : `and ${count} more would be above the limit of ${limit}`;
		return `${who} alive or in line, ${which} (maxAgents). Wait for one with get_subagent_result, or go on without; a person can stop one with /agents stop.`;
	}
	const zombies = records.filter(isZombie).length;
	if (zombies >= options.maxZombies()) {
		const what = zombies === 1 ? "1 session of an ended agent has" : `${zombies} sessions of ended agents have`;
		return `${what} not come to rest, which is the limit (maxZombies). If that stays so, only a restart of Pi helps.`;
	}
	return undefined;
}

/** A resume does not lay a zombie to rest; and a run that never started has no session to be one. */
function isZombie(record: AgentRecord): boolean {
	return isTerminal(record) && record.closed === "grace_expired" && record.startedAt !== undefined;
}
