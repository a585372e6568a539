import { type MonoTypeOperatorFunction, Observable, type Subscriber } from "rxjs";
import { type Completion, observeCompletion, tellCompletion } from "./completion.ts";
import { guarded } from "./guarded.ts";

/**
 * One run of the source and its end for everyone: the source is subscribed once, by the first subscriber, and never
 * again. When it has ended, every subscriber, early or late, gets its last value and the completion, the completion
 * alone if there was no value, or the very same error. Values before the last are not seen.
 *
 * Unsubscribing leaves, and nothing else: no waiter can cancel the source, not even the last one. So whoever starts
 * the work subscribes first and owns it; to stop the work, give the source an input that ends it. A source that never
 * ends stays subscribed.
 *
 * A subscriber that throws is reported as RxJS reports it and does not cost its siblings their notification.
 *
 * @example
 * const completion$ = run$.pipe(shareCompletion());
 * const owner = completion$.subscribe({ error: noop }); // starts the run
 * const answer = await lastValueFrom(completion$);      // the same run
 */
export function shareCompletion<T>(): MonoTypeOperatorFunction<T> {
	return (source) => {
		const waiting = new Set<Subscriber<T>>();
		let phase: "unconnected" | "pending" | Completion<T> = "unconnected";

		function settle(completion: Completion<T>): void {
			// Before anyone is told: who subscribes again from a handler must find the end, not a second connection.
			phase = completion;
			const told = [...waiting];
			waiting.clear();
			for (const subscriber of told) guarded(() => tellCompletion(completion, subscriber));
		}

		return new Observable<T>((subscriber) => {
			if (typeof phase === "object") {
				tellCompletion(phase, subscriber);
				return;
			}
			waiting.add(subscriber);
			subscriber.add(() => waiting.delete(subscriber));
			if (phase === "unconnected") {
				phase = "pending";
				// Owned by the source's own end: it must outlive every subscriber.
				void observeCompletion(source, settle);
			}
		});
	};
}
