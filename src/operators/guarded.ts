import { EMPTY, noop } from "rxjs";

/**
 * Calls `act`; what it throws is reported and goes no further. For calling into one subscriber in a row of many: RxJS
 * catches handlers that throw, but a *finalizer* that throws comes out of `next`, `error` or `complete` and would cost
 * its siblings their notification.
 */
export function guarded(act: () => void): void {
	try {
		act();
	} catch (error) {
		reportUnhandled(error);
	}
}

/**
 * As RxJS reports an observer that throws: later, to `config.onUnhandledError` or else uncaught. RxJS has no public
 * function for that, so this is an observer that throws.
 */
function reportUnhandled(error: unknown): void {
	EMPTY.subscribe({
		error: noop,
		complete: () => {
			throw error;
		},
	}).unsubscribe();
}
