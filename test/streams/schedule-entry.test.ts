import { describe, expect, it } from "vitest";
import type { ScheduleEntry, ScheduleId } from "../../src/streams/index.ts";
import {
	addSchedule,
	earliestTime,
	pauseSchedule,
	resumeSchedule,
	startDue,
} from "../../src/streams/schedule-changes.ts";
import { advanced, type DueFacts, isCron, planDue, started, viewOf } from "../../src/streams/schedule-entry.ts";
import { cron } from "../support/schedules-fixture.ts";

const hour = 3_600_000;
const hourly: ScheduleEntry<string> = {
	scheduleId: "s-1" as ScheduleId,
	text: "1h",
	spec: { kind: "every", ms: hour, anchor: 0, zone: "UTC" },
	job: "look",
	description: "a look",
	createdAt: 0,
	paused: false,
	next: hour,
	fired: 1,
	skipped: 2,
};
const once: ScheduleEntry<string> = { ...hourly, spec: { kind: "once", at: hour, zone: "UTC" } };
const { next: _, ...without } = hourly;

const facts: DueFacts = { now: hour, running: false, tolerance: 1_000, missed: "skip", cron };
const plan = (entry: ScheduleEntry<string>, change: Partial<DueFacts> = {}) =>
	planDue(entry, hour, { ...facts, ...change });
const keyed = (...entries: ScheduleEntry<string>[]) => new Map(entries.map((entry) => [entry.scheduleId, entry]));

describe("a time that has come", () => {
	it("starts the job, with the next time and the start written down", () => {
		expect(plan(hourly)).toEqual({ act: "start", at: hour, entry: { ...hourly, next: 2 * hour, starting: hour } });
		expect(plan(once)).toStrictEqual({
			act: "start",
			at: hour,
			entry: { ...without, spec: once.spec, starting: hour },
		});
	});

	it("is missed beyond the tolerance, and not at it, and only where what is missed is skipped", () => {
		const late = hour + 1_001;
		expect(plan(hourly, { now: hour + 1_000 }).act).toBe("start");
		expect(plan(hourly, { now: late })).toEqual({ act: "missed", at: hour, entry: { ...hourly, next: 2 * hour } });
		expect(plan(once, { now: late })).toEqual({ act: "missed", at: hour, entry: undefined });
		expect(plan(hourly, { now: late, missed: "once" }).act).toBe("start");
	});

	it("is counted as left out while its job is going on, however late it is", () => {
		const entry = { ...hourly, next: 5 * hour, skipped: 3 };
		expect(plan(hourly, { running: true, now: 4 * hour })).toEqual({ act: "overlap", at: hour, entry });
		expect(plan(once, { running: true })).toEqual({ act: "overlap", at: hour, entry: undefined });
	});

	it("is decided for each that is due, at its very millisecond, and nothing changes for the others", () => {
		const later = { ...hourly, scheduleId: "s-2" as ScheduleId, next: hour + 1 };
		const paused = { ...without, scheduleId: "s-3" as ScheduleId, paused: true };
		const due = { now: hour, isRunning: () => false, tolerance: 1_000, missed: "skip" } as const;
		const change = startDue(keyed(hourly, later, paused), due, cron);
		expect(change.result.map(({ before, plan: { act } }) => [before, act])).toEqual([[hourly, "start"]]);
		expect([...(change.entries ?? [])].map(([id, { next }]) => [id, next])).toEqual([
			["s-1", 2 * hour],
			["s-2", hour + 1],
			["s-3", undefined],
		]);
		expect(startDue(keyed(later, paused), due, cron)).toStrictEqual({ result: [] });
		const running = startDue(keyed(once), { ...due, isRunning: (id) => id === "s-1" }, cron);
		expect([running.entries?.size, running.result[0]?.plan.act]).toEqual([0, "overlap"]);
	});
});

describe("a start that has come to something", () => {
	const open = { ...hourly, starting: hour };

	it("is written with what it was, and counted only when there is an id", () => {
		const last = { at: hour, started: "agent1" };
		expect(started(open, last)).toStrictEqual({ ...hourly, last, fired: 2 });
		const failed = { at: hour, problem: "full" };
		expect(started(open, failed)).toStrictEqual({ ...hourly, last: failed, fired: 1 });
		expect(started(open)).toStrictEqual(hourly);
	});

	it("leaves nothing of a schedule without another time, unless it is paused", () => {
		expect(started({ ...without, starting: hour })).toBeUndefined();
		expect(started({ ...without, starting: hour, paused: true })).toStrictEqual({ ...without, paused: true });
	});

	it("is not shown to others, who see words instead", () => {
		const words = "every hour, counted from Thu 1970-01-01 00:00 UTC+00:00 (UTC)";
		expect(viewOf(open, true)).toStrictEqual({ ...hourly, words, running: true });
	});
});

describe("an entry", () => {
	it("has the first time after now, or none", () => {
		expect(advanced(hourly, hour, cron).next).toBe(2 * hour);
		expect(advanced(once, hour, cron)).toStrictEqual({ ...without, spec: once.spec });
		expect(advanced(once, hour - 1, cron).next).toBe(hour);
	});

	it("wants cron arithmetic where it is a pattern", () => {
		const pattern = { ...hourly, spec: { kind: "cron", pattern: "0 9 * * *", zone: "UTC" } } as const;
		expect([hourly, once, pattern].map(isCron)).toEqual([false, false, true]);
	});

	it("has no time while it is paused, and one again afterwards; what it is already it stays", () => {
		const paused = pauseSchedule(hourly);
		expect(paused).toStrictEqual({ ...without, paused: true });
		expect(pauseSchedule(paused)).toBe(paused);
		expect(resumeSchedule(paused, 5 * hour, cron)).toEqual({ ...hourly, next: 6 * hour });
		expect(resumeSchedule(hourly, 5 * hour, cron)).toBe(hourly);
		expect(() => resumeSchedule(pauseSchedule(once), hour, cron)).toThrow(
			"The time of schedule s-1 passed while it was paused: cancel it.",
		);
	});

	it("is new with its next time and nothing counted, and its text on one line of at most 200 characters", () => {
		const made = { scheduleId: "s-2" as ScheduleId, clock: { now: 0, zone: "UTC" }, sessionOnly: true };
		const text = `0  9\n* * ${"1,".repeat(90)}1`;
		const { entries, result } = addSchedule(keyed(hourly), { text, job: "look", description: "b" }, made, cron);
		expect([...(entries?.keys() ?? [])]).toEqual(["s-1", "s-2"]);
		expect(entries?.get(made.scheduleId)).toEqual({
			scheduleId: "s-2",
			text: `0 9 * * ${"1,".repeat(90)}1`,
			spec: { kind: "cron", pattern: `0 9 * * ${"1,".repeat(90)}1`, zone: "UTC" },
			job: "look",
			description: "b",
			createdAt: 0,
			paused: false,
			next: 4 * 24 * hour + 9 * hour,
			fired: 0,
			skipped: 0,
		});
		expect(result).toMatchObject({ scheduleId: "s-2", sessionOnly: true, next: { length: 3 } });
	});

	it("is the 64th at most, and the refusal says how many there are", () => {
		const made = { scheduleId: "s-new" as ScheduleId, clock: { now: 0, zone: "UTC" }, sessionOnly: false };
		const of = (count: number) =>
			keyed(...Array.from({ length: count }, (_one, index) => ({ ...hourly, scheduleId: `s-${index}` as ScheduleId })));
		const request = { text: "1h", job: "look", description: "b" };
		expect(addSchedule(of(63), request, made, cron).entries?.size).toBe(64);
		expect(() => addSchedule(of(64), request, made, cron)).toThrow(
			"There are 64 schedules, which is the limit: one has to be cancelled.",
		);
	});
});

describe("the earliest time", () => {
	it("is the least of those that have one", () => {
		const at = (id: string, next: number) => ({ ...hourly, scheduleId: id as ScheduleId, next });
		expect(earliestTime(keyed(at("s-a", 3), at("s-b", 2), { ...without, scheduleId: "s-c" as ScheduleId }))).toBe(2);
		expect(earliestTime(keyed(without))).toBeUndefined();
		expect(earliestTime(new Map())).toBeUndefined();
	});
});
