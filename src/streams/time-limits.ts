import { EMPTY, map, merge, NEVER, type Observable, type SchedulerLike, startWith, switchMap, timer } from "rxjs";
import { longestTimer } from "../operators/longest-timer.ts";
import { type LimitDecision, softPart } from "./limits.ts";
import type { RunLimits } from "./ports.ts";

/**
 * What the clock asks for while a run is under way: to wrap up when its time is nearly over, to stop when it is, and to
 * stop when none of `events$` has come for `idleTimeout` seconds. Those that are true begin a wait in which none has to
 * come: until the next one there is no silence. Time counts from the subscription. Never completes by itself where there
 * is an `idleTimeout`; unsubscribing clears the timers. Errors with `events$`.
 */
export function timeLimits(
	{ runTimeout, idleTimeout }: RunLimits,
	events$: Observable<boolean>,
	scheduler: SchedulerLike,
): Observable<LimitDecision> {
	const total$ =
		runTimeout === undefined
			? EMPTY
			: merge(
					wait(runTimeout * 1000 * softPart, scheduler).pipe(map((): LimitDecision => ({ wrapUp: "time" }))),
					wait(runTimeout * 1000, scheduler).pipe(map((): LimitDecision => ({ status: "aborted", reason: "timeout" }))),
				);
	const idle$ =
		idleTimeout === undefined
			? EMPTY
			: events$.pipe(
					startWith(false),
					switchMap((waits) => (waits ? NEVER : wait(idleTimeout * 1000, scheduler))),
					map((): LimitDecision => ({ status: "aborted", reason: "idle_timeout" })),
				);
	return merge(total$, idle$);
}

/** Emits once, that many milliseconds later, however many those are. */
function wait(milliseconds: number, scheduler: SchedulerLike): Observable<unknown> {
	if (milliseconds <= longestTimer) return timer(milliseconds, scheduler);
	return timer(longestTimer, scheduler).pipe(switchMap(() => wait(milliseconds - longestTimer, scheduler)));
}
