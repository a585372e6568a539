import {
	concat,
	defaultIfEmpty,
	defer,
	EMPTY,
	filter,
	ignoreElements,
	map,
	type Observable,
	ReplaySubject,
	Subject,
	Subscription,
	switchMap,
	take,
} from "rxjs";
import { inOrder } from "../operators/in-order.ts";
import { createMailbox, type Mailbox, type RefCountClaim, refCountClaim, shareCompletion } from "../operators/index.ts";
import type { AgentRunContext } from "./agent-run-context.ts";
import { type RunKey, runKey } from "./ids.ts";
import type { Begin } from "./joint-runs.ts";
import { type SoftLimit, withWrapUp } from "./limits.ts";
import type { Outcome, OutcomeReasons, StopRequest } from "./outcome.ts";
import type { RunSpec, SteeringMessage } from "./ports.ts";
import { type AgentRecord, isTerminal, type RecordEvent, type TerminalRecord } from "./record.ts";
import { reduceRecord } from "./reduce-record.ts";
import type { RunEvent } from "./run-event.ts";
import { LedgerFailure } from "./run-ledger.ts";
import { createRunLimiter } from "./run-limiter.ts";
import { type Spend, subtractSpend } from "./usage.ts";
import { watchSnapshots } from "./watch-snapshots.ts";

/** One run of one agent, with everything that others may hold on to. Its owner is `createAgents`. */
export interface AgentRun {
	readonly key: RunKey;
	/** The newest snapshot. */
	readonly record: AgentRecord;
	/** The newest snapshot, then each next one, the terminal one last; then it completes. */
	readonly watch$: Observable<AgentRecord>;
	/** The terminal snapshot, kept for ever. */
	readonly completion$: Observable<TerminalRecord>;
	/** The snapshot that says how the session came to rest, kept for ever. */
	readonly closed$: Observable<TerminalRecord>;
	readonly claim: RefCountClaim<TerminalRecord>;
	readonly mailbox: Mailbox<SteeringMessage>;
	/** Tasks that the agent's conversation may not have after this run: it never got as far as to tell of them. */
	readonly unheard: readonly string[];
	/** Whether it waits for others before it may join the line. */
	readonly isWaiting: boolean;
	/** Whether it stands in line for a slot now. */
	readonly isInLine: boolean;
	/** Whether nothing more can come of it: it has ended, its session is known to rest, and its events are over. */
	readonly isOver: boolean;
	/** Starts the run, puts it in line or lets it wait. Called once, when everything above can be reached. */
	start(): void;
	/**
	 * Takes a run that has not started out of the line, or away from what it waits for, without a word: it is going to be
	 * stopped together with others, and nothing that becomes of those may start it.
	 */
	withdraw(): void;
	/** Ends a run that waits, is in line or under way; does nothing to one that has ended. */
	stop(request: StopRequest): void;
	/** Asks the agent to wrap up, if it is under way and has not been asked. */
	wrapUp(limit: SoftLimit): void;
	/** Tells it that something of what it has started goes on: it is not silent then. Does nothing unless it is running. */
	stir(): void;
	/** Adds what the session of the agent's run before has spent since this one took over the record. */
	inherit(spend: Spend): void;
	/** Frees what the run holds without a word: for the end of the parent's session, after every run has closed. */
	dispose(): void;
}

/** Prepares a run of the agent described by `initial`. Nothing starts before `start()`. */
export function createAgentRun(initial: AgentRecord, spec: RunSpec, context: AgentRunContext): AgentRun {
	let record = initial;
	const snapshots$ = new Subject<AgentRecord>();
	const stop$ = new ReplaySubject<StopRequest>(1);
	const mailbox = createMailbox<SteeringMessage>();
	const lifetime = new Subscription();

	// Snapshots leave in the order in which they were made, also when an observer of one causes the next: the record changes
	// at once, its emission waits. All who join the line for one do so before any of them starts, which may end at once.
	const together = context.admission?.together ?? ((act: () => void) => act());
	const tell = inOrder((next: AgentRecord) => {
		context.onSnapshot(next);
		together(() => snapshots$.next(next));
	});
	const apply = (event: RecordEvent): void => {
		const next = reduceRecord(record, event, context.scheduler.now());
		if (next === record) return;
		const before = record;
		record = next;
		if (isTerminal(next)) limiter.close();
		// At once, and not when it is told: a resume that comes between the two starts from a record that has it already.
		if (isTerminal(before) && next.spend !== before.spend) {
			context.onLateSpend(subtractSpend(next.spend, before.spend));
		}
		tell(next);
	};

	const completion$ = snapshots$.pipe(filter(isTerminal), take(1), shareCompletion());
	const closed$ = snapshots$.pipe(
		filter(isTerminal),
		filter((snapshot) => snapshot.closed !== undefined),
		take(1),
		shareCompletion(),
	);
	const watch$ = watchSnapshots(() => record, snapshots$, completion$);

	/** How the agent's session came to rest before this run; at once where there was none. */
	const atRest$ = (context.before$ ?? EMPTY).pipe(
		map(({ closed }) => closed ?? "verified"),
		defaultIfEmpty("verified" as const),
	);

	// Both are connected before anything can happen, so that no settlement is missed, and by this run alone.
	const claim = refCountClaim(completion$);
	lifetime.add(claim.connect());
	lifetime.add(closed$.subscribe({ error: () => undefined }));

	const finish = (outcome: Outcome): void => {
		if (!isTerminal(record)) apply({ type: "settled", outcome });
		if (isTerminal(record) && record.closed === undefined) apply({ type: "closed", how: "verified" });
	};
	const stop = (request: StopRequest): void => {
		if (isTerminal(record)) return;
		apply({ type: "stop_requested", request });
		if (record.status === "running") stop$.next(request);
		// Nor one that an observer has ended when it heard of that.
		if (record.status !== "queued") return;
		running.unsubscribe();
		endUnstarted({ verdict: request, text: "", unread: [] });
	};
	const endUnstarted = (outcome: Outcome): void => {
		apply({ type: "settled", outcome });
		// It has no session of its own; the agent's is at rest when that of the run before is, and a next run waits for it.
		lifetime.add(
			atRest$.subscribe({
				next: (how) => apply({ type: "closed", how }),
				error: () => undefined,
			}),
		);
	};
	// A run that keeps its contract ends with an outcome of its own; one that breaks it still comes to an end, and what it
	// never read is named.
	const breakOff = (message: string, reason: OutcomeReasons["error"] = "internal"): void => {
		const unread = mailbox.drain().flatMap(({ from, text }) => (from === "parent" ? [text] : []));
		finish({ verdict: { status: "error", reason }, text: "", message, unread });
	};
	const onEvent = (event: RunEvent): void => {
		if (event.type === "turn_started") limiter.turnBegins();
		apply(event.type === "settled" ? { type: "settled", outcome: withWrapUp(record, event.outcome) } : event);
		if (event.type === "closed" && event.how === "grace_expired" && event.atRest$) {
			const rested = () => apply({ type: "closed", how: "verified" });
			lifetime.add(event.atRest$.pipe(take(1)).subscribe({ next: rested, error: () => undefined }));
		}
		limiter.heard(event);
	};
	const limiter = createRunLimiter({ ...context, record: () => record, apply, mailbox, stop });
	lifetime.add(limiter.close);

	const running = new Subscription();
	lifetime.add(running);
	let waiting = context.begin$ !== undefined;
	let events: Subscription | undefined;
	/** The run's events, once it has a slot where it needs one. */
	const admitted = (prompt: string): Observable<RunEvent> => {
		const started$ = defer(() => {
			apply({ type: "admitted" });
			limiter.start();
			return context.startRun({ ...spec, prompt }, { stop$, steering: mailbox, mayGoOn: limiter.mayGoOn });
		});
		const ready$ = concat(atRest$.pipe(ignoreElements()), context.written$ ?? EMPTY, started$);
		return context.admission ? ready$.pipe(context.admission.admit()) : ready$;
	};
	const begun = (begin: Begin): Observable<RunEvent> => {
		waiting = false;
		if (begin.kind === "drop") {
			endUnstarted({ verdict: begin.request, text: "", message: begin.message, unread: [] });
			return EMPTY;
		}
		context.onBegin?.();
		return admitted(begin.prompt);
	};
	const start = (): void => {
		if (isTerminal(record)) return;
		const events$ = context.begin$ ? context.begin$.pipe(take(1), switchMap(begun)) : admitted(spec.prompt);
		events = events$.subscribe({
			next: (event) => {
				try {
					onEvent(event);
				} catch (error) {
					// An event that has no place here. Thrown on, it would come out of a timer and end the host.
					running.unsubscribe();
					breakOff(error instanceof Error ? error.message : String(error));
				}
			},
			error: (error: unknown) =>
				breakOff(
					error instanceof Error ? error.message : String(error),
					error instanceof LedgerFailure ? "startup_failure" : "internal",
				),
			complete: () => breakOff("the run ended without an outcome"),
		});
		running.add(events);
	};

	return {
		key: runKey(spec.agentId, spec.run),
		get record() {
			return record;
		},
		watch$,
		completion$,
		closed$,
		claim,
		mailbox,
		get unheard() {
			// In its first turn it has just been told; after that it was for sure.
			return record.turns > 1 ? [] : [...(spec.unheard ?? []), spec.prompt];
		},
		get isWaiting() {
			return waiting;
		},
		get isInLine() {
			return record.status === "queued" && !waiting && !running.closed && context.admission !== undefined;
		},
		get isOver() {
			return isTerminal(record) && record.closed === "verified" && (running.closed || events?.closed === true);
		},
		start,
		withdraw: () => {
			if (record.status === "queued") running.unsubscribe();
		},
		stop,
		wrapUp: limiter.wrapUp,
		stir: () => {
			if (record.status === "running") onEvent({ type: "stirred" });
		},
		inherit: (spend) => apply({ type: "inherited", spend }),
		dispose: () => {
			lifetime.unsubscribe();
			stop$.complete();
			snapshots$.complete();
		},
	};
}
