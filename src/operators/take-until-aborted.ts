import { identity, type MonoTypeOperatorFunction, map, takeUntil } from "rxjs";
import { fromAbortSignal } from "./from-abort-signal.ts";

/**
 * Mirrors the source until `signal` aborts, then unsubscribes from it and errors with `signal.reason` itself: the same
 * object, and also a reason that is no `Error`. "Was it our abort" is `signal.aborted && error === signal.reason`.
 *
 * Put it last in the pipe: an operator after it, such as `mergeMap`, would go on with what it has already taken.
 * - A signal that was aborted earlier: the source is never subscribed.
 * - No signal: the source itself is returned.
 * - In one frame, what comes first counts. An abort from *inside* an emission counts at that instant: a value whose
 *   making aborts the signal (upstream) is dropped, a value whose handling aborts it (downstream) was delivered.
 * - Unsubscribing, completion and error of the source remove the listener.
 *
 * It makes waiting abortable, not work: a run that takes time to stop is told through an input, not by unsubscribing.
 *
 * @example
 * await firstValueFrom(claim$.pipe(takeUntilAborted(signal))); // rejects with signal.reason
 */
export function takeUntilAborted<T>(signal: AbortSignal | undefined): MonoTypeOperatorFunction<T> {
	if (signal === undefined) return identity;
	// A notifier that errors makes `takeUntil` forward that error as it is.
	const aborted$ = fromAbortSignal(signal).pipe(
		map((reason) => {
			throw reason;
		}),
	);
	return takeUntil(aborted$);
}
