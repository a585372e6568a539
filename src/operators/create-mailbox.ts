import { filter, map, type Observable, Subject } from "rxjs";

/** Messages that wait for a boundary. */
export interface Mailbox<T> {
	/** How many messages have not been handed over. */
	readonly size: number;
	post(message: T): void;
	/** Emits at each post, once the message is in the box. Hot; never completes. */
	readonly posted$: Observable<void>;
	/**
	 * While subscribed: at each emission of `boundary$`, everything in the box as one batch, in the order it was posted;
	 * nothing when the box is empty. Completes and errors with `boundary$`. Unsubscribing leaves what was not handed over
	 * in the box. A batch that was emitted is out of the box, whatever the reader then does with it.
	 */
	deliver(boundary$: Observable<unknown>): Observable<readonly T[]>;
	/** Takes what was not handed over. */
	drain(): readonly T[];
}

/**
 * A box that anyone may post to at any time, before there is a reader and after. A message that is posted while a
 * batch is being handed over goes with the next boundary. Of two readers, the first to see the boundary gets the batch.
 *
 * @example
 * const mailbox = createMailbox<string>();
 * mailbox.post("look at the tests too");
 * mailbox.deliver(turnEnded$).subscribe({ next: (batch) => session.steer(batch.join("\n")), error: report });
 */
export function createMailbox<T>(): Mailbox<T> {
	const posted$ = new Subject<void>();
	let box: T[] = [];

	// The swap comes before the hand-over, so that a reader that posts finds a new box.
	function drain(): readonly T[] {
		const batch = box;
		box = [];
		return batch;
	}

	return {
		get size() {
			return box.length;
		},
		post(message) {
			box.push(message);
			posted$.next();
		},
		posted$: posted$.asObservable(),
		// Operators, and not a bare subscriber: they stop at once when a reader leaves in the middle of a synchronous
		// `boundary$`, so that no batch is taken for nobody.
		deliver: (boundary$) =>
			boundary$.pipe(
				filter(() => box.length > 0),
				map(drain),
			),
		drain,
	};
}
