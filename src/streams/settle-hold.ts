import {
	auditTime,
	defer,
	EMPTY,
	endWith,
	filter,
	ignoreElements,
	map,
	merge,
	mergeMap,
	NEVER,
	type Observable,
	of,
	type SchedulerLike,
	take,
	tap,
	timer,
} from "rxjs";
import { longestTimer } from "../operators/longest-timer.ts";
import type { Agents } from "./agents.ts";
import type { Outbox, Route } from "./outbox.ts";
import type { Note } from "./ports.ts";
import { isTerminal } from "./record.ts";

/** Results for a run that wanted to settle. */
export interface Offer {
	readonly note: Note;
	/** How they are to go. */
	readonly route: Route;
	/** The time of the hold is over, and what was still at work has been stopped: nothing is offered after this. */
	readonly last: boolean;
}

/** Keeps the run of a session that ends with its answer from settling while agents are at work. */
export interface SettleHold {
	/**
	 * What the run that is about to settle has to go on with: emits once as soon as a result is ready, then completes, and
	 * completes alone when nothing is left to come. A step later than the settlement, so that results that settle together
	 * are one note. When the hold's time is over it stops what remains, and emits when that has ended. Unsubscribing
	 * waits no longer and stops nothing. Never errors. Cold: subscribed once at each boundary.
	 */
	readonly next$: Observable<Offer>;
	/** The run has settled: the next one has the whole time again. */
	settled(): void;
}

/** What a hold needs from outside. */
export interface SettleHoldOptions {
	readonly agents: Pick<Agents, "list" | "changes$" | "stop">;
	readonly outbox: Pick<Outbox, "take">;
	/** In the order in which they are tried; one that yields nothing leaves what is held to the next. */
	readonly routes: readonly Route[];
	/** How long all boundaries of one run together may wait, in milliseconds; counted from the first. Without it: for ever. */
	readonly holdTime?: number;
	/** Called when that time is over and something is still at work, before it is stopped. */
	readonly onOverdue?: () => void;
	readonly scheduler: SchedulerLike;
}

export function createSettleHold(options: SettleHoldOptions): SettleHold {
	const { agents, outbox, scheduler } = options;
	let deadline: number | undefined;
	let overdue = false;
	/** After the last offer a model that goes on starting agents is not waited for again. */
	let over = false;

	const atWork = () => agents.list().filter((record) => !isTerminal(record));
	const takeNext = (): Offer | undefined => {
		for (const route of options.routes) {
			const note = outbox.take(route);
			if (note) return { note, route, last: overdue };
		}
		return undefined;
	};
	/** `undefined`: neither; there is something to wait for. */
	const look = (): Offer | "nothing" | undefined => {
		const waits = atWork().length > 0;
		// Once the time is over everything goes as one: there is one more request, and no other.
		if (overdue && waits) return undefined;
		return takeNext() ?? (waits ? undefined : "nothing");
	};

	const stopRest = (): Observable<unknown> => {
		const rest = atWork().map(({ agentId }) => agentId);
		overdue = true;
		if (rest.length === 0) return EMPTY;
		options.onOverdue?.();
		return agents.stop(rest, { status: "stopped", reason: "parent_shutdown" });
	};

	const untilDue = (): Observable<unknown> => {
		if (options.holdTime === undefined) return NEVER;
		deadline ??= scheduler.now() + options.holdTime;
		return timer(Math.min(Math.max(0, deadline - scheduler.now()), longestTimer), scheduler);
	};

	const next$ = defer(() => {
		if (over) return EMPTY;
		const due$ = untilDue().pipe(mergeMap(stopRest), ignoreElements());
		const found$ = merge(of(undefined), agents.changes$.pipe(filter(isTerminal))).pipe(
			auditTime(0, scheduler),
			map(look),
			filter((found) => found !== undefined),
			// The session's end: nothing comes any more.
			endWith("nothing" as const),
		);
		return merge(due$, found$).pipe(
			take(1),
			tap(() => {
				over = overdue;
			}),
			filter((found) => found !== "nothing"),
		);
	});

	return {
		next$,
		settled: () => {
			deadline = undefined;
			overdue = false;
			over = false;
		},
	};
}
