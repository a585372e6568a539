import { type SchedulerLike, Subject, Subscription } from "rxjs";
import type { Mailbox } from "../operators/index.ts";
import { decideLimits, type LimitDecision, type SoftLimit, wrapUpMessage } from "./limits.ts";
import type { StopRequest } from "./outcome.ts";
import type { SteeringMessage } from "./ports.ts";
import type { AgentRecord, RecordEvent, RunningRecord } from "./record.ts";
import type { RunEvent } from "./run-event.ts";
import { timeLimits } from "./time-limits.ts";

/** Holds one run to its limits. Its owner is the run. */
export interface RunLimiter {
	/** The run has a slot: its time begins. */
	start(): void;
	/** An event of the run, once it is in the record. */
	heard(event: RunEvent): void;
	/**
	 * Another turn begins, and is not in the record yet. One that nobody has decided on is stopped where there is none left.
	 * It is too late to ask for a wrap-up, which would be read behind the turn and cost another: that comes at its end, if it
	 * goes on.
	 */
	turnBegins(): void;
	/** Whether the run may begin another turn: otherwise it would be stopped in it. */
	mayGoOn(): boolean;
	/** Asks the agent to wrap up, where it is under way and has not been asked. */
	wrapUp(limit: SoftLimit): void;
	/** The run has ended: no timer stays behind. */
	close(): void;
}

/** The run as its limiter sees it. */
export interface LimitedRun {
	/** The newest snapshot. */
	record(): AgentRecord;
	apply(event: RecordEvent): void;
	stop(request: StopRequest): void;
	readonly mailbox: Pick<Mailbox<SteeringMessage>, "post">;
	readonly scheduler: SchedulerLike;
	/** Whether the money for all agents together is spent. */
	isMoneySpent(): boolean;
	/** Whether an agent below it is under way or in line. Each has a silence of its own, and those above wait for it. */
	hasOthersAtWork(): boolean;
}

export function createRunLimiter(run: LimitedRun): RunLimiter {
	/** Whether what was heard begins a wait. */
	const heard$ = new Subject<boolean>();
	const clock = new Subscription();
	/** Counted here: the record's spend is the agent's, over all of its runs. */
	let tokens = 0;
	let toolsSpentIn: number | undefined;
	/** The turn before asked for nothing: one that follows it all the same, for a message or a result, was not decided on. */
	let undecided = false;

	const wrapUp = (limit: SoftLimit): void => {
		const record = run.record();
		if (record.status !== "running" || record.wrapUpAsked || record.stopping) return;
		run.apply({ type: "wrap_up_asked", limit });
		run.mailbox.post({ text: wrapUpMessage(limit, turnsLeft(record, limit)), from: "limit" });
	};
	const act = (decision: LimitDecision): void => {
		if (isStop(decision)) run.stop(decision);
		else if (decision !== "go_on") wrapUp(decision.wrapUp);
	};

	const decision = (): LimitDecision => {
		const record = run.record();
		if (record.status !== "running") return "go_on";
		const { maxTools = Number.POSITIVE_INFINITY } = record.config.limits;
		if (record.toolsStarted >= maxTools) toolsSpentIn ??= record.turns;
		const used = { tokens, isMoneySpent: run.isMoneySpent() };
		return decideLimits(record, toolsSpentIn === undefined ? used : { ...used, toolsSpentIn });
	};

	return {
		wrapUp,
		start: () => {
			const { limits } = run.record().config;
			clock.add(timeLimits(limits, heard$, run.scheduler).subscribe({ next: act, error: () => undefined }));
		},
		heard: (event) => {
			const waits = event.type === "retrying" || (event.type === "provider_wait" && event.waiting);
			heard$.next(waits || run.hasOthersAtWork());
			if ("spend" in event && event.spend !== undefined) tokens += event.spend.input + event.spend.output;
			if (event.type !== "turn_ended") return;
			undecided = !event.continues;
			if (event.continues) act(decision());
		},
		turnBegins: () => {
			const decided = undecided ? decision() : "go_on";
			undecided = false;
			if (isStop(decided)) run.stop(decided);
		},
		mayGoOn: () => !isStop(decision()),
		close: () => clock.unsubscribe(),
	};
}

function isStop(decision: LimitDecision): decision is StopRequest {
	return decision !== "go_on" && !("wrapUp" in decision);
}

/** How many turns there still are behind the one that has ended. Some of the grace may be used up already. */
function turnsLeft({ turns, config: { limits } }: RunningRecord, limit: SoftLimit): number {
	const { maxTurns = turns, graceTurns } = limits;
	return limit === "turns" ? maxTurns + graceTurns - turns : graceTurns;
}
