import { EMPTY, of } from "rxjs";
import type { Mailbox, RefCountClaim } from "../operators/index.ts";
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
	const settled$ = of(settled);
	// Without accessors, which would make each of these objects several times as large.
	const run: Omit<AgentRun, "record"> & { record: AgentRecord } = {
		key: runKey(settled.agentId, settled.run),
		claim,
		unheard,
		record: over.record,
		watch$: settled$,
		completion$: settled$,
		closed$: of(over.record),
		mailbox: noMailbox,
		isWaiting: false,
		isInLine: false,
		isOver: true,
		start: nothing,
		withdraw: nothing,
		stop: nothing,
		wrapUp: nothing,
		stir: nothing,
		inherit: (spend) => {
			run.record = reduceRecord(run.record, { type: "inherited", spend }, run.record.createdAt);
			onSnapshot(run.record);
		},
		dispose: nothing,
	};
	return run;
}

/** An agent that has ended cannot be steered: nothing gets here. */
const noMailbox: Mailbox<never> = {
	size: 0,
	post: nothing,
	posted$: EMPTY,
	deliver: () => EMPTY,
	drain: () => [],
};

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
