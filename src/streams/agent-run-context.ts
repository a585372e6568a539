import type { Observable, SchedulerLike } from "rxjs";
import type { Admission } from "../operators/index.ts";
import type { Begin } from "./joint-runs.ts";
import type { StartRun } from "./ports.ts";
import type { AgentRecord, TerminalRecord } from "./record.ts";
import type { Spend } from "./usage.ts";

/** What a run needs from its owner. */
export interface AgentRunContext {
	readonly startRun: StartRun;
	/** The end of the agent's run before this one, which must come before this one may touch the session. */
	readonly before$?: Observable<TerminalRecord>;
	/** The writing-ahead of the run, which must be done before this one may have a session. See `RunLedger`. */
	readonly written$?: Observable<never>;
	/** Present for runs that stand in line. */
	readonly admission?: Admission;
	/** Present for runs that wait for others before they join the line; subscribed at the start. */
	readonly begin$?: Observable<Begin>;
	/** A run that has waited for others joins the line now. */
	onBegin?(): void;
	/** The source of time. */
	readonly scheduler: SchedulerLike;
	/** Whether the money for all agents together is spent: then it begins no other turn. */
	isMoneySpent(): boolean;
	/** Whether an agent that it has started is under way or in line: then it is not silent, whoever of them is. */
	hasOthersAtWork(): boolean;
	/** Every new snapshot, in order. */
	onSnapshot(record: AgentRecord): void;
	/** What the session spends while it dies: the agent's money also where a resume has taken over its record by then. */
	onLateSpend(spend: Spend): void;
}
