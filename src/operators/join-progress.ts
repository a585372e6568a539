import { Observable } from "rxjs";
import { inOrder } from "./in-order.ts";
import { type Ends, observeCompletions } from "./observe-completions.ts";

/**
 * How far several sources have come. Emits at subscription, and then after each source's end, one array with an entry for
 * each source, in the given order: how that source ended, or `undefined` while it goes on. Completes together with the
 * last end. No sources: `[]` and the completion.
 *
 * Never errors: an error of one source is its entry, by identity, and the others go on. All sources are subscribed at
 * once, in order; those that end while that goes on are in the first emission. Each array is a new one, and an end that
 * an observer causes from its handler is told after that handler has returned. Unsubscribing leaves all sources.
 *
 * @example
 * joinProgress(jobs).subscribe({ next: (ends) => show(ends.filter((end) => end !== undefined).length), error: noop });
 */
export function joinProgress<T>(sources: readonly Observable<T>[]): Observable<Ends<T>> {
	return new Observable((subscriber) => {
		const tell = inOrder((ends: Ends<T>) => {
			subscriber.next(ends);
			if (!ends.includes(undefined)) subscriber.complete();
		});
		let latest: Ends<T> = sources.map(() => undefined);
		// How far the later ones have come is not known before all are subscribed.
		let subscribed = false;
		observeCompletions(sources, subscriber, (ends) => {
			latest = ends;
			if (subscribed) tell([...ends]);
		});
		subscribed = true;
		tell([...latest]);
	});
}
