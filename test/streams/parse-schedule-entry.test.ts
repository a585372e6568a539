import { describe, expect, it } from "vitest";
import { parseScheduleEntry } from "../../src/streams/index.ts";

const full = {
	scheduleId: "s-one1",
	text: "1h",
	spec: { kind: "every", ms: 10_000, anchor: 5, zone: "Europe/Berlin" },
	job: "look",
	description: "a look",
	createdAt: 7,
	paused: false,
	fired: 0,
	skipped: 2,
	toolCallId: "t1",
	next: 9,
	starting: 0,
	last: { at: 3, started: "agent1", problem: "none" },
};
const optional = ["toolCallId", "next", "starting", "last"];
const lastDay = 8.64e15;

const parse = (value: unknown) =>
	parseScheduleEntry(value, (job) => (typeof job === "string" ? job.toUpperCase() : undefined));
const specOf = (spec: unknown) => parse({ ...full, spec })?.spec;

describe("a kept schedule", () => {
	it("is read as it was written, with its job as that is read", () => {
		expect(parse(full)).toEqual({ ...full, job: "LOOK" });
	});

	it("has nothing that was not written", () => {
		const { toolCallId: _, next: __, starting: ___, last: ____, ...bare } = full;
		const read = parse({ ...bare, more: "of a later release" });
		expect(read).toEqual({ ...bare, job: "LOOK" });
		expect(Object.keys(read ?? {})).not.toEqual(expect.arrayContaining(["toolCallId"]));
		for (const key of [...optional, "more"]) expect(read).not.toHaveProperty(key);
	});

	it.each(Object.keys(full))("is unusable when its %s is something else", (key) => {
		for (const wrong of [{ no: "such value" }, [7], null]) {
			expect([wrong, parse({ ...full, [key]: wrong })]).toEqual([wrong, undefined]);
		}
	});

	it.each(Object.keys(full).filter((key) => !optional.includes(key)))("is unusable without its %s", (key) => {
		expect(parse({ ...full, [key]: undefined })).toBeUndefined();
	});

	it.each([
		["no object", "text"],
		["nothing", null],
		["a list", [full]],
		["an id that begins as none", { ...full, scheduleId: "../s-one1" }],
		["an id that ends as none", { ...full, scheduleId: "s-one1/" }],
		["an id that is too short", { ...full, scheduleId: "abc" }],
		["a time before the first", { ...full, next: -1 }],
		["a time behind the last", { ...full, next: lastDay + 1 }],
		["a time that is text", { ...full, createdAt: "7" }],
		["a count that is negative", { ...full, fired: -1 }],
		["a count that is broken", { ...full, skipped: 0.5 }],
		["a count that is text", { ...full, fired: "1" }],
		["an end without its time", { ...full, last: { started: "agent1" } }],
		["an end that is a list", { ...full, last: [3] }],
	])("is unusable as %s", (_what, value) => {
		expect(parse(value)).toBeUndefined();
	});

	it("may be of the first instant and of the last that a calendar has", () => {
		expect(parse({ ...full, createdAt: 0, next: lastDay })).toMatchObject({ createdAt: 0, next: lastDay });
	});

	it("keeps of how it last ended what can be read", () => {
		expect(parse({ ...full, last: { at: 3, started: 7, problem: "full" } })?.last).toEqual({ at: 3, problem: "full" });
		expect(parse({ ...full, last: { at: 3, started: "agent1", problem: 7 } })?.last).toEqual({
			at: 3,
			started: "agent1",
		});
	});
});

describe("what a kept schedule is by", () => {
	const zone = "Europe/Berlin";

	it.each([
		[{ kind: "cron", pattern: "0 9 * * *", zone }],
		[{ kind: "every", ms: 10_000, anchor: 0, zone }],
		[{ kind: "once", at: 0, zone }],
	])("is a pattern, an interval or a time: %j", (spec) => {
		expect(specOf({ ...spec, more: 1 })).toEqual(spec);
	});

	it.each([
		["a pattern that is no text", { kind: "cron", pattern: 7, zone }],
		["an interval that is too short", { kind: "every", ms: 9_999, anchor: 0, zone }],
		["an interval that is no number", { kind: "every", ms: "10000", anchor: 0, zone }],
		["an interval from nowhere", { kind: "every", ms: 10_000, zone }],
		["a time that is no number", { kind: "once", at: "0", zone }],
		["a kind that there is not", { kind: "never", pattern: "0 9 * * *", ms: 10_000, anchor: 0, at: 0, zone }],
		["a time in no zone", { kind: "once", at: 0 }],
		["a time in a zone that nobody knows", { kind: "once", at: 0, zone: "Mars/Olympus" }],
		["a zone that is no text", { kind: "once", at: 0, zone: ["Europe/Berlin"] }],
		["a list", [{ kind: "once", at: 0, zone }]],
	])("is not %s", (_what, spec) => {
		expect(specOf(spec)).toBeUndefined();
	});
});
