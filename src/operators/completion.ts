import type { Observable, Subscriber, Subscription } from "rxjs";

/** How a stream ended, as data: with its last value, without any, or with an error. */
export type Completion<T> =
	| { readonly kind: "value"; readonly value: T }
	| { readonly kind: "empty" }
	| { readonly kind: "error"; readonly error: unknown };

/**
 * Subscribes to `source` and calls `settle` once, when it ends. An error is data here, so nothing is ever unhandled.
 * Unsubscribing the returned subscription first means that `settle` is not called.
 */
export function observeCompletion<T>(source: Observable<T>, settle: (completion: Completion<T>) => void): Subscription {
	let last: Completion<T> = { kind: "empty" };
	return source.subscribe({
		next: (value) => {
			last = { kind: "value", value };
		},
		error: (error: unknown) => {
			settle({ kind: "error", error });
		},
		complete: () => {
			settle(last);
		},
	});
}

/** Replays a completion to one subscriber: the value and the end, the end alone, or the error itself. */
export function tellCompletion<T>(completion: Completion<T>, subscriber: Subscriber<T>): void {
	switch (completion.kind) {
		case "value":
			subscriber.next(completion.value);
			subscriber.complete();
			return;
		case "empty":
			subscriber.complete();
			return;
		case "error":
			subscriber.error(completion.error);
			return;
	}
}
