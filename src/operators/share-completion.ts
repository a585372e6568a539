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
		let connected = false;
		let completion: Completion<T> | undefined;

		function settle(settled: Completion<T>): void {
			// Before anyone is told: who subscribes again from a handler must find the end, and not wait for another.
			completion = settled;
			for (const subscriber of [...waiting]) guarded(() => tellCompletion(settled, subscriber));
		}

		return new Observable<T>((subscriber) => {
			if (completion !== undefined) {
				tellCompletion(completion, subscriber);
				return;
			}
			waiting.add(subscriber);
			subscriber.add(() => waiting.delete(subscriber));
			if (!connected) {
				connected = true;
				// Owned by the source's own end: it must outlive every subscriber.
				void observeCompletion(source, settle);
			}
		});
	};
}
