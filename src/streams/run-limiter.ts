import { type SchedulerLike, Subject, Subscription } from "rxjs";
import type { Mailbox } from "../operators/index.ts";
import { decideLimits, type LimitDecision, type SoftLimit, wrapUpMessage } from "./limits.ts";
import type { StopRequest } from "./outcome.ts";
import type { SteeringMessage } from "./ports.ts";
import type { AgentRecord, RecordEvent } from "./record.ts";
import type { RunEvent } from "./run-event.ts";
import { timeLimits } from "./time-limits.ts";

/** Holds one run to its limits. Its owner is the run. */
export interface RunLimiter {
	/** The run has a slot: its time begins. */
	start(): void;
	/** An event of the run, once it is in the record. */
	heard(event: RunEvent): void;
	/** Another turn begins, and is not in the record yet. */
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
		run.mailbox.post({ text: wrapUpMessage(limit, record.config.limits.graceTurns), from: "limit" });
	};
	const act = (decision: LimitDecision): void => {
		if (decision === "go_on") return;
		if ("wrapUp" in decision) wrapUp(decision.wrapUp);
		else run.stop(decision);
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
			if (undecided) act(decision());
			undecided = false;
		},
		mayGoOn: () => {
			const decided = decision();
			return decided === "go_on" || "wrapUp" in decided;
		},
		close: () => clock.unsubscribe(),
	};
}
