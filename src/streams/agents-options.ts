import type { Observable, SchedulerLike } from "rxjs";
import type { AgentId, CorrelationId } from "./ids.ts";
import type { StartRun } from "./ports.ts";
import type { RevivedRun } from "./restored-run.ts";
import type { RunLedger } from "./run-ledger.ts";

/** What `createAgents` needs from outside: how to start a run, new identities, time and bounds. */
export interface AgentsOptions {
	readonly startRun: StartRun;
	/** How many background agents of one parent may run at once; may change at any time. */
	readonly maxConcurrent$: Observable<number>;
	/** How many agents may be alive or in line at once. */
	readonly maxAgents: () => number;
	/** How deep agents may nest: 1 where only the session itself starts any. No limit where it is left out. */
	readonly maxDepth?: () => number;
	/** How many sessions of ended agents that have not come to rest are borne before nothing new starts. */
	readonly maxZombies: () => number;
	/** US dollars that all agents together may cost; no limit where it is left out. */
	readonly maxCost?: () => number | undefined;
	/** Fresh identities: randomness comes from outside. */
	readonly newIds: () => { readonly agentId: AgentId; readonly correlationId: CorrelationId };
	/** The source of time. */
	readonly scheduler: SchedulerLike;
	/** Where runs are written ahead; nowhere where it is left out. */
	readonly ledger?: RunLedger;
	/** What earlier lives of the session have left, in the order of the agents' creation. */
	readonly restored?: readonly RevivedRun[];
}
