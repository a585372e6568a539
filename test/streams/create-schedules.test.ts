import { EMPTY, type Observable, of, Subscription, takeUntil, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type ScheduleReceipt, ScheduleRefused, type ScheduleRequest } from "../../src/streams/index.ts";
import { clockAt, newDisk, scheduleWorld, type World } from "../support/schedules-fixture.ts";

const job = (text: string): ScheduleRequest<string> => ({ text, job: "look", description: "a look" });

/** What an answer is, which must be there at once: nothing in these tests takes time. */
function answer<T>(answer$: Observable<T>): T {
	const got: T[] = [];
	let failed: unknown;
	const asking = answer$.subscribe({
		next: (value) => got.push(value),
		error: (error: unknown) => {
			failed = error;
		},
	});
	asking.unsubscribe();
	if (failed !== undefined) throw failed;
	const [first] = got;
	if (first === undefined || got.length > 1) throw new Error(`${got.length} answers`);
	return first;
}

const add = (world: World, text: string): ScheduleReceipt => answer(world.schedules.add(job(text)));
const endAll = (world: World): void => {
	for (const one of world.started) one.end();
};

describe("a schedule", () => {
	it("is told in words with its next three times, and is written before the receipt", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		expect(add(world, "0 9 * * MON-FRI")).toEqual({
			scheduleId: "s-one1",
			words: "at 09:00 on Monday to Friday (Europe/Berlin)",
			next: ["Tue 2026-12-01 09:00 UTC+01:00", "Wed 2026-12-02 09:00 UTC+01:00", "Thu 2026-12-03 09:00 UTC+01:00"],
			sessionOnly: false,
		});
		expect(disk.entries).toMatchObject([
			{ scheduleId: "s-one1", job: "look", next: Date.parse("2026-12-01T08:00:00Z") },
		]);
	});

	it("starts its job at each of its times, and says of each which it was", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock, start: () => of("agent1") });
		add(world, "2h");
		clock.until("2026-11-30T22:30:00Z");
		expect(world.schedules.list()).toMatchObject([
			{ fired: 3, last: { at: Date.parse("2026-11-30T22:00:00Z"), started: "agent1" }, running: false },
		]);
	});

	it("runs for a year of a pattern, each time once and on time through both clock changes", () => {
		const clock = clockAt("2026-01-01T00:00:00Z");
		const fires: number[] = [];
		const world = scheduleWorld({
			clock,
			start: (_job, { at }) => {
				fires.push(at - clock.now);
				return of("agent1");
			},
		});
		add(world, "30 2 * * *");
		clock.until("2027-01-01T00:00:00Z");
		expect(fires).toHaveLength(365);
		expect(new Set(fires)).toEqual(new Set([0]));
	});

	it("of 30 days neither fires at once nor drifts, also when each of its timers is late", () => {
		const clock = clockAt("2026-01-01T00:00:00Z");
		const world = scheduleWorld({ clock });
		add(world, "30d");
		clock.until("2026-01-30T23:59:59Z");
		expect(world.times()).toEqual([]);
		clock.jump(2_500);
		clock.until("2026-01-31T00:10:00Z");
		endAll(world);
		clock.until("2026-03-02T00:10:00Z");
		expect(world.times()).toEqual(["2026-01-31T00:00:00.000Z", "2026-03-02T00:00:00.000Z"]);
	});

	it("of one time in 60 days waits for it, fires once and is gone", () => {
		const clock = clockAt("2026-01-01T00:00:00Z");
		const world = scheduleWorld({ clock });
		add(world, "+60d");
		clock.until("2026-03-01T23:59:59Z");
		expect(world.times()).toEqual([]);
		clock.until("2026-04-30T00:00:00Z");
		expect(world.times()).toEqual(["2026-03-02T00:00:00.000Z"]);
		expect(world.schedules.list()).toEqual([]);
	});

	it("is written with its next time before its job is started", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const seen: unknown[] = [];
		const world = scheduleWorld({
			clock,
			disk,
			start: () => {
				seen.push(disk.entries.map(({ next, starting }) => ({ next, starting })));
				return of("agent1");
			},
		});
		add(world, "1h");
		clock.until("2026-11-30T17:00:00Z");
		expect(seen).toEqual([
			[{ next: Date.parse("2026-11-30T18:00:00Z"), starting: Date.parse("2026-11-30T17:00:00Z") }],
		]);
		expect(disk.entries[0]?.starting).toBeUndefined();
	});

	it("starts nothing while it cannot be written, says so once, and makes up for it when it can", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		add(world, "1h");
		disk.fault = "disk full";
		clock.until("2026-11-30T17:05:00Z");
		expect(world.times()).toEqual([]);
		expect(world.said).toEqual(["Schedules cannot be written: disk full Nothing is started before that works."]);
		disk.fault = undefined;
		clock.until("2026-11-30T17:06:00Z");
		expect(world.times()).toEqual(["2026-11-30T17:00:00.000Z"]);
	});

	it("does not overlap with itself: a time during its own job is counted and said once", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		add(world, "1h");
		clock.until("2026-11-30T19:30:00Z");
		expect(world.times()).toHaveLength(1);
		expect(world.schedules.list()).toMatchObject([{ fired: 1, skipped: 2, running: true }]);
		expect(world.said).toHaveLength(1);
		expect(world.said[0]).toContain("still at work");
		endAll(world);
		clock.until("2026-11-30T20:30:00Z");
		expect(world.times()).toEqual(["2026-11-30T17:00:00.000Z", "2026-11-30T20:00:00.000Z"]);
	});

	it("goes on after a start that was refused, and says why", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		let refuse = true;
		const world = scheduleWorld({
			clock,
			start: () => (refuse ? throwError(() => new Error("maxAgents is reached.")) : of("agent1")),
		});
		add(world, "1h");
		clock.until("2026-11-30T17:00:00Z");
		expect(world.said).toEqual(["Schedule s-one1 (a look): maxAgents is reached."]);
		expect(world.schedules.list()).toMatchObject([{ fired: 0, last: { problem: "maxAgents is reached." } }]);
		refuse = false;
		clock.until("2026-11-30T18:00:00Z");
		expect(world.schedules.list()).toMatchObject([{ fired: 1, last: { started: "agent1" } }]);
	});

	it("survives a start that throws, and one that says nothing", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		let starts = 0;
		const world = scheduleWorld({
			clock,
			start: () => {
				starts++;
				if (starts === 1) throw new Error("thrown");
				return starts === 2 ? EMPTY : of("agent1");
			},
		});
		add(world, "1h");
		clock.until("2026-11-30T19:00:00Z");
		expect(starts).toBe(3);
		expect(world.schedules.list()).toMatchObject([{ fired: 1 }]);
	});
});

describe("the timer", () => {
	it("is not there while there are no schedules, and gone with the last of them", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		expect(clock.timers).toBe(0);
		const { scheduleId } = add(world, "1h");
		expect(clock.pending()).toBe(1);
		answer(world.schedules.pause(scheduleId));
		expect(clock.pending()).toBe(0);
		answer(world.schedules.resume(scheduleId));
		expect(clock.pending()).toBe(1);
		answer(world.schedules.cancel(scheduleId));
		expect(clock.pending()).toBe(0);
	});

	it("notices within five minutes that the machine has slept, and starts what is a few minutes late", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		add(world, "1h");
		clock.until("2026-11-30T16:30:00Z");
		clock.jump(33 * 60_000);
		clock.until("2026-11-30T17:08:00Z");
		expect(world.times()).toEqual(["2026-11-30T17:00:00.000Z"]);
		expect(world.said).toEqual([]);
	});

	it.each([
		["skip", []],
		["once", ["2026-11-30T17:00:00.000Z"]],
	] as const)("takes what passed hours ago, while the machine slept, for missed (%s)", (missed, times) => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock, missed });
		add(world, "1h");
		clock.until("2026-11-30T16:30:00Z");
		clock.jump(5 * 3_600_000);
		clock.until("2026-11-30T21:40:00Z");
		expect(world.times()).toEqual(times);
		endAll(world);
		clock.until("2026-11-30T22:00:00Z");
		expect(world.times()).toEqual([...times, "2026-11-30T22:00:00.000Z"]);
	});

	it("starts nothing twice when the clock is put back", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock, start: () => of("agent1") });
		add(world, "1h");
		clock.until("2026-11-30T17:10:00Z");
		clock.jump(-30 * 60_000);
		clock.until("2026-11-30T18:10:00Z");
		expect(world.schedules.list()).toMatchObject([{ fired: 2 }]);
	});
});

describe("pausing and cancelling", () => {
	it("leaves out what comes while it is paused, and goes on with the next time", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		const { scheduleId } = add(world, "1h");
		expect(answer(world.schedules.pause(scheduleId))).not.toHaveProperty("next");
		clock.until("2026-11-30T18:30:00Z");
		expect(answer(world.schedules.resume(scheduleId)).next).toBe(Date.parse("2026-11-30T19:00:00Z"));
		clock.until("2026-11-30T19:00:00Z");
		expect(world.times()).toEqual(["2026-11-30T19:00:00.000Z"]);
	});

	it("does not go on with a time that passed while it was paused", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		const { scheduleId } = add(world, "+1h");
		answer(world.schedules.pause(scheduleId));
		clock.until("2026-11-30T18:30:00Z");
		expect(() => answer(world.schedules.resume(scheduleId))).toThrow(/passed while it was paused/);
		expect(world.schedules.list()).toHaveLength(1);
	});

	it("cancels the schedule and not the job that is going on", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		const { scheduleId } = add(world, "1h");
		clock.until("2026-11-30T17:00:00Z");
		answer(world.schedules.cancel(scheduleId));
		clock.until("2026-11-30T20:00:00Z");
		expect(world.started).toMatchObject([{ followed: true }]);
		expect(() => answer(world.schedules.cancel(scheduleId))).toThrow(ScheduleRefused);
	});
});

describe("making a schedule", () => {
	it("is refused with what is wrong, and leaves nothing behind", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		expect(() => add(world, "61 * * * *")).toThrow(/minute "61"/);
		disk.fault = "disk full";
		expect(() => add(world, "1h")).toThrow("Schedules cannot be written: disk full");
		expect([world.schedules.list(), disk.entries, clock.timers]).toEqual([[], [], 0]);
	});

	it("is refused beyond 64, and where a session ends with its answer", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		for (let count = 0; count < 64; count++) add(world, "1h");
		expect(() => add(world, "1h")).toThrow(/64 schedules/);
		const print = scheduleWorld({ clock, more: { refuse: "not in print mode" } });
		expect(() => add(print, "1h")).toThrow("not in print mode");
		expect(answer(print.schedules.read("1h"))).toEqual({ ok: false, problem: "not in print mode" });
	});

	it("is taken back when nobody waits for its receipt any more", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		let receipts = 0;
		// The first change is that of the schedule itself, which is written by then.
		const leaving$ = world.schedules.add(job("1h")).pipe(takeUntil(world.schedules.changes$));
		const leaving = leaving$.subscribe({ next: () => receipts++, error: () => undefined });
		expect(leaving.closed).toBe(true);
		expect([receipts, disk.saves, disk.entries, world.schedules.list()]).toEqual([0, 2, [], []]);
	});
});

describe("a session that begins again", () => {
	const restarted = (missed: "skip" | "once") => {
		const disk = newDisk();
		const before = clockAt("2026-11-30T16:00:00Z");
		const first = scheduleWorld({ clock: before, disk });
		add(first, "1h");
		add(first, "+30m");
		first.kill();
		const clock = clockAt("2026-11-30T18:30:00Z");
		return { disk, clock, world: scheduleWorld({ clock, disk, missed, name: "two" }) };
	};

	it("leaves out what it missed, says so, and goes on (skip)", () => {
		const { clock, world } = restarted("skip");
		expect(world.times()).toEqual([]);
		expect(world.said).toEqual([
			"Schedule s-one1 (a look): Mon 2026-11-30 18:00 UTC+01:00 passed while nothing could start it, and is left out.",
			"Schedule s-one2 (a look): Mon 2026-11-30 17:30 UTC+01:00 passed while nothing could start it, and is left out. It had no other time, and has ended.",
			"1 schedule is live in this session; /agents schedules lists them.",
		]);
		clock.until("2026-11-30T19:00:00Z");
		expect(world.times()).toEqual(["2026-11-30T19:00:00.000Z"]);
	});

	it("makes up for what it missed, once however often that was (once)", () => {
		const { clock, world } = restarted("once");
		expect(world.times()).toEqual(["2026-11-30T17:00:00.000Z", "2026-11-30T16:30:00.000Z"]);
		endAll(world);
		clock.until("2026-11-30T19:00:00Z");
		expect(world.times().slice(2)).toEqual(["2026-11-30T19:00:00.000Z"]);
	});

	it("does not start again what was just being started when its process ended, and says that it is in doubt", () => {
		const disk = newDisk();
		const clock = clockAt("2026-11-30T16:00:00Z");
		const first = scheduleWorld({
			clock,
			disk,
			start: () => {
				first.kill();
				return EMPTY;
			},
		});
		add(first, "+1h");
		clock.until("2026-11-30T17:00:00Z");
		const world = scheduleWorld({ clock, disk, name: "two", missed: "once" });
		expect(world.said).toEqual([
			"Schedule s-one1 (a look): Pi ended just when it was starting for Mon 2026-11-30 18:00 UTC+01:00. It may have been started; it is not started again.",
		]);
		expect([world.times(), disk.entries]).toEqual([[], []]);
	});

	it("says nothing, writes nothing and sets no timer when there are no schedules", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		expect([world.said, disk.saves, clock.timers, disk.holder]).toEqual([[], 0, 0, undefined]);
	});
});

describe("two processes on one session", () => {
	it("fire each time once, and the other goes on when the first is gone", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const first = scheduleWorld({ clock, disk, name: "one", start: () => of("agent1") });
		add(first, "1h");
		const second = scheduleWorld({ clock, disk, name: "two" });
		clock.until("2026-11-30T18:30:00Z");
		expect(first.schedules.list()).toMatchObject([{ fired: 2 }]);
		expect(second.times()).toEqual([]);
		expect(() => add(second, "1h")).toThrow(/one has this session open too/);
		first.kill();
		clock.until("2026-11-30T19:30:00Z");
		expect(second.times()).toEqual(["2026-11-30T19:00:00.000Z"]);
		expect(second.schedules.list()).toMatchObject([{ fired: 3 }]);
	});
});

describe("the end of a session", () => {
	it("starts nothing more, follows nothing more, and waits for what is being written", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		add(world, "1h");
		clock.until("2026-11-30T17:00:00Z");
		const heard: string[] = [];
		const listening = new Subscription();
		listening.add(
			world.schedules.changes$.subscribe({ complete: () => heard.push("changes over"), error: () => undefined }),
		);
		listening.add(world.schedules.close().subscribe({ complete: () => heard.push("closed"), error: () => undefined }));
		expect(heard.sort()).toEqual(["changes over", "closed"]);
		expect(world.started).toMatchObject([{ followed: false }]);
		clock.until("2026-11-30T20:00:00Z");
		expect(world.started).toHaveLength(1);
		expect(() => add(world, "1h")).toThrow("The session is ending.");
	});
});
