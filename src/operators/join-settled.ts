import { Observable } from "rxjs";
import type { Completion } from "./completion.ts";
import { type Ends, observeCompletions } from "./observe-completions.ts";

/**
 * How several sources ended, once all have: one array in the given order, and the completion with it. Unlike `forkJoin`
 * it waits for every source whatever becomes of the others, has an error as data and by identity, has an entry for a
 * source that ended without a value, and for no sources emits `[]`.
 *
 * Never errors. All sources are subscribed at once, in order. Unsubscribing leaves those that have not ended.
 *
 * @example
 * const [first, second] = await lastValueFrom(joinSettled([a$, b$]));
 */
export function joinSettled<T>(sources: readonly Observable<T>[]): Observable<readonly Completion<T>[]> {
	return new Observable((subscriber) => {
		function tell(ends: Ends<T>): void {
			subscriber.next(ends.filter((end) => end !== undefined));
			subscriber.complete();
		}
		if (sources.length === 0) tell([]);
		observeCompletions(sources, subscriber, (ends, open) => {
			if (open === 0) tell(ends);
		});
	});
}
