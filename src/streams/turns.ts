import {
	catchError,
	concatMap,
	defer,
	EMPTY,
	ignoreElements,
	Observable,
	ReplaySubject,
	Subject,
	Subscription,
	tap,
} from "rxjs";
import { guarded } from "../operators/guarded.ts";

/** Acts that take time and must not overlap: one after another, in the order of their subscriptions. */
export interface Turns {
	/**
	 * Does `act` when everything before it is over, and passes on what it says. Cold. Unsubscribing before its turn leaves
	 * it out; afterwards it is done to its end all the same, and `wanted` tells it that nobody listens any more. Errors
	 * with `TurnsClosed` once closed.
	 */
	take<T>(act: (wanted: () => boolean) => Observable<T>): Observable<T>;
	/** Takes no more; completes when those that were taken are over. Starts at once, and may be called again. */
	close(): Observable<never>;
}

export class TurnsClosed extends Error {
	override readonly name = "TurnsClosed";
}

/** Turns of its own owner, who closes them. */
export function createTurns(): Turns {
	const waiting$ = new Subject<Observable<never>>();
	const over$ = new ReplaySubject<never>(0);
	let closed = false;
	// Each turn catches its own errors, so this never ends before it is told to.
	const working = new Subscription();
	working.add(waiting$.pipe(concatMap((turn$) => turn$)).subscribe(over$));

	return {
		take: <T>(act: (wanted: () => boolean) => Observable<T>) =>
			new Observable<T>((subscriber) => {
				if (closed) {
					subscriber.error(new TurnsClosed("It is closed."));
					return;
				}
				const wanted = () => !subscriber.closed;
				const turn$ = defer(() => (wanted() ? act(wanted) : EMPTY)).pipe(
					// A listener that throws must not cost the others their turn.
					tap({
						next: (value) => guarded(() => subscriber.next(value)),
						error: (error: unknown) => guarded(() => subscriber.error(error)),
						complete: () => guarded(() => subscriber.complete()),
					}),
					ignoreElements(),
					catchError(() => EMPTY),
				);
				waiting$.next(turn$);
			}),
		close: () => {
			closed = true;
			waiting$.complete();
			return over$.asObservable();
		},
	};
}
