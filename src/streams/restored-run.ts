import { of } from "rxjs";
import { refCountClaim } from "../operators/index.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Release } from "./agents.ts";
import { endedRun } from "./ended-run.ts";
import type { LedgerGroup } from "./ledger-line.ts";
import type { TerminalRecord } from "./record.ts";

/** A run that ended in an earlier life of the parent's session. */
export interface RestoredRun {
	readonly record: TerminalRecord;
	/** Who has its result: nobody yet, a call that has read it, or the conversation as a message. */
	readonly ownership: "held" | "read" | "published";
	/** Whether it is to be published, unless it is read first. Only what is held can be. */
	readonly publish: boolean;
	/** Whether it is its agent's newest run. An earlier one is there to be published and for nothing else. */
	readonly current: boolean;
	/** Tasks that the agent's conversation may not have, oldest first: a resume begins with them. */
	readonly unheard: readonly string[];
	/** The group that it was started in. */
	readonly group?: LedgerGroup;
	/** Its result starts no turn of its own. */
	readonly quiet?: boolean;
}

/** A restored run as one of this life. */
export interface RevivedRun extends RestoredRun {
	readonly run: AgentRun;
	/** When its result may be published; at once where it is left out. */
	readonly release?: Release;
}

/** The run as one among those of this life: it has ended, it can be read and published, and nothing happens to it. */
export function restoreRun({ record, ownership, unheard }: RestoredRun): AgentRun {
	const claim = refCountClaim(of(record));
	claim.connect();
	if (ownership === "published") claim.handOver()?.commit();
	// A claim takes it at once: the result is there.
	if (ownership === "read") claim.claim$.subscribe({ error: nothing }).unsubscribe();
	return endedRun({ settled: record, record, claim, unheard }, nothing);
}

function nothing(): void {
	// Nothing happens to it: it has ended, and its session with the process that it was in.
}
