import { lastValueFrom, type Observable } from "rxjs";
import { takeUntilAborted } from "../operators/index.ts";

export type UnlessAborted<T> =
	| { readonly aborted: false; readonly value: T | undefined }
	| { readonly aborted: true; readonly reason: unknown };

const none = { defaultValue: undefined };

/**
 * The last value of a stream that completes, `undefined` when it had none, or the signal's own reason once that has aborted; the stream is
 * unsubscribed from then. Subscribes before it returns. Other errors reject. No listener is left on any path.
 */
export async function unlessAborted<T>(
	source$: Observable<T>,
	signal: AbortSignal | undefined,
): Promise<UnlessAborted<T>> {
	try {
		return { aborted: false, value: await lastValueFrom(source$.pipe(takeUntilAborted(signal)), none) };
	} catch (error) {
		// By identity: an error of the source that comes while the signal is aborted is still an error.
		if (signal?.aborted && error === signal.reason) return { aborted: true, reason: error };
		throw error;
	}
}
