import { describe, expect, it } from "vitest";
import { createScheduleAlarm, longestTimer } from "../../src/streams/schedule-alarm.ts";
import { clockAt } from "../support/schedules-fixture.ts";

const start = "2026-11-30T16:00:00Z";
const at = (ms: number) => new Date(Date.parse(start) + ms).toISOString();

/** An alarm for one time, which a test may change, and when it rang, in milliseconds from the start. */
function alarmFor(first: number | undefined) {
	const clock = clockAt(start);
	const rang: number[] = [];
	const world = { due: first === undefined ? undefined : Date.parse(start) + first };
	const alarm = createScheduleAlarm(
		() => world.due,
		() => rang.push(clock.now - Date.parse(start)),
		clock.scheduler,
	);
	return { alarm, clock, rang, world, until: (ms: number) => clock.until(at(ms)) };
}

describe("an alarm", () => {
	it("rings when the earliest time has come, once, and leaves no timer", () => {
		const { alarm, clock, rang, until } = alarmFor(90_000);
		alarm.set();
		until(89_999);
		expect(rang).toEqual([]);
		until(200_000);
		expect([rang, clock.pending()]).toEqual([[90_000], 0]);
	});

	it("rings at once for a time that has passed", () => {
		const { alarm, rang, until } = alarmFor(-5_000);
		alarm.set();
		until(0);
		expect(rang).toEqual([0]);
	});

	it("looks at the clock again at least each five minutes, and does not ring for that", () => {
		const { alarm, clock, rang, until } = alarmFor(3 * longestTimer + 1);
		alarm.set();
		until(3 * longestTimer);
		expect([rang, clock.timers]).toEqual([[], 4]);
		until(3 * longestTimer + 1);
		expect(rang).toEqual([3 * longestTimer + 1]);
	});

	it("has one timer, for the time that is the earliest now", () => {
		const { alarm, clock, rang, world, until } = alarmFor(60_000);
		alarm.set();
		world.due = Date.parse(start) + 90_000;
		alarm.set();
		expect(clock.pending()).toBe(1);
		until(100_000);
		expect(rang).toEqual([90_000]);
	});

	it("has no timer without a time", () => {
		const { alarm, clock, world } = alarmFor(60_000);
		alarm.set();
		world.due = undefined;
		alarm.set();
		expect(clock.pending()).toBe(0);
	});

	it("does not ring before the instant for which it is held", () => {
		const { alarm, rang, until } = alarmFor(10_000);
		alarm.hold(Date.parse(start) + 30_000);
		alarm.set();
		until(60_000);
		expect(rang).toEqual([30_000]);
	});

	it("has no timer any more once it is closed, and sets none", () => {
		const { alarm, clock, rang, until } = alarmFor(10_000);
		alarm.set();
		alarm.close();
		expect(clock.pending()).toBe(0);
		alarm.set();
		until(60_000);
		expect([rang, clock.pending()]).toEqual([[], 0]);
	});
});
