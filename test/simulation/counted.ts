import { Observable } from "rxjs";

/** How many subscriptions are open, over everything that went through `count`. */
export interface SubscriptionCount {
	readonly open: number;
	count<T>(source$: Observable<T>): Observable<T>;
}

export function countSubscriptions(): SubscriptionCount {
	let open = 0;
	return {
		get open() {
			return open;
		},
		count: (source$) =>
			new Observable((subscriber) => {
				open++;
				// Before the source is subscribed: it may end at once.
				subscriber.add(() => {
					open--;
				});
				subscriber.add(source$.subscribe(subscriber));
			}),
	};
}
