import {
	distinctUntilChanged,
	EMPTY,
	filter,
	map,
	merge,
	type Observable,
	type SchedulerLike,
	scan,
	startWith,
	switchMap,
	timer,
} from "rxjs";

/** What the parent session is doing, as far as a result that wants to reach it is concerned. */
export type ParentActivity =
	/** A run is under way or being prepared, or the conversation is being compacted. */
	| "busy"
	/** Nothing is going on: a message may start a turn. */
	| "idle"
	/** A person is being asked something, or has just pressed Enter: a turn of ours would get in the way. */
	| "prompting"
	/** Idle, but a turn of ours is unwanted until the person says something (an Esc, a failed turn, a restart). */
	| "muted"
	/** The session has been replaced or has ended: nothing reaches it any more. */
	| "replaced";

/** The facts behind the activity. `muted` is a property of the session, the rest is what goes on in it. */
export interface ParentState {
	readonly running: boolean;
	readonly compacting: boolean;
	/** Dialogs that wait for the person. */
	readonly dialogs: number;
	/** A message is in its `input` or `before_agent_start` handlers and no run has begun for it. */
	readonly inputPending: boolean;
	readonly muted: boolean;
	/** The session is muted by an abort of this very moment, which may turn out to be a compaction's. */
	readonly justAborted: boolean;
	readonly replaced: boolean;
}

/** What the host tells of its session. `agent_end` is not among them: it does not say that a run is over. */
export type ParentEvent =
	| { readonly type: "session_started"; readonly muted: boolean }
	| { readonly type: "input_received" }
	| { readonly type: "input_expired" }
	| { readonly type: "prompt_accepted"; readonly by: "user" | "message" }
	| { readonly type: "run_started" }
	| { readonly type: "run_settled"; readonly how: "done" | "aborted" | "failed" }
	| { readonly type: "abort_expired" }
	| { readonly type: "dialog_opened" }
	| { readonly type: "dialog_closed" }
	| { readonly type: "compaction_started" }
	| { readonly type: "compaction_ended" }
	| { readonly type: "session_replaced" };

/** A session of which nothing is known yet. */
export const initialParentState: ParentState = {
	running: false,
	compacting: false,
	dialogs: 0,
	inputPending: false,
	muted: false,
	justAborted: false,
	replaced: false,
};

/** The parent's state after an event. `session_started` may come twice, and then changes nothing but what it says. */
export function reduceParent(state: ParentState, event: ParentEvent): ParentState {
	const next = step(state, event);
	// The next event says whose abort it was; whatever else comes, it was an Esc.
	return event.type === "run_settled" || !next.justAborted ? next : { ...next, justAborted: false };
}

function step(state: ParentState, event: ParentEvent): ParentState {
	switch (event.type) {
		case "session_started":
			return { ...initialParentState, muted: event.muted };
		case "input_received":
			return { ...state, inputPending: true };
		case "input_expired":
			return { ...state, inputPending: false };
		case "prompt_accepted":
			// Not yet a run: what follows can still fail. The mark expires like that of an input.
			return { ...state, inputPending: true, muted: event.by === "user" ? false : state.muted };
		case "run_started":
			// No run begins while the conversation is compacted: a compaction whose end was not told is over.
			return { ...state, running: true, inputPending: false, compacting: false };
		case "run_settled": {
			// A compaction aborts the run that it interrupts: that is nobody's Esc.
			const aborted = event.how === "aborted" && !state.compacting;
			const justAborted = aborted && !state.muted;
			return { ...state, running: false, muted: state.muted || aborted || event.how === "failed", justAborted };
		}
		case "dialog_opened":
			return { ...state, dialogs: state.dialogs + 1 };
		case "dialog_closed":
			return { ...state, dialogs: Math.max(0, state.dialogs - 1) };
		case "compaction_started":
			// A person's compaction first aborts the run, and is told when that has settled.
			return { ...state, compacting: true, muted: state.muted && !state.justAborted };
		case "compaction_ended":
			return { ...state, compacting: false };
		case "abort_expired":
			return state;
		case "session_replaced":
			return { ...state, replaced: true };
	}
}

/** The activity that a state amounts to. */
export function parentActivity(state: ParentState): ParentActivity {
	if (state.replaced) return "replaced";
	if (state.running || state.compacting) return "busy";
	if (state.inputPending || state.dialogs > 0) return "prompting";
	return state.muted ? "muted" : "idle";
}

/** How long a message may stay in its handlers before it counts as swallowed by one of them, in milliseconds. */
export const inputExpiry = 10_000;
/** How long a compaction is waited for on hosts that do not say when one fails, in milliseconds. */
export const compactionExpiry = 300_000;
/** How long after an abort a compaction that begins is taken for its reason, in milliseconds. Fingers are not as fast. */
export const abortExpiry = 500;

/**
 * The parent's activity from what its host tells: the current one on subscription, then each change. Marks that a host
 * may never take back (an input that another extension swallowed, a failed compaction) expire on the scheduler's clock.
 * Completes and errors with the source; unsubscribing ends the timers.
 */
export function parentActivity$(
	events$: Observable<ParentEvent>,
	scheduler: SchedulerLike,
): Observable<ParentActivity> {
	const expiries$ = merge(
		expiry(events$, ["input_received", "prompt_accepted"], ["run_started"], inputExpiry, "input_expired", scheduler),
		expiry(
			events$,
			["compaction_started"],
			["compaction_ended", "run_started"],
			compactionExpiry,
			"compaction_ended",
			scheduler,
		),
		expiry(
			events$.pipe(filter((event) => event.type !== "run_settled" || event.how === "aborted")),
			["run_settled"],
			["compaction_started", "input_received", "run_started"],
			abortExpiry,
			"abort_expired",
			scheduler,
		),
	);
	// The expiries subscribe to the source first: a mark's timer is set before anybody acts on the mark.
	return merge(expiries$, events$).pipe(
		scan(reduceParent, initialParentState),
		startWith(initialParentState),
		map(parentActivity),
		distinctUntilChanged(),
	);
}

/** Emits `expired` when none of `ended` has come `after` milliseconds since the last of `begun`. */
function expiry(
	events$: Observable<ParentEvent>,
	begun: readonly ParentEvent["type"][],
	ended: readonly ParentEvent["type"][],
	after: number,
	expired: "input_expired" | "compaction_ended" | "abort_expired",
	scheduler: SchedulerLike,
): Observable<ParentEvent> {
	return events$.pipe(
		filter(({ type }) => begun.includes(type) || ended.includes(type) || type === "session_replaced"),
		switchMap(({ type }) =>
			begun.includes(type) ? timer(after, scheduler).pipe(map(() => ({ type: expired }) as const)) : EMPTY,
		),
	);
}
