import { Observable, type Subscriber } from "rxjs";
import { guarded } from "./guarded.ts";

/** A value that changes and tells. */
export interface StateFeed<S> {
	readonly current: S;
	/**
	 * The current state, then each change, each subscriber seeing them in the order they happened, also when an observer
	 * causes the next change from its handler. Completes after a last state. Never errors.
	 */
	readonly state$: Observable<S>;
	/** Changes `current` at once; observers hear of it at the next `flush`. */
	put(next: S): void;
	/** Tells observers what they have not heard. From inside a telling it does nothing: that one goes on to the end. */
	flush(): void;
}

/**
 * A state with observers that may change it. Every emission, the first one of a subscription included, goes through
 * one queue, so no observer is called from inside its own handler. A change is told to those who were subscribed when
 * it happened; who comes later starts with a state that includes it.
 */
export function createStateFeed<S>(first: S, isLast: (state: S) => boolean): StateFeed<S> {
	const observers = new Set<Subscriber<S>>();
	const untold: { readonly state: S; readonly audience: readonly Subscriber<S>[] }[] = [];
	let telling = false;

	function tell(state: S, subscriber: Subscriber<S>): void {
		subscriber.next(state);
		if (isLast(state)) subscriber.complete();
	}

	function flush(): void {
		if (telling) return;
		telling = true;
		for (let change = untold.shift(); change !== undefined; change = untold.shift()) {
			const { state, audience } = change;
			for (const subscriber of audience) guarded(() => tell(state, subscriber));
		}
		telling = false;
	}

	// Without an accessor, which would make the object several times as large: there is one for each result.
	const feed: StateFeed<S> & { current: S } = {
		current: first,
		state$: new Observable((subscriber) => {
			observers.add(subscriber);
			subscriber.add(() => observers.delete(subscriber));
			untold.push({ state: feed.current, audience: [subscriber] });
			flush();
		}),
		put(next) {
			feed.current = next;
			untold.push({ state: next, audience: [...observers] });
		},
		flush,
	};
	return feed;
}
