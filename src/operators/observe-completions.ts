import type { Observable, Subscriber } from "rxjs";
import { type Completion, observeCompletion } from "./completion.ts";

/** How each of several sources ended, in their order; `undefined` for those that go on. */
export type Ends<T> = readonly (Completion<T> | undefined)[];

/**
 * Subscribes all `sources`, in order, and calls `onEnd` after each end with how far they have come and how many go on.
 * Unsubscribing `subscriber` leaves those that go on, and subscribes no further ones. The array changes with each end.
 */
export function observeCompletions<T>(
	sources: readonly Observable<T>[],
	subscriber: Subscriber<unknown>,
	onEnd: (ends: Ends<T>, open: number) => void,
): void {
	const ends = sources.map((): Completion<T> | undefined => undefined);
	let open = sources.length;
	sources.forEach((source, index) => {
		if (subscriber.closed) return;
		subscriber.add(
			observeCompletion(source, (end) => {
				ends[index] = end;
				open--;
				onEnd(ends, open);
			}),
		);
	});
}
