import {
	asyncScheduler,
	finalize,
	type MonoTypeOperatorFunction,
	Observable,
	type SchedulerLike,
	type Subscriber,
	type Subscription,
	tap,
} from "rxjs";
import { createLine } from "./create-line.ts";
import { longestTimer } from "./longest-timer.ts";

export interface BackoffOptions {
	/**
	 * For how many milliseconds nothing more is to be asked after this error, which says for the `times`th time in a row
	 * that too much was asked; `undefined` for an error that says nothing of the kind. What it throws is the error that
	 * the subscriber gets instead.
	 */
	readonly delay: (error: unknown, times: number) => number | undefined;
	/** The source of time; real time where it is left out. */
	readonly scheduler?: SchedulerLike;
}

export interface Backoff {
	/**
	 * Subscribes the source when it may be asked, and mirrors it from then on. Unsubscribing before that leaves the line,
	 * and the source is never subscribed.
	 */
	heed<T>(): MonoTypeOperatorFunction<T>;
	/** Subscriptions in line. */
	readonly waiting: number;
}

interface Job {
	start(): void;
}

/**
 * One pause for everyone who asks the same thing, when it has told one of them that it is asked too much.
 *
 * Nobody waits until a source fails with an error that has a `delay`. Then who comes waits in line, first come, first
 * served. After the pause one is let through, and the next when that one has been answered: a source is answered when
 * it emits or completes. One that is silent holds the others up for no longer than the pause was. When one is answered
 * and nobody is in line, all is as before. Another such error begins another pause; what was asked before the first
 * pause and fails in it may make it longer.
 *
 * There is no timer while nobody waits, so there is nothing to close.
 *
 * @example
 * const backoff = createBackoff({ delay: (error, times) => (isTooMany(error) ? 1000 * 2 ** times : undefined) });
 * const answer$ = request$.pipe(backoff.heed(), retry(3)); // each of many, for one server
 */
export function createBackoff({ delay, scheduler = asyncScheduler }: BackoffOptions): Backoff {
	const line = createLine<Job>();
	let timer: Subscription | undefined;
	let timerFor = 0;
	let draining = false;
	/** Until the line is empty after an error: one at a time. */
	let careful = false;
	/** Before this time nobody is let through. */
	let until = Number.NEGATIVE_INFINITY;
	let pause = 0;
	let times = 0;
	/** How many pauses there were; an answer to what was asked before the last one is no news. */
	let pauses = 0;
	/** The last to be let through while careful, as long as it is silent. */
	let asking: object | undefined;

	function isOpen(): boolean {
		return scheduler.now() >= until;
	}

	/** A timer only while somebody waits for it, and one for all of them. */
	function arm(): void {
		if (line.size > 0 && timer !== undefined && timerFor === until) return;
		timer?.unsubscribe();
		timer = undefined;
		if (line.size === 0) return;
		timerFor = until;
		timer = scheduler.schedule(expire, Math.min(until - scheduler.now(), longestTimer));
	}

	function expire(): void {
		timer = undefined;
		drain();
	}

	/** Starts do not nest: what comes free inside one waits until that has returned. */
	function drain(): void {
		if (draining) return;
		draining = true;
		while (isOpen()) {
			const job = line.next();
			if (job === undefined) break;
			job.start();
		}
		draining = false;
		arm();
	}

	function open(): void {
		asking = undefined;
		until = Number.NEGATIVE_INFINITY;
	}

	function refused(error: unknown, since: number): void {
		const isFirst = since === pauses;
		const count = isFirst ? times + 1 : Math.max(times, 1);
		const wait = delay(error, count);
		if (wait === undefined) return;
		if (isFirst) {
			times = count;
			pauses++;
			open();
		}
		careful = true;
		pause = wait;
		until = Math.max(until, scheduler.now() + wait);
		arm();
	}

	function start<T>(source: Observable<T>, subscriber: Subscriber<T>): void {
		const since = pauses;
		const ticket = {};
		let answered = false;
		if (careful) {
			asking = ticket;
			until = scheduler.now() + pause;
		}
		function answer(): void {
			if (answered) return;
			answered = true;
			if (!careful || since !== pauses) return;
			times = 0;
			if (line.size === 0) careful = false;
			open();
			drain();
		}
		function leave(): void {
			if (asking !== ticket) return;
			open();
			drain();
		}
		source
			.pipe(tap({ next: answer, error: (error: unknown) => refused(error, since), complete: answer }), finalize(leave))
			.subscribe(subscriber);
	}

	return {
		heed: <T>() => {
			return (source: Observable<T>) =>
				new Observable<T>((subscriber) => {
					const leave = line.join({ start: () => start(source, subscriber) });
					subscriber.add(() => {
						leave();
						if (line.size === 0) arm();
					});
					drain();
				});
		},
		get waiting() {
			return line.size;
		},
	};
}
