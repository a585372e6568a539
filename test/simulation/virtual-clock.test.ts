import {
	concat,
	debounceTime,
	interval,
	type Observable,
	observeOn,
	of,
	type SchedulerLike,
	take,
	takeUntil,
	throttleTime,
	timer,
	VirtualAction,
	VirtualTimeScheduler,
} from "rxjs";
import { describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

/** What a stream emits, with the time of each emission. */
function emissions(scheduler: SchedulerLike, source$: Observable<unknown>, run: () => void): string[] {
	const seen: string[] = [];
	const watching = source$.subscribe({
		next: (value) => seen.push(`${value}@${scheduler.now()}`),
		error: (error: unknown) => seen.push(`error ${String(error)}`),
		complete: () => seen.push(`end@${scheduler.now()}`),
	});
	run();
	watching.unsubscribe();
	return seen;
}

function runAll(clock: VirtualClock): void {
	while (clock.nextDue !== undefined) clock.step();
}

describe("the virtual clock", () => {
	it("runs timers at their time, and leaves none behind", () => {
		const clock = createVirtualClock();
		expect(emissions(clock.scheduler, timer(250, clock.scheduler), () => runAll(clock))).toEqual(["0@250", "end@250"]);
		expect(clock.pending).toBe(0);
	});

	it("runs actions that schedule themselves again", () => {
		const clock = createVirtualClock();
		expect(emissions(clock.scheduler, interval(10, clock.scheduler).pipe(take(3)), () => runAll(clock))).toEqual([
			"0@10",
			"1@20",
			"2@30",
			"end@30",
		]);
		expect(clock.pending).toBe(0);
	});

	it("runs what operators make of it as RxJS's own virtual time does", () => {
		const made = (scheduler: SchedulerLike): Observable<unknown> =>
			concat(
				interval(10, scheduler).pipe(take(6), throttleTime(25, scheduler, { leading: true, trailing: true })),
				of("a", "b").pipe(observeOn(scheduler, 5)),
				timer(0, 7, scheduler).pipe(debounceTime(7, scheduler), take(2), takeUntil(timer(40, scheduler))),
			);
		const clock = createVirtualClock();
		const theirs = new VirtualTimeScheduler(VirtualAction);
		expect(emissions(clock.scheduler, made(clock.scheduler), () => runAll(clock))).toEqual(
			emissions(theirs, made(theirs), () => theirs.flush()),
		);
		expect(clock.pending).toBe(0);
	});

	it("does not run what was unsubscribed, and does not count it", () => {
		const clock = createVirtualClock();
		const timers = [5, 1, 3].map((due) => timer(due, clock.scheduler).subscribe({ error: () => undefined }));
		expect(clock.pending).toBe(3);
		timers[1]?.unsubscribe();
		expect(clock.pending).toBe(2);
		expect(clock.nextDue).toBe(3);
	});

	it("runs what is due together in the order of its making, whatever the number", () => {
		const clock = createVirtualClock();
		const seen: number[] = [];
		const dues = Array.from({ length: 200 }, (_, index) => (index * 7) % 13);
		dues.forEach((due, index) => clock.after(due, () => seen.push(index)));
		runAll(clock);
		const wanted = dues.map((_, index) => index).sort((a, b) => (dues[a] ?? 0) - (dues[b] ?? 0) || a - b);
		expect(seen).toEqual(wanted);
		expect(clock.pending).toBe(0);
	});
});
