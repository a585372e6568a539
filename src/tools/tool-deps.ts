import type { SchedulerLike } from "rxjs";
import type { ParentFacts } from "../profiles/parent-facts.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Settings } from "../profiles/settings.ts";
import type { OwnAgents } from "../streams/agents-of.ts";
import type { Groups } from "../streams/groups.ts";
import type { AgentId } from "../streams/ids.ts";
import type { TerminalRecord } from "../streams/record.ts";
import type { Schedules } from "../streams/schedules.ts";
import type { Spend } from "../streams/usage.ts";
import type { ScheduledJob } from "./scheduled-job.ts";

/** What the tools need of the world. Functions are asked at each call, so that nothing of an earlier session is kept. */
export interface ToolDeps {
	/**
	 * Those of whoever calls, the session or an agent: another object for each session; throws while there is none.
	 */
	readonly agents: OwnAgents;
	/** The same caller's groups. */
	readonly groups: Groups;
	/** The same session's schedules; absent where nothing can be scheduled. */
	readonly schedules?: Schedules<ScheduledJob> | undefined;
	settings(): Settings;
	/** Whether the session ends with the final answer, and its agents with it; `false` where it is absent. */
	oneShot?(): boolean;
	/** Those that the caller sees, in order of precedence. */
	profiles(): readonly Profile[];
	parent(): ParentFacts;
	/** The path of an agent's full text, once it is saved there; `undefined` where it cannot be saved. */
	fullTextPath(record: TerminalRecord): Promise<string | undefined>;
	/** Takes what has been spent and has not been on any result yet. */
	takeSpend(): Spend;
	/** The clock of the records, and of every wait. */
	readonly scheduler: SchedulerLike;
	/**
	 * Resolves once all that has happened so far is on record, before which no agent starts; absent where nothing is
	 * written down. Never rejects.
	 */
	recorded?(): Promise<void>;
	/** An agent's conversation so far, for `verbose`. */
	conversation?(agentId: AgentId): Promise<string | undefined>;
}
