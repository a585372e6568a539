import { describe, expect, it } from "vitest";
import { describeSchedule } from "../../src/streams/describe-schedule.ts";
import { parseSchedule } from "../../src/streams/parse-schedule.ts";
import { cron } from "../support/schedules-fixture.ts";

const clock = { now: Date.parse("2026-11-30T16:20:00Z"), zone: "Europe/Berlin" };

/** The words for what a schedule's text reads as, without its time zone. */
function wordsOf(text: string): string {
	const parsed = parseSchedule(text, clock, cron);
	if (!parsed.ok) throw new Error(parsed.problem);
	const words = describeSchedule(parsed.spec);
	expect(words.endsWith(" (Europe/Berlin)")).toBe(true);
	return words.slice(0, -" (Europe/Berlin)".length);
}

describe("an interval or a single time in words", () => {
	it.each([
		["10s", "every 10 seconds, counted from Mon 2026-11-30 17:20 UTC+01:00"],
		["1m", "every minute, counted from Mon 2026-11-30 17:20 UTC+01:00"],
		["90m", "every 90 minutes, counted from Mon 2026-11-30 17:20 UTC+01:00"],
		["120m", "every 2 hours, counted from Mon 2026-11-30 17:20 UTC+01:00"],
		["1d", "every day, counted from Mon 2026-11-30 17:20 UTC+01:00"],
		["+10m", "once, at Mon 2026-11-30 17:30 UTC+01:00"],
	])("%j", (text, words) => expect(wordsOf(text)).toBe(words));
});

describe("the time of day of a pattern in words", () => {
	it.each([
		["5 9 * * *", "at 09:05"],
		["30 8,20 * * *", "at 08:30 and 20:30"],
		["0 10,20 * * *", "at 10:00 and 20:00"],
		["0 8,12,16,20 * * *", "at 08:00, 12:00, 16:00 and 20:00"],
		["15 30 8 * * *", "at 08:30:15"],
		// Only where second and minute are single values are there times to list.
		["0 9-17 * * *", "at minute 0, at hour 9 to 17"],
		["5-10 9 * * *", "at minute 5 to 10, at hour 9"],
		["*/5 9 * * *", "every 5 minutes, at hour 9"],
		["10,30 0 9 * * *", "at second 10 and 30, at minute 0, at hour 9"],
		["*/15 * * * *", "every 15 minutes"],
		["*/15 9-17 * * *", "every 15 minutes, at hour 9 to 17"],
		["0 */2 * * *", "at minute 0, every 2 hours"],
		["0 */1 * * *", "at minute 0, every hour"],
		["5 * * * *", "at minute 5"],
		["* 9 * * *", "every minute, at hour 9"],
		["* * * * *", "every minute"],
		["15 * * * * *", "at second 15, every minute"],
		// Every minute is left out where the seconds say it already.
		["*/30 * * * * *", "every 30 seconds"],
		["*/30 * 9 * * *", "every 30 seconds, at hour 9"],
		["*/30 5 * * * *", "every 30 seconds, at minute 5"],
		["1,*/20 * * * *", "at minute 1 and any in steps of 20"],
		["*/20,1 * * * *", "at minute any in steps of 20 and 1"],
	])("%j", (text, words) => expect(wordsOf(text)).toBe(words));
});

describe("the days of a pattern in words", () => {
	it.each([
		["0 9 * * MON-FRI", "at 09:00 on Monday to Friday"],
		["0 9 * * 1-5", "at 09:00 on Monday to Friday"],
		["0 9 * * 2,3,4,6", "at 09:00 on Tuesday, Wednesday, Thursday and Saturday"],
		["0 0 * 3,4,5,6 *", "at 00:00 in March, April, May and June"],
		["0 0 * 8,9,10,11 *", "at 00:00 in August, September, October and November"],
		["0 9 ? * sat,0", "at 09:00 on Saturday and Sunday"],
		["0 9 1 * ?", "at 09:00 on day 1 of the month"],
		["0 9 * * MON#2", "at 09:00 on MON#2"],
		["0 0 1 JAN,7 *", "at 00:00 on day 1 of the month in January and July"],
		["0 0 1-7/2 * *", "at 00:00 on day 1 to 7 in steps of 2 of the month"],
		["0 0 L * *", "at 00:00 on day L of the month"],
		["0 0 * 2-12/5 *", "at 00:00 in February to December in steps of 5"],
		// Either is enough where both are given, unless a plus asks for both.
		["0 0 1 * 7", "at 00:00 on day 1 of the month and on every Sunday"],
		["0 0 13 * +FRI", "at 00:00 on day 13 of the month if it is Friday"],
	])("%j", (text, words) => expect(wordsOf(text)).toBe(words));
});
