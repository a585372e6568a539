import { getEventListeners } from "node:events";

/** How many listeners wait for `signal` to abort. */
export function abortListeners(signal: AbortSignal): number {
	return getEventListeners(signal, "abort").length;
}
