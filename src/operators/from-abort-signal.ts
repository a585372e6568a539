import { Observable } from "rxjs";

/**
 * An abort as a stream: emits `signal.reason` itself, once, and completes when `signal` aborts. A signal that was
 * aborted earlier emits on subscription. Never errors. Each subscription is one listener, gone after the abort and
 * after unsubscribing.
 *
 * @example
 * fromAbortSignal(signal).subscribe({ next: (reason) => session.stop(reason), error: noop });
 */
export function fromAbortSignal(signal: AbortSignal): Observable<unknown> {
	return new Observable((subscriber) => {
		function onAbort(): void {
			subscriber.next(signal.reason);
			subscriber.complete();
		}
		if (signal.aborted) {
			onAbort();
			return undefined;
		}
		signal.addEventListener("abort", onAbort);
		return () => {
			signal.removeEventListener("abort", onAbort);
		};
	});
}
