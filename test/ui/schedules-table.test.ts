import { describe, expect, it } from "vitest";
import type { Schedule, ScheduleId } from "../../src/streams/index.ts";
import { agentsCompletions, parseAgentsCommand, scheduleChanged, schedulesTable } from "../../src/ui/index.ts";

const at = (iso: string) => Date.parse(iso);

const schedule = (more: Partial<Schedule<unknown>> = {}): Schedule<unknown> => ({
	scheduleId: "s-0001" as ScheduleId,
	text: "0 9 * * *",
	spec: { kind: "cron", pattern: "0 9 * * *", zone: "Europe/Berlin" },
	words: "at 09:00 (Europe/Berlin)",
	job: {},
	description: "a look",
	createdAt: at("2026-11-30T16:00:00Z"),
	paused: false,
	fired: 2,
	skipped: 1,
	running: false,
	...more,
});

describe("schedulesTable", () => {
	it("has a line a schedule: its state, its next and last times, what came of them, and what it is", () => {
		const rows = schedulesTable([
			schedule({ next: at("2026-12-01T08:00:00Z"), last: { at: at("2026-11-30T08:00:00Z"), started: "abcd1234" } }),
			schedule({ paused: true, running: true, last: { at: at("2026-11-30T08:00:00Z"), problem: "no slot" } }),
		])
			.split("\n")
			.map((line) => line.split(/ {2,}/));
		expect(rows).toEqual([
			["id", "state", "next", "last", "started", "skipped", "when", "description"],
			[
				"s-0001",
				"waiting",
				"Tue 2026-12-01 09:00 UTC+01:00",
				"Mon 2026-11-30 09:00 UTC+01:00 abcd1234",
				"2",
				"1",
				"at 09:00 (Europe/Berlin)",
				"a look",
			],
			[
				"s-0001",
				"paused, at work",
				"-",
				"Mon 2026-11-30 09:00 UTC+01:00 failed",
				"2",
				"1",
				"at 09:00 (Europe/Berlin)",
				"a look",
			],
		]);
	});

	it("lets no description write to the terminal, and says when there are none", () => {
		expect(schedulesTable([schedule({ description: "a\u001b[2J\nb" })])).not.toMatch(/\p{Cc}b|\[2J/u);
		expect(schedulesTable([])).toBe("No schedules in this session.");
	});
});

describe("/agents schedules", () => {
	it.each([
		["schedules", { type: "schedules" }],
		["schedules pause s-1", { type: "schedules", act: "pause", id: "s-1" }],
		["Schedules  resume  s-1 ", { type: "schedules", act: "resume", id: "s-1" }],
		["schedules cancel s-1", { type: "schedules", act: "cancel", id: "s-1" }],
		["schedules pause", { type: "problem", message: "Usage: /agents schedules [pause|resume|cancel <id>]" }],
		["schedules stop s-1", { type: "problem", message: "Usage: /agents schedules [pause|resume|cancel <id>]" }],
		["schedules pause s-1 s-2", { type: "problem", message: "Usage: /agents schedules [pause|resume|cancel <id>]" }],
	])("reads %j", (args, command) => expect(parseAgentsCommand(args)).toEqual(command));

	it("offers what can be done, then the schedules", () => {
		const offered = (typed: string, schedules: readonly Schedule<unknown>[]) =>
			agentsCompletions(typed, [], [], schedules)?.map(({ value }) => value);
		expect(offered("schedules ", [schedule()])).toEqual(["schedules pause", "schedules resume", "schedules cancel"]);
		expect(offered("schedules pause ", [schedule()])).toEqual(["schedules pause s-0001"]);
		expect(offered("schedules ", [])).toBeUndefined();
		expect(offered("schedules pause s-0001 ", [schedule()])).toBeUndefined();
	});

	it("says what it did, and that what was started goes on", () => {
		const next = at("2026-12-01T08:00:00Z");
		expect(scheduleChanged("pause", schedule({ running: true }))).toMatch(
			/^Paused s-0001.*What it has started goes on\.$/,
		);
		expect(scheduleChanged("resume", schedule({ next }))).toBe(
			"s-0001 goes on: next is Tue 2026-12-01 09:00 UTC+01:00.",
		);
		expect(scheduleChanged("cancel", schedule())).toBe("Cancelled s-0001.");
	});
});
