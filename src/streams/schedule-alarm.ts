import { type SchedulerLike, Subscription, timer } from "rxjs";

/** One timer for the earliest of many times. */
export interface ScheduleAlarm {
	/** Looks for the earliest time anew, and sets the timer for it or takes it away. */
	set(): void;
	/** Does not ring before this instant, whatever the times say. */
	hold(until: number): void;
	close(): void;
}

/**
 * The longest timer, in milliseconds. The clock may jump and the machine may sleep, and no timer hears of that: within
 * this time it is noticed. It also is far below the 2^31 ms beyond which timers fire at once.
 */
export const longestTimer = 5 * 60_000;

/** Calls `ring` when `earliest()` has come. While there is no time it has no timer. */
export function createScheduleAlarm(
	earliest: () => number | undefined,
	ring: () => void,
	scheduler: SchedulerLike,
): ScheduleAlarm {
	let armed = Subscription.EMPTY;
	let notBefore = 0;
	let closed = false;

	function arm(due: number): void {
		const delay = Math.max(due - scheduler.now(), 0);
		armed = timer(Math.min(delay, longestTimer), scheduler).subscribe({
			// The clock is asked again: the timer may have been one of several on the way, or early by a millisecond.
			next: () => (due > scheduler.now() ? arm(due) : ring()),
			error: () => undefined,
		});
	}

	function set(): void {
		armed.unsubscribe();
		const next = earliest();
		if (!closed && next !== undefined) arm(Math.max(next, notBefore));
	}

	return {
		set,
		hold: (until) => {
			notBefore = until;
		},
		close: () => {
			closed = true;
			armed.unsubscribe();
		},
	};
}
