import { of } from "rxjs";
import { createMailbox, type RefCountClaim } from "../operators/index.ts";
import type { AgentRun } from "./agent-run.ts";
import { runKey } from "./ids.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "./record.ts";
import { reduceRecord } from "./reduce-record.ts";

/** What is left of a run that is over. */
export interface EndedRun {
	/** As it was told at the settlement. */
	readonly settled: TerminalRecord;
	/** The newest snapshot. */
	readonly record: TerminalRecord;
	readonly claim: RefCountClaim<TerminalRecord>;
	readonly unheard: readonly string[];
}

/**
 * A run that is over, as one among the others: its record, its result's ownership, and nothing of what it took to get
 * there. There is one for each agent that has ever been, so it is light. `onSnapshot` hears of what it still inherits.
 */
export function endedRun(over: EndedRun, onSnapshot: (record: AgentRecord) => void): AgentRun {
	const { settled, claim, unheard } = over;
	let record: AgentRecord = over.record;
	return {
		key: runKey(settled.agentId, settled.run),
		claim,
		unheard,
		get record() {
			return record;
		},
		get watch$() {
			return of(settled);
		},
		get completion$() {
			return of(settled);
		},
		get closed$() {
			return of(over.record);
		},
		get mailbox() {
			return createMailbox<never>();
		},
		isWaiting: false,
		isInLine: false,
		isOver: true,
		start: nothing,
		withdraw: nothing,
		stop: nothing,
		inherit: (spend) => {
			record = reduceRecord(record, { type: "inherited", spend }, record.createdAt);
			onSnapshot(record);
		},
		dispose: nothing,
	};
}

/** What is left of a run that is over. Whatever it has of the run itself, it has lost when this returns. */
export function leftOf(run: AgentRun, onSnapshot: (record: AgentRecord) => void): AgentRun {
	const { record, claim, unheard } = run;
	let settled: TerminalRecord | undefined;
	run.completion$
		.subscribe({
			next: (completed) => {
				settled = completed;
			},
			error: () => undefined,
		})
		.unsubscribe();
	if (settled === undefined || !isTerminal(record)) throw new Error(`${run.key} is not over`);
	return endedRun({ settled, record, claim, unheard }, onSnapshot);
}

function nothing(): void {
	// It has ended.
}
