import { type SchedulerAction, type SchedulerLike, Subscription } from "rxjs";

/** Time that stands still until it is told to go on, one action after the other. */
export interface VirtualClock {
	/** What the code under test takes for its scheduler. Milliseconds. */
	readonly scheduler: SchedulerLike;
	/** Actions of that scheduler that are still to come. */
	readonly pending: number;
	/** Schedules something of the simulated world itself; it does not count as pending. */
	after(delay: number, act: () => void): void;
	/** When the next action is due, of either kind; `undefined` when there is none. */
	readonly nextDue: number | undefined;
	/** Runs the next action: the earliest, and of those that are due together the one that was scheduled first. */
	step(): void;
}

interface Entry {
	readonly due: number;
	readonly order: number;
	readonly act: () => void;
	readonly foreign: boolean;
	live: boolean;
}

/**
 * A scheduler of its own, and not RxJS's `VirtualTimeScheduler`: that one runs everything at once, keeps what was
 * unsubscribed in its line, and sorts the whole line at each call.
 */
export function createVirtualClock(): VirtualClock {
	const heap: Entry[] = [];
	let now = 0;
	let order = 0;
	let pending = 0;

	function put(delay: number, act: () => void, foreign: boolean): Entry {
		const entry: Entry = { due: now + Math.max(0, delay), order: order++, act, foreign, live: true };
		if (foreign) pending++;
		push(heap, entry);
		return entry;
	}
	function drop(entry: Entry | undefined): void {
		if (entry === undefined || !entry.live) return;
		entry.live = false;
		if (entry.foreign) pending--;
	}
	function first(): Entry | undefined {
		while (heap[0] !== undefined && !heap[0].live) pop(heap);
		return heap[0];
	}

	function schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
		let entry: Entry | undefined;
		const action: SchedulerAction<T> = Object.assign(new Subscription(), {
			schedule: (next?: T, again = 0) => {
				drop(entry);
				if (!action.closed) entry = put(again, () => work.call(action, next), true);
				return action;
			},
		});
		action.add(() => drop(entry));
		return action.schedule(state, delay);
	}

	return {
		scheduler: { now: () => now, schedule },
		get pending() {
			return pending;
		},
		after: (delay, act) => {
			put(delay, act, false);
		},
		get nextDue() {
			return first()?.due;
		},
		step: () => {
			const entry = first();
			if (entry === undefined) return;
			pop(heap);
			now = entry.due;
			drop(entry);
			entry.act();
		},
	};
}

function before(a: Entry, b: Entry): boolean {
	return a.due === b.due ? a.order < b.order : a.due < b.due;
}

function push(heap: Entry[], entry: Entry): void {
	let at = heap.length;
	while (at > 0) {
		const above = (at - 1) >> 1;
		const parent = heap[above];
		if (parent === undefined || before(parent, entry)) break;
		heap[at] = parent;
		at = above;
	}
	heap[at] = entry;
}

function pop(heap: Entry[]): void {
	const last = heap.pop();
	if (last === undefined || heap.length === 0) return;
	let at = 0;
	for (;;) {
		const left = heap[2 * at + 1];
		const right = heap[2 * at + 2];
		const least = right !== undefined && left !== undefined && before(right, left) ? right : left;
		if (least === undefined || before(last, least)) break;
		heap[at] = least;
		at = 2 * at + (least === left ? 1 : 2);
	}
	heap[at] = last;
}
