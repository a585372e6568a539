import type { SchedulerLike } from "rxjs";
import type { ParentFacts } from "../profiles/effective-config.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Settings } from "../profiles/settings.ts";
import type { Agents } from "../streams/agents.ts";
import type { AgentId } from "../streams/ids.ts";
import type { TerminalRecord } from "../streams/record.ts";
import type { Spend } from "../streams/usage.ts";

/** What the tools need of the world. Functions are asked at each call, so that nothing of an earlier session is kept. */
export interface ToolDeps {
	/** The current session's, another object for each session; throws while there is none. */
	readonly agents: Agents;
	settings(): Settings;
	/** Whether the session ends with the final answer, and its agents with it; `false` where it is absent. */
	oneShot?(): boolean;
	/** In order of precedence. */
	profiles(): readonly Profile[];
	parent(): ParentFacts;
	/** The path of an agent's full text, once it is saved there; `undefined` where it cannot be saved. */
	fullTextPath(record: TerminalRecord): Promise<string | undefined>;
	/** Takes what has been spent and has not been on any result yet. */
	takeSpend(): Spend;
	/** The clock of the records, and of every wait. */
	readonly scheduler: SchedulerLike;
	/** An agent's conversation so far, for `verbose`. */
	conversation?(agentId: AgentId): Promise<string | undefined>;
}
