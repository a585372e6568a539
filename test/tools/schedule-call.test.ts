import { EMPTY, NEVER, Observable, of, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import {
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

/** Schedules of which only the making matters here. */
function schedulesThat(answer: (request: ScheduleRequest<ScheduledJob>) => Observable<ScheduleReceipt>) {
	const asked: ScheduleRequest<ScheduledJob>[] = [];
	const schedules: Schedules<ScheduledJob> = {
		open: () => undefined,
		read: () => NEVER,
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

function start(answer: (request: ScheduleRequest<ScheduledJob>) => Observable<ScheduleReceipt>) {
	const fixture = toolsFixture();
	const { asked, schedules } = schedulesThat(answer);
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
		const { tool } = start(() => new Observable(() => () => taken++));
		const controller = new AbortController();
		const rejected$ = rejection(tool.run(callOf(scheduled, controller.signal)));
		controller.abort("Esc");
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
		startScheduledJob(deps, these, fire).subscribe({
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
		expect(fixture.agents.list()).toMatchObject([{ background: true, toolCallId: "call-1" }]);
		fixture.run().end();
		expect(seen).toEqual(["agent1", "over"]);
	});

	it("runs a group, gives its id and is over when all of it is", () => {
		const fixture = toolsFixture();
		const seen = watch(fixture, { ...job, swarm: 2 });
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
