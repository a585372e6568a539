import { Subject, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type ScheduleEntry, type ScheduleFire, type ScheduleId, toToolCallId } from "../../src/streams/index.ts";
import { createScheduleRuns } from "../../src/streams/schedule-runs.ts";

const id = "s-1" as ScheduleId;
const at = Date.parse("2026-11-30T16:00:00Z");
const entry: ScheduleEntry<string> = {
	scheduleId: id,
	text: "1h",
	spec: { kind: "every", ms: 3_600_000, anchor: 0, zone: "UTC" },
	job: "look",
	description: "a look",
	createdAt: 0,
	paused: false,
	next: at,
	fired: 1,
	skipped: 0,
};
const open = { ...entry, starting: at };

function world(failure?: Error) {
	const job$ = new Subject<string>();
	const log: string[] = [];
	const fires: ScheduleFire[] = [];
	const runs = createScheduleRuns<string>({
		start: (_job, fire) => {
			fires.push(fire);
			return failure ? throwError(() => failure) : job$;
		},
		notify: (text, level) => log.push(`${level}: ${text}`),
		onStarted: () => log.push("started"),
		onChange: () => log.push("change"),
	});
	const act = (what: "start" | "overlap" | "missed", left: ScheduleEntry<string> | undefined = entry) =>
		runs.carryOut({ before: entry, plan: { act: what, at, entry: left } });
	return { job$, log, fires, runs, act };
}

describe("the job of a schedule", () => {
	it("is told which schedule and time it is of, and which call made that", () => {
		const { runs, fires, act } = world();
		act("start");
		expect(fires).toStrictEqual([{ scheduleId: id, description: "a look", at }]);
		const toolCallId = toToolCallId("t1");
		runs.carryOut({ before: { ...entry, toolCallId }, plan: { act: "start", at, entry } });
		expect(fires[1]).toStrictEqual({ scheduleId: id, description: "a look", at, toolCallId });
	});

	it("is under way until it ends, and its start is open until it has an id", () => {
		const { job$, log, runs, act } = world();
		act("start");
		expect([runs.isRunning(id), runs.known(open), runs.settle(open)]).toEqual([true, open, open]);
		runs.settled(id);
		expect(runs.settle(open)).toBe(open);
		job$.next("agent1");
		job$.next("agent1");
		expect(log).toEqual(["started"]);
		expect(runs.known(open)).toEqual({ ...entry, last: { at, started: "agent1" }, fired: 2 });
		job$.complete();
		expect([runs.isRunning(id), log]).toEqual([false, ["started", "change"]]);
	});

	it("is none of an entry that is not being started, and nobody is told anything", () => {
		const { runs, log } = world();
		expect([runs.settle(entry), runs.known(entry), log]).toEqual([entry, entry, []]);
	});

	it("changes nothing of an entry whose start is not open", () => {
		const { job$, runs, act, log } = world();
		act("start");
		job$.next("agent1");
		expect([runs.known(entry), runs.settle(entry)]).toEqual([entry, entry]);
		expect(log).toEqual(["started"]);
	});

	it("is forgotten once what it came to is written: a start that is found open then is one of a process before", () => {
		const { job$, log, runs, act } = world();
		act("start");
		job$.next("agent1");
		runs.settled(id);
		expect(runs.known(open)).toBe(open);
		expect(runs.settle(open)).toEqual({ ...entry, last: { at, problem: "Pi ended while it was starting" } });
		expect(log.at(-1)).toMatch(
			/^warning: Schedule s-1 \(a look\): Pi ended just when it was starting for Mon 2026-11-30/,
		);
	});

	it("that comes to nothing is written down as that", () => {
		const { job$, log, runs, act } = world();
		act("start");
		job$.complete();
		expect(runs.known(open)).toEqual({ ...entry, last: { at, problem: "nothing was started" } });
		expect(log).toEqual(["change", "started"]);
	});

	it("that fails is told to the person, and written down with the reason", () => {
		const { log, runs, act } = world(new Error("full"));
		act("start");
		expect(log).toEqual(["warning: Schedule s-1 (a look): full", "change", "started"]);
		expect([runs.isRunning(id), runs.known(open)]).toEqual([false, { ...entry, last: { at, problem: "full" } }]);
	});

	it("is not followed any more after the end of the session, and not stopped", () => {
		const { job$, runs, act } = world();
		act("start");
		expect(job$.observed).toBe(true);
		runs.close();
		expect(job$.observed).toBe(false);
	});
});

describe("a time that is left out", () => {
	it("is said once for each job that takes too long", () => {
		const { job$, log, act } = world();
		act("start");
		act("overlap");
		act("overlap");
		const said =
			"info: Schedule s-1 (a look): left out at Mon 2026-11-30 16:00 UTC+00:00, since it is still at work on an earlier time.";
		expect(log).toEqual([said]);
		job$.complete();
		act("start");
		act("overlap");
		expect(log.filter((one) => one === said)).toHaveLength(2);
	});

	it("is said as missed each time, and when it was the last", () => {
		const { log, runs, act } = world();
		act("missed");
		runs.carryOut({ before: entry, plan: { act: "missed", at, entry: undefined } });
		const said =
			"warning: Schedule s-1 (a look): Mon 2026-11-30 16:00 UTC+00:00 passed while nothing could start it, and is left out.";
		expect(log).toEqual([said, `${said} It had no other time, and has ended.`]);
	});
});
