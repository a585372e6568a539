import { EMPTY, NEVER, Observable, of, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	type ReadSchedule,
	type ScheduleFire,
	type ScheduleId,
	type ScheduleReceipt,
	ScheduleRefused,
	type ScheduleRequest,
	type Schedules,
	toToolCallId,
} from "../../src/streams/index.ts";
import {
	type AgentParams,
	createAgentTool,
	type ScheduledJob,
	startScheduledJob,
	type ToolCallAborted,
} from "../../src/tools/index.ts";
import { callOf, rejection, type ToolsFixture, toolsFixture } from "./tools-fixture.ts";

const scheduleId = "sched-1" as ScheduleId;
const scheduled: AgentParams = { prompt: "look", description: "looks", model: "local/small", schedule: "5m" };
const made: ScheduleReceipt = {
	scheduleId,
	words: "every 5 minutes (UTC)",
	next: ["2026-01-01 00:05 +00:00", "2026-01-01 00:10 +00:00"],
	sessionOnly: false,
};

const right: ReadSchedule = {
	ok: true,
	spec: { kind: "every", ms: 300_000, anchor: 0, zone: "UTC" },
	words: made.words,
	next: made.next,
};
const wrong: ReadSchedule = { ok: false, problem: '"5x" is no schedule' };

/** Schedules of which only the making matters here. */
function schedulesThat(
	answer: (request: ScheduleRequest<ScheduledJob>) => Observable<ScheduleReceipt>,
	understood: ReadSchedule,
) {
	const asked: ScheduleRequest<ScheduledJob>[] = [];
	const schedules: Schedules<ScheduledJob> = {
		open: () => undefined,
		read: () => of(understood),
		add: (request) => {
			asked.push(request);
			return answer(request);
		},
		list: () => [],
		pause: () => NEVER,
		resume: () => NEVER,
		cancel: () => NEVER,
		changes$: NEVER,
		close: () => EMPTY,
	};
	return { asked, schedules };
}

function start(
	answer: (request: ScheduleRequest<ScheduledJob>) => Observable<ScheduleReceipt>,
	understood: ReadSchedule = right,
) {
	const fixture = toolsFixture();
	const { asked, schedules } = schedulesThat(answer, understood);
	return { ...fixture, asked, tool: createAgentTool({ ...fixture.deps, schedules }) };
}

describe("a call with a schedule", () => {
	it("starts nothing, and answers with the id, what was understood and the next times", async () => {
		const { tool, asked, runs } = start(() => of(made));
		const { text, isError, details } = await tool.run(callOf({ ...scheduled, run_in_background: true }));
		expect(isError).toBe(false);
		expect(text).toMatch(
			/^schedule_id: sched-1\nwhen: every 5 minutes \(UTC\)\nnext: 2026-01-01 00:05 \+00:00\nnext: 2026-01-01 00:10 /,
		);
		expect(text).toContain("kept with this session");
		expect(details).toMatchObject({ kind: "schedule", schedule_id: "sched-1", toolCallId: "call-1" });
		expect(asked).toEqual([
			{
				text: "5m",
				job: { prompt: "look", description: "looks", model: "local/small" },
				description: "looks",
				toolCallId: "call-1",
			},
		]);
		expect(runs).toEqual([]);
	});

	it("says when a schedule ends with the session", async () => {
		const { tool } = start(() => of({ ...made, sessionOnly: true }));
		expect((await tool.run(callOf(scheduled))).text).toContain("ends with this session");
	});

	it("is refused with the reason when the schedule is", async () => {
		const { tool } = start(() => throwError(() => new ScheduleRefused('"5x" is no schedule')));
		const { text, isError } = await tool.run(callOf({ ...scheduled, schedule: "5x" }));
		expect([text, isError]).toEqual(['Nothing was scheduled: "5x" is no schedule', true]);
	});

	it("is refused with what is wrong with its text, together with all else that is wrong, before anything is asked for", async () => {
		const { tool, asked } = start(() => of(made), wrong);
		expect((await tool.run(callOf({ ...scheduled, schedule: "5x" }))).text).toBe(
			'Nothing was scheduled: "5x" is no schedule',
		);
		const { text, isError } = await tool.run(
			callOf({ ...scheduled, schedule: "5x", model: "nowhere/big", run_in_background: false }),
		);
		expect(isError).toBe(true);
		expect(text).toMatch(
			/^Nothing was started:\n- schedule does not go with run_in_background: false\n- no model "nowhere\/big" .*\n- "5x" is no schedule$/,
		);
		expect(asked).toEqual([]);
	});

	it("is estimated as what starts in the background at its times, and refused when its text is wrong", async () => {
		const { tool, asked, runs } = start(() => of(made));
		const estimate = await tool.run(callOf({ ...scheduled, estimate_only: true }));
		expect(estimate.isError).toBe(false);
		expect(estimate.text).toMatch(
			/^Estimate: nothing was started\. .*in the background\n\nwhen: every 5 minutes \(UTC\)\nnext: /,
		);
		const { tool: other } = start(() => of(made), wrong);
		expect((await other.run(callOf({ ...scheduled, estimate_only: true }))).isError).toBe(true);
		expect([asked, runs]).toEqual([[], []]);
	});

	it("is refused where the session keeps none", async () => {
		const { deps } = toolsFixture();
		const { text, isError } = await createAgentTool(deps).run(callOf(scheduled));
		expect(isError).toBe(true);
		expect(text).toMatch(/^Nothing was scheduled: /);
	});

	it("asks for no schedule when anything else is wrong", async () => {
		const { tool, asked } = start(() => of(made));
		const { isError } = await tool.run(callOf({ ...scheduled, model: "nowhere/big" }));
		expect([isError, asked]).toEqual([true, []]);
	});

	it("takes the schedule back when it is aborted before it is written down", async () => {
		let taken = 0;
		const controller = new AbortController();
		const { tool } = start(
			() =>
				new Observable(() => {
					queueMicrotask(() => controller.abort("Esc"));
					return () => taken++;
				}),
		);
		const rejected$ = rejection(tool.run(callOf(scheduled, controller.signal)));
		const error = (await rejected$) as ToolCallAborted;
		expect([error.name, error.cause, taken]).toEqual(["AbortError", "Esc", 1]);
		expect(error.message).toContain("there is none");
	});
});

describe("the start of a scheduled job", () => {
	const fire: ScheduleFire = { scheduleId, description: "looks", at: 0, toolCallId: toToolCallId("call-1") };
	const job: ScheduledJob = { prompt: "look", description: "looks" };

	/** What has come of a start so far. */
	function watch({ deps }: ToolsFixture, these: ScheduledJob): unknown[] {
		const seen: unknown[] = [];
		// Ends with the job, which each test brings to its end.
		void startScheduledJob(deps, these, fire).subscribe({
			next: (id) => seen.push(id),
			error: (error: unknown) => seen.push(error),
			complete: () => seen.push("over"),
		});
		return seen;
	}

	it("runs an agent in the background, gives its id at once and is over when the agent is", () => {
		const fixture = toolsFixture();
		const seen = watch(fixture, job);
		expect(seen).toEqual(["agent1"]);
		expect(fixture.agents.list()).toMatchObject([
			{ background: true, toolCallId: "call-1", schedule: scheduleId, status: "running" },
		]);
		fixture.run().end();
		expect(fixture.agents.list()).toMatchObject([{ schedule: scheduleId, status: "completed" }]);
		expect(seen).toEqual(["agent1", "over"]);
	});

	it("runs a group, gives its id and is over when all of it is", () => {
		const fixture = toolsFixture();
		const seen = watch(fixture, { ...job, swarm: 2 });
		expect(fixture.agents.list()).toMatchObject([{ schedule: scheduleId }, { schedule: scheduleId }]);
		fixture.run(0).end();
		expect(seen).toEqual(["group1"]);
		fixture.run(1).end();
		expect(seen).toEqual(["group1", "over"]);
	});

	it("fails with the reason when its model is gone, or when there is no room", () => {
		const [gone] = watch(toolsFixture(), { ...job, model: "nowhere/big" });
		expect(gone).toBeInstanceOf(ScheduleRefused);
		expect(String(gone)).toContain("nowhere/big");
		const [full] = watch(toolsFixture({ maxAgents: 1 }), { ...job, swarm: 2 });
		expect(full).toBeInstanceOf(ScheduleRefused);
		expect(String(full)).toContain("maxAgents");
	});
});
