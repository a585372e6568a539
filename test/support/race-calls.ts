import { type Observable, Subscription } from "rxjs";
import { takeUntilAborted } from "../../src/operators/index.ts";
import { abortListeners } from "./abort.ts";
import type { RaceLog } from "./race-log.ts";

/** Calls with signals: each with one of its own, or all with the one that `Esc` aborts. */
export interface RaceCalls {
	/** `^`: follows what `start` makes of the row's call until its signal aborts. `!`: aborts that signal. */
	act(row: string, letter: string, start: () => Observable<string>): void;
	/** Writes down what a stream says. */
	follow(row: string, source$: Observable<string>, signal?: AbortSignal): Subscription;
	/** Aborts the signal that the calls without one of their own share. */
	esc(): void;
	/** The calls whose signal does not have as many listeners as calls that wait on it. */
	leaks(): string[];
	close(): void;
}

interface Call {
	readonly abort: AbortController;
	readonly followed: Subscription[];
}

/** `ownSignals`: the rows of calls that are aborted by themselves. */
export function raceCalls(log: RaceLog, ownSignals: ReadonlySet<string>): RaceCalls {
	const lifetime = new Subscription();
	const shared = new AbortController();
	const calls = new Map<string, Call>();

	function callOf(row: string): Call {
		const call = calls.get(row) ?? { abort: ownSignals.has(row) ? new AbortController() : shared, followed: [] };
		calls.set(row, call);
		return call;
	}
	function follow(row: string, source$: Observable<string>, signal?: AbortSignal): Subscription {
		const subscription = source$.pipe(takeUntilAborted(signal)).subscribe({
			next: (letter) => log.note(row, letter),
			// By identity: any other error, or a copy of the reason, is a fault.
			error: (error: unknown) => log.note(row, signal?.aborted && error === signal.reason ? "#" : "?"),
			complete: () => log.note(row, "|"),
		});
		lifetime.add(subscription);
		return subscription;
	}

	return {
		follow,
		act: (row, letter, start) => {
			const { abort, followed } = callOf(row);
			if (letter === "^") followed.push(follow(row, start(), abort.signal));
			else abort.abort(new Error(`Esc of ${row}`));
		},
		esc: () => shared.abort(new Error("Esc")),
		leaks: () => {
			const waiting = new Map<AbortSignal, number>();
			for (const { abort, followed } of calls.values()) {
				const open = followed.filter((subscription) => !subscription.closed).length;
				waiting.set(abort.signal, (waiting.get(abort.signal) ?? 0) + open);
			}
			return [...calls].flatMap(([row, { abort }]) =>
				abortListeners(abort.signal) === waiting.get(abort.signal) ? [] : [row],
			);
		},
		close: () => lifetime.unsubscribe(),
	};
}
