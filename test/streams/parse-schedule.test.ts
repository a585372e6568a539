import { describe, expect, it } from "vitest";
import { looksLikeCron, parseSchedule } from "../../src/streams/parse-schedule.ts";
import type { ScheduleSpec } from "../../src/streams/schedule-spec.ts";
import { nextTimes } from "../../src/streams/schedule-times.ts";
import { isZone, zoneTime } from "../../src/streams/zone-time.ts";
import { cron } from "../support/schedules-fixture.ts";

const zone = "Europe/Berlin";
const now = Date.parse("2026-11-30T16:20:00Z");
const at = (iso: string) => Date.parse(iso);

function read(text: string, from = now, where = zone): ScheduleSpec | string {
	const parsed = parseSchedule(text, { now: from, zone: where }, cron);
	return parsed.ok ? parsed.spec : parsed.problem;
}

function specOf(text: string, from = now, where = zone): ScheduleSpec {
	const spec = read(text, from, where);
	if (typeof spec === "string") throw new Error(spec);
	return spec;
}

/** As long as a pattern may be: 200 characters. */
const longest = `0 9 * * ${"1,".repeat(95)}01`;

const times = (text: string, from: string, count: number, where = zone): string[] =>
	nextTimes(specOf(text, at(from), where), at(from), count, cron).map((time) => new Date(time).toISOString());

describe("the text of a schedule", () => {
	it.each([
		["30s", 30_000],
		["5m", 300_000],
		["2h", 7_200_000],
		["1d", 86_400_000],
		[" 10 S ", undefined],
		[" 5m\n", 300_000],
		["10S", 10_000],
		["10s", 10_000],
		["366d", 366 * 86_400_000],
	])("%j is an interval", (text, ms) => {
		if (ms === undefined) expect(read(text)).toMatch(/is no schedule/);
		else expect(read(text)).toEqual({ kind: "every", ms, anchor: now, zone });
	});

	it.each([
		["+10m", "2026-11-30T16:30:00Z"],
		["+1s", "2026-11-30T16:20:01Z"],
		["2026-12-01T09:00Z", "2026-12-01T09:00:00Z"],
		["2026-12-01T09:00:30.5+01:00", "2026-12-01T08:00:30.500Z"],
		["2026-12-01 09:00 -0330", "2026-12-01T12:30:00Z"],
		["2026-12-01t09:00z", "2026-12-01T09:00:00Z"],
		["2026-12-01T09:00:30Z", "2026-12-01T09:00:30Z"],
		["2026-12-01 09:00  +01:00", "2026-12-01T08:00:00Z"],
		["2026-12-01T09:00+01", "2026-12-01T08:00:00Z"],
		["2026-12-01T09:00+14:00", "2026-11-30T19:00:00Z"],
		["2026-12-01T09:00-01:59", "2026-12-01T10:59:00Z"],
		["2026-12-01T09:00:30.123456789Z", "2026-12-01T09:00:30.123Z"],
		// To the millisecond as far away as a time may be.
		["2027-12-01T16:20Z", "2027-12-01T16:20:00Z"],
		// Without an offset it is the time of the zone.
		["2026-12-01T09:00", "2026-12-01T08:00:00Z"],
		["2027-07-01T09:00", "2027-07-01T07:00:00Z"],
	])("%j is one time", (text, instant) => {
		expect(read(text)).toEqual({ kind: "once", at: at(instant), zone });
	});

	it("takes the first of two when clocks show a time twice", () => {
		expect(read("2026-10-25T02:30", at("2026-10-01T00:00:00Z"))).toMatchObject({ at: at("2026-10-25T00:30:00Z") });
	});

	it.each([
		["", /empty/],
		["soon", /"soon" is no schedule: write cron/],
		["5 minutes", /is no schedule/],
		["5min", /is no schedule/],
		["on 2026-12-01", /is no schedule/],
		["5w", /no unit that is known: write s, m, h or d/],
		["9s", /too soon: the shortest interval is 10s.*"\+9s"/],
		["0m", /too soon/],
		["+0s", /is now/],
		["367d", /more than 366 days/],
		["+999999999999d", /more than 366 days/],
		["2026-11-30", /no time of day: write "2026-11-30T09:00"/],
		["2026-02-31T09:00", /^"2026-02-31T09:00" is no date and time/],
		["2026-12-01Tnoon", /no date and time/],
		["12026-11-30", /no date and time/],
		["+2026-12-01T09:00", /no date and time/],
		["2026-12-01T24:00", /no date and time/],
		["2026-12-01T09:00+25:00", /an offset that no clock has/],
		["2026-12-01T09:00+15:00", /an offset that no clock has/],
		["2026-12-01T09:00+01:60", /an offset that no clock has/],
		["2026-11-30T17:20", /past/],
		["2026-11-30T17:19", /past: it is Mon 2026-11-30 17:20 UTC\+01:00 \(Europe\/Berlin\) now/],
		["2027-12-01T16:20:00.001Z", /more than 366 days away/],
		["2028-01-01T09:00", /more than 366 days away/],
		["2027-03-28T02:30", /does not exist in Europe\/Berlin/],
		["* * * *", /^"\* \* \* \*" has 4 fields: cron takes 5 or 6 \(minute hour day month weekday, with seconds before/],
		["0 0 9 * * MON 2027", /has 7 fields/],
		["in 10 minutes", /has 3 fields.* "\+10m" \(once\)/],
		["@daily", /is no schedule/],
		["61 * * * *", /minute "61": invalid value/],
		["0 25 * * *", /hour "25"/],
		["0 9 * * FOO", /day of the week "FOO": it contains illegal characters/],
		["0 9 32 * *", /day of the month "32"/],
		["0 0 30 2 *", /never comes/],
		["* * * * * *", /within 10 seconds/],
		["*/5 * * * * *", /within 10 seconds/],
		["0,59 * * * * *", /within 10 seconds/],
		[`0 9 * * ${"1,".repeat(200)}1`, /too long/],
	])("%j is refused with what to do", (text, problem) => {
		expect(read(text)).toMatch(problem);
	});

	it.each([
		["0  9\t* * *", "0 9 * * *"],
		["*/10 * * * * *", "*/10 * * * * *"],
		[longest, longest],
	])("%j is a pattern", (text, pattern) => expect(read(text)).toEqual({ kind: "cron", pattern, zone }));

	it("never shows control characters of what it refuses", () => {
		expect(read("\u001b[31mred\u0007")).toMatch(/^"red" is no schedule/);
	});

	it.each([
		["0 9 * * *", true],
		["5m", false],
		["+10m", false],
		["2026-12-01 09:00 +01:00", false],
		[" 2026-12-01 09:00 +01:00", false],
		["0 9 * * 2026-12-01", true],
		["2026-12-1 at nine", true],
		[" soon ", false],
		["5  m", false],
	])("%j wants cron arithmetic: %s", (text, wanted) => expect(looksLikeCron(text)).toBe(wanted));
});

describe("the times of a schedule", () => {
	it("of an interval are counted from its making, whatever time it is asked at", () => {
		const spec = specOf("30d", at("2026-01-01T00:00:00Z"));
		expect(nextTimes(spec, at("2025-01-01T00:00:00Z"), 1, cron)).toEqual([at("2026-01-31T00:00:00Z")]);
		expect(nextTimes(spec, at("2026-05-15T10:11:12Z"), 1, cron)).toEqual([at("2026-05-31T00:00:00Z")]);
		expect(nextTimes(spec, at("2026-05-31T00:00:00Z"), 1, cron)).toEqual([at("2026-06-30T00:00:00Z")]);
	});

	it("of a time of day that clocks leave out come at the first moment after", () => {
		expect(times("30 2 * * *", "2026-03-28T12:00:00Z", 2)).toEqual([
			"2026-03-29T01:00:00.000Z",
			"2026-03-30T00:30:00.000Z",
		]);
	});

	it("of a time of day that clocks show twice come once", () => {
		expect(times("30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual([
			"2026-10-25T00:30:00.000Z",
			"2026-10-26T01:30:00.000Z",
		]);
		expect(times("30 2,14 * * *", "2026-10-24T13:00:00Z", 2)).toEqual([
			"2026-10-25T00:30:00.000Z",
			"2026-10-25T13:30:00.000Z",
		]);
	});

	it("of a pattern with steps go on through a clock change as if there were none", () => {
		expect(times("*/30 * * * *", "2026-10-25T00:15:00Z", 4)).toEqual([
			"2026-10-25T00:30:00.000Z",
			"2026-10-25T01:00:00.000Z",
			"2026-10-25T01:30:00.000Z",
			"2026-10-25T02:00:00.000Z",
		]);
	});

	it("of the 29th of February wait for a leap year", () => {
		expect(times("0 0 29 2 *", "2026-11-30T00:00:00Z", 1, "UTC")).toEqual(["2028-02-29T00:00:00.000Z"]);
	});
});

describe("a time zone", () => {
	it("shows instants with its offset of the day", () => {
		const berlin = zoneTime(zone);
		expect(berlin.format(at("2026-10-25T00:30:00Z"))).toBe("Sun 2026-10-25 02:30 UTC+02:00");
		expect(berlin.format(at("2026-10-25T01:30:05Z"))).toBe("Sun 2026-10-25 02:30:05 UTC+01:00");
		expect(zoneTime("America/St_Johns").format(at("2026-12-01T03:29:00Z"))).toBe("Mon 2026-11-30 23:59 UTC-03:30");
	});

	it("is exact to the millisecond, at midnight and before 1970 too", () => {
		const utc = zoneTime("UTC");
		expect([utc.offsetAt(-1), utc.offsetAt(1_001)]).toEqual([0, 0]);
		expect(utc.format(-1)).toBe("Wed 1969-12-31 23:59:59 UTC+00:00");
		expect(utc.format(at("2026-12-01T00:00:00.999Z"))).toBe("Tue 2026-12-01 00:00 UTC+00:00");
		expect(zoneTime("Asia/Kathmandu").offsetAt(at("2026-12-01T00:00:00.5Z"))).toBe(345 * 60_000);
	});

	it("is known by its name, or not", () => {
		expect([isZone("Europe/Berlin"), isZone("Mars/Olympus"), isZone("")]).toEqual([true, false, false]);
		expect(() => zoneTime("Mars/Olympus")).toThrow(RangeError);
	});

	it("finds the instants at which it shows a time: one, two or none", () => {
		const { instantsOf } = zoneTime("America/New_York");
		expect(instantsOf(at("2026-06-01T09:00:00Z"))).toEqual([at("2026-06-01T13:00:00Z")]);
		expect(instantsOf(at("2026-11-01T01:30:00Z"))).toEqual([at("2026-11-01T05:30:00Z"), at("2026-11-01T06:30:00Z")]);
		expect(instantsOf(at("2026-03-08T02:30:00Z"))).toEqual([]);
	});
});
