import { asyncScheduler, EMPTY, type Observable, type SchedulerLike, type Subscriber } from "rxjs";
import type { Outcome } from "../streams/outcome.ts";
import type { RunEvent } from "../streams/run-event.ts";
import type { LiveEvent } from "./child-events.ts";

/** What a run says, held to the order that `RunEvent` promises, whoever speaks and however often. */
export interface RunVoice {
	/** Nothing once settled. */
	say(event: LiveEvent): void;
	/** Once; later calls are not even asked for their outcome. */
	settle(outcome: () => Outcome): void;
	/** Once, and only when settled; completes the stream. `atRest$` says when a session that was given up rests after all. */
	close(how: "verified"): void;
	close(how: "grace_expired", atRest$: Observable<unknown>): void;
	readonly settled: boolean;
	readonly over: boolean;
}

/** How long nothing is said of what only shows that the run goes on, once something has been said; milliseconds. */
const stirPause = 1000;

export function createRunVoice(subscriber: Subscriber<RunEvent>, scheduler: SchedulerLike = asyncScheduler): RunVoice {
	let settled = false;
	let closed = false;
	let lastSaid = Number.NEGATIVE_INFINITY;
	return {
		say(event) {
			const now = scheduler.now();
			// Hundreds a second would tell nobody more than one does.
			const isIdle = event.type === "stirred" && now - lastSaid < stirPause;
			if (!settled && !isIdle) {
				lastSaid = now;
				subscriber.next(event);
			}
		},
		settle(outcome) {
			if (!settled && !subscriber.closed) {
				settled = true;
				subscriber.next({ type: "settled", outcome: outcome() });
			}
		},
		close(how: "verified" | "grace_expired", atRest$: Observable<unknown> = EMPTY) {
			if (settled && !closed) {
				closed = true;
				subscriber.next(how === "verified" ? { type: "closed", how } : { type: "closed", how, atRest$ });
				subscriber.complete();
			}
		},
		get settled() {
			return settled;
		},
		get over() {
			return closed || subscriber.closed;
		},
	};
}
