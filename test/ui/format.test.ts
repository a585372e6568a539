import { describe, expect, it } from "vitest";
import { counted, shortCost, shortCount, shortDuration } from "../../src/ui/format.ts";

describe("short forms", () => {
	it.each([
		[0, "0"],
		[999, "999"],
		[1_000, "1.0k"],
		[9_949, "9.9k"],
		[9_950, "10k"],
		[999_499, "999k"],
		[999_500, "1.0M"],
		[12_345_678, "12.3M"],
	])("the count %d is %s", (count, text) => {
		expect(shortCount(count)).toBe(text);
	});

	it.each([
		[0, "$0"],
		[0.00004, "$0"],
		[0.0042, "$0.0042"],
		[0.99999, "$1.0000"],
		[1.255, "$1.25"],
	])("the cost %d is %s", (cost, text) => {
		expect(shortCost(cost)).toBe(text);
	});

	it.each([
		[-5, "0s"],
		[999, "0s"],
		[59_999, "59s"],
		[60_000, "1m00s"],
		[3_599_999, "59m59s"],
		[3_600_000, "1h00m"],
		[86_400_000, "1d00h"],
	])("%d milliseconds are %s", (milliseconds, text) => {
		expect(shortDuration(milliseconds)).toBe(text);
	});

	it("count one thing and several", () => {
		expect([counted(1, "turn"), counted(0, "turn"), counted(2, "tool call")]).toEqual([
			"1 turn",
			"0 turns",
			"2 tool calls",
		]);
	});
});
