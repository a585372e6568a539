import { type Observable, of, Subject, Subscription, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import type { ScheduleRequest } from "../../src/streams/index.ts";
import { type Clock, clockAt, type Disk, newDisk, scheduleWorld, type World } from "../support/schedules-fixture.ts";

const job = (text: string): ScheduleRequest<string> => ({ text, job: "look", description: "a look" });

/** What an answer is, which must be there at once. */
function answer<T>(answer$: Observable<T>): T {
	const got: T[] = [];
	let failed: unknown;
	answer$
		.subscribe({
			next: (value) => got.push(value),
			error: (error: unknown) => {
				failed = error;
			},
		})
		.unsubscribe();
	if (failed !== undefined) throw failed;
	expect(got).toHaveLength(1);
	return got[0] as T;
}

/** A process, and what it tells the person with the level of each. */
function telling(clock: Clock, disk: Disk, more: Parameters<typeof scheduleWorld>[0]["more"] = {}) {
	const told: string[] = [];
	const notify = (text: string, level: string) => told.push(`${level}: ${text}`);
	return { told, world: scheduleWorld({ clock, disk, name: "two", more: { notify, ...more } }) };
}

/** The disk as a process leaves it that has made these schedules, and is gone. */
function left(clock: Clock, texts: readonly string[], then: (world: World) => void = () => undefined): Disk {
	const disk = newDisk();
	const before = scheduleWorld({ clock, disk });
	for (const text of texts) answer(before.schedules.add(job(text)));
	then(before);
	before.kill();
	return disk;
}

describe("reading a schedule's text", () => {
	it("tells what it is and its next times, and writes nothing", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		expect(answer(world.schedules.read("0 9 * * MON-FRI"))).toEqual({
			ok: true,
			spec: { kind: "cron", pattern: "0 9 * * MON-FRI", zone: "Europe/Berlin" },
			words: "at 09:00 on Monday to Friday (Europe/Berlin)",
			next: ["Tue 2026-12-01 09:00 UTC+01:00", "Wed 2026-12-02 09:00 UTC+01:00", "Thu 2026-12-03 09:00 UTC+01:00"],
		});
		expect(answer(world.schedules.read("+10m"))).toMatchObject({ ok: true, next: ["Mon 2026-11-30 17:10 UTC+01:00"] });
		expect(answer(world.schedules.read("soon"))).toMatchObject({ ok: false });
		expect([disk.saves, disk.holder, world.schedules.list()]).toEqual([0, undefined, []]);
	});

	it("says that patterns cannot be read where the cron arithmetic does not load, and reads the others", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const { world } = telling(clock, newDisk(), { cron$: throwError(() => new Error("no module")) });
		const problem = "Cron patterns cannot be read: no module";
		expect(answer(world.schedules.read("0 9 * * *"))).toEqual({ ok: false, problem });
		expect(answer(world.schedules.read("5m"))).toMatchObject({ ok: true });
	});
});

describe("what a person is told", () => {
	it("when a session begins again: how many schedules are live, without those that are paused", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = left(clock, ["1h", "2h", "3h"], ({ schedules }) => {
			const [first] = schedules.list();
			if (first !== undefined) answer(schedules.pause(first.scheduleId));
		});
		expect(telling(clock, disk).told).toEqual([
			"info: 2 schedules are live in this session; /agents schedules lists them.",
		]);
	});

	it("when all of them are paused: nothing", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = left(clock, ["1h"], ({ schedules }) => {
			for (const { scheduleId } of schedules.list()) answer(schedules.pause(scheduleId));
		});
		expect(telling(clock, disk).told).toEqual([]);
	});

	it("when they cannot be read, or not be written: that, as a warning", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = left(clock, ["1h"]);
		disk.unreadable = "torn";
		expect(telling(clock, disk).told).toEqual(["warning: Schedules cannot be read: torn"]);
		disk.unreadable = undefined;
		const { told } = telling(clock, disk);
		disk.fault = "disk full";
		clock.until("2026-11-30T17:01:00Z");
		expect(told.at(-1)).toBe("warning: Schedules cannot be written: disk full Nothing is started before that works.");
	});

	it("when the reason changes: the new one, and the old one again after a time that worked", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = left(clock, ["1h"]);
		const { told } = telling(clock, disk, { start: () => of("agent1") });
		told.length = 0;
		for (const [time, fault] of [
			["2026-11-30T17:01:00Z", "disk full"],
			["2026-11-30T17:02:00Z", "read-only"],
			["2026-11-30T17:03:00Z", undefined],
			["2026-11-30T18:03:00Z", "read-only"],
		] as const) {
			disk.fault = fault;
			clock.until(time);
		}
		expect(told.map((text) => text.split(" ")[5])).toEqual(["disk", "read-only", "read-only"]);
	});

	it("by a second process on the session: how many are live, and not each time that it may not start them", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const first = scheduleWorld({ clock, disk, start: () => of("agent1") });
		answer(first.schedules.add(job("1h")));
		const { told } = telling(clock, disk);
		clock.until("2026-11-30T18:30:00Z");
		expect(told).toEqual(["info: 1 schedule is live in this session; /agents schedules lists them."]);
	});
});

describe("a process that may not start the schedules", () => {
	it("goes on trying though it could not read what the other one wrote", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const first = scheduleWorld({ clock, disk, start: () => of("agent1") });
		answer(first.schedules.add(job("1h")));
		const second = scheduleWorld({ clock, disk, name: "two" });
		clock.until("2026-11-30T16:59:59Z");
		first.kill();
		disk.holder = "three";
		disk.unreadable = "torn";
		clock.until("2026-11-30T17:00:05Z");
		disk.holder = undefined;
		disk.unreadable = undefined;
		clock.until("2026-11-30T17:01:00Z");
		expect(second.times()).toEqual(["2026-11-30T17:00:00.000Z"]);
	});

	it("because its session ends with its answer lists them, sets no timer and tells nobody", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = left(clock, ["1h"]);
		const before = clock.pending();
		const { world, told } = telling(clock, disk, { refuse: "not in print mode" });
		expect([world.schedules.list().length, told, clock.pending() - before]).toEqual([1, [], 0]);
		clock.until("2026-11-30T20:00:00Z");
		expect([world.times(), disk.saves]).toEqual([[], 1]);
	});
});

describe("changes", () => {
	it("are told when a job begins, has an id and ends", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const world = scheduleWorld({ clock });
		answer(world.schedules.add(job("1h")));
		const seen: unknown[] = [];
		const listening = world.schedules.changes$.subscribe({
			next: ([one]) => seen.push([one?.running, one?.last?.started]),
			error: () => undefined,
		});
		clock.until("2026-11-30T17:00:00Z");
		expect(seen.at(-1)).toEqual([true, "agent1"]);
		world.started[0]?.end();
		expect(seen.at(-1)).toEqual([false, "agent1"]);
		listening.unsubscribe();
	});

	it("to what is paused already write nothing, and what has ended is named", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk });
		const { scheduleId } = answer(world.schedules.add(job("1h")));
		expect(answer(world.schedules.resume(scheduleId))).toMatchObject({ scheduleId, paused: false });
		expect(disk.saves).toBe(1);
		answer(world.schedules.pause(scheduleId));
		expect(answer(world.schedules.pause(scheduleId))).toMatchObject({ scheduleId, paused: true });
		expect(disk.saves).toBe(2);
		answer(world.schedules.cancel(scheduleId));
		expect(() => answer(world.schedules.cancel(scheduleId))).toThrow("There is no schedule s-one1: it has ended.");
	});

	it("leave a schedule out of the list whose only job has begun, while that is being written", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const writing$ = new Subject<void>();
		const world = scheduleWorld({
			clock,
			disk,
			start: () => {
				disk.slow = { save$: writing$ };
				return of("agent1");
			},
		});
		answer(world.schedules.add(job("+1h")));
		clock.until("2026-11-30T17:00:00Z");
		expect([world.schedules.list(), disk.entries.length]).toEqual([[], 1]);
		writing$.next();
		expect([world.schedules.list(), disk.entries.length]).toEqual([[], 0]);
	});
});

describe("a start that is found open", () => {
	it("by a process that has started the same schedule before is not taken for its own", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const world = scheduleWorld({ clock, disk, start: () => of("agent1") });
		answer(world.schedules.add(job("1h")));
		clock.until("2026-11-30T17:00:00Z");
		disk.entries = disk.entries.map((entry) => ({ ...entry, starting: Date.parse("2026-11-30T17:30:00Z") }));
		clock.until("2026-11-30T18:00:00Z");
		expect(world.said).toEqual([expect.stringMatching(/Pi ended just when it was starting for Mon 2026-11-30 18:30/)]);
	});
});

describe("a session that ends while its file is being read for what is due", () => {
	it("starts nothing, tells nobody, keeps the time for the next session, and leaves no timer", () => {
		const clock = clockAt("2026-11-30T16:00:00Z");
		const disk = newDisk();
		const reading$ = new Subject<void>();
		const world = scheduleWorld({ clock, disk });
		answer(world.schedules.add(job("1h")));
		disk.slow = { load$: reading$ };
		clock.until("2026-11-30T17:00:00Z");
		const heard: string[] = [];
		const scope = new Subscription();
		scope.add(world.schedules.close().subscribe({ complete: () => heard.push("closed"), error: () => undefined }));
		expect([heard, reading$.observed]).toEqual([[], true]);
		reading$.next();
		expect([heard, world.times(), world.said, clock.pending()]).toEqual([["closed"], [], [], 0]);
		expect(disk.entries).toMatchObject([{ next: Date.parse("2026-11-30T17:00:00Z") }]);
		scope.unsubscribe();
	});
});
