import type { Observable } from "rxjs";
import type { AgentRun } from "./agent-run.ts";
import type { Release, SpawnRequest } from "./agents.ts";
import type { LedgerGroup } from "./ledger-line.ts";
import type { StopRequest } from "./outcome.ts";

/** What becomes of a run that waits for others: it joins the line with a prompt, or ends without having started. */
export type Begin =
	| { readonly kind: "start"; readonly prompt: string }
	| { readonly kind: "drop"; readonly request: StopRequest; readonly message: string };

/** What one of several agents that are spawned together asks for. */
export interface JointRequest extends SpawnRequest {
	/** Whether a foreground agent stands in line too. A background one always does. */
	readonly inLine?: boolean;
	/**
	 * Asked for once, when all runs exist. Until what it returns emits, the run is `queued` without a place in line; the
	 * first emission decides. An error, or a completion without an emission, ends the run with an error.
	 */
	begin?(siblings: readonly JointRun[]): Observable<Begin>;
	/** The group that it belongs to, for the ledger. */
	readonly group?: LedgerGroup;
	/** When a background agent's result may be published; whenever nobody has read it, where it is left out. */
	readonly release?: Release;
	/** Whether a background agent's result is no reason to start a turn; when a person stopped it, where it is left out. */
	quiet?(siblings: readonly JointRun[]): boolean;
}

/** One of the runs that were spawned together: this run and no later one of its agent. */
export type JointRun = Pick<AgentRun, "key" | "record" | "watch$" | "completion$" | "claim">;

/** Runs that were spawned together, in the order of their requests. */
export interface JointRuns {
	readonly runs: readonly JointRun[];
	/** Stops all of them that have not ended, and starts none on the way: neither those in line nor those that wait. */
	stop(request: StopRequest): void;
}
