import {
	finalize,
	type MonoTypeOperatorFunction,
	noop,
	Observable,
	type Subscriber,
	Subscription,
	take,
	tap,
} from "rxjs";
import { AdmissionClosed } from "./admission-closed.ts";
import { createLine } from "./create-line.ts";
import { guarded } from "./guarded.ts";

export interface AdmissionOptions {
	/**
	 * How many may run at once: the latest number counts, before the first one it is 0. Raising it starts who waits;
	 * lowering it stops nothing that runs; 0 pauses. When it completes or errors, the last number stays.
	 */
	readonly limit$: Observable<number>;
}

export interface AdmitOptions {
	/**
	 * How long a slot stays taken after the consumer has left a running source early: until this emits, completes or
	 * errors. Subscribed only then, just before the source is torn down, so it sees what the teardown sets off; it must
	 * also come if what it waits for was over before. Without it the slot is free right after the teardown.
	 */
	readonly occupied$?: Observable<unknown>;
}

export interface Admission {
	/**
	 * Each subscription of the admitted source stands in line, first come, first served; a free slot subscribes the
	 * source, which is then mirrored. Unsubscribing while in line leaves the line, and the source is never subscribed.
	 */
	admit<T>(options?: AdmitOptions): MonoTypeOperatorFunction<T>;
	/**
	 * Calls `act`, and starts nobody before it has returned: all who come meanwhile stand in line before the first of them
	 * starts. What `act` throws is thrown on when the others have started.
	 */
	together(act: () => void): void;
	/** Slots that are taken, those held by `occupied$` included. */
	readonly running: number;
	/** Subscriptions in line. */
	readonly waiting: number;
	/**
	 * Ends the admission; its owner calls it. Unsubscribes `limit$` and every `occupied$`; who stands in line, and who
	 * comes later, gets the error `AdmissionClosed`; what runs goes on. Closing again does nothing.
	 */
	close(): void;
}

interface Job {
	start(): void;
	refuse(error: AdmissionClosed): void;
}

/**
 * A line in front of a limited number of slots. The slot of a source that completes or errors is free after the
 * source's own teardown. `limit$` is subscribed at once and until `close`: whoever creates the admission owns it.
 *
 * Starts never nest: a source that is subscribed from inside another one's start, or freed by one that ends at once,
 * waits until that start has returned. So a line of any length runs in constant stack depth, in order.
 *
 * @example
 * const admission = createAdmission({ limit$: of(4) });
 * jobs.map((job$) => job$.pipe(admission.admit()).subscribe(observer)); // at most four at once
 */
export function createAdmission({ limit$ }: AdmissionOptions): Admission {
	const line = createLine<Job>();
	const owned = new Subscription();
	let limit = 0;
	let running = 0;
	/** Whether a start is under way, or starts are put off: whoever has set it looks at the line again at the end. */
	let draining = false;

	function drain(): void {
		if (draining) return;
		draining = true;
		while (running < limit) {
			const job = line.next();
			if (job === undefined) break;
			running++;
			job.start();
		}
		draining = false;
	}

	function together(act: () => void): void {
		if (draining) {
			act();
			return;
		}
		draining = true;
		try {
			act();
		} finally {
			draining = false;
			drain();
		}
	}

	function release(): void {
		running--;
		drain();
	}

	function start<T>(
		source: Observable<T>,
		subscriber: Subscriber<T>,
		occupied$: Observable<unknown> | undefined,
	): void {
		let ended = false;
		let holds = 1;
		function markEnd(): void {
			ended = true;
		}
		function letGo(): void {
			holds--;
			if (holds === 0) release();
		}
		// Stands before the source's teardown in the subscriber's finalizers, and `finalize` below stands after it.
		subscriber.add(() => {
			if (ended || occupied$ === undefined) return;
			holds++;
			owned.add(occupied$.pipe(take(1), finalize(letGo)).subscribe({ error: noop }));
		});
		source.pipe(tap({ error: markEnd, complete: markEnd }), finalize(letGo)).subscribe(subscriber);
	}

	function admit<T>({ occupied$ }: AdmitOptions = {}): MonoTypeOperatorFunction<T> {
		return (source) =>
			new Observable<T>((subscriber) => {
				function refuse(error: AdmissionClosed): void {
					subscriber.error(error);
				}
				if (owned.closed) {
					refuse(new AdmissionClosed());
					return;
				}
				subscriber.add(line.join({ start: () => start(source, subscriber, occupied$), refuse }));
				drain();
			});
	}

	function close(): void {
		// Held slots come free here, and must find nobody to start.
		limit = 0;
		owned.unsubscribe();
		for (let job = line.next(); job !== undefined; job = line.next()) {
			const { refuse } = job;
			guarded(() => refuse(new AdmissionClosed()));
		}
	}

	owned.add(
		limit$.subscribe({
			next: (value) => {
				limit = value;
				drain();
			},
			error: noop,
		}),
	);

	return {
		admit,
		together,
		close,
		get running() {
			return running;
		},
		get waiting() {
			return line.size;
		},
	};
}
