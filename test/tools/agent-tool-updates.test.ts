import { describe, expect, it } from "vitest";
import { type AgentParams, createAgentTool, type ToolCall } from "../../src/tools/index.ts";
import { callOf, promisesRun, sessionReady, toolsFixture } from "./tools-fixture.ts";

const task: AgentParams = { prompt: "Count.", description: "counts" };

function start() {
	const fixture = toolsFixture();
	const call = callOf(task);
	return { ...fixture, call, answer$: createAgentTool(fixture.deps).run(call) };
}

describe("updates of a foreground call (seed 000 §17 Updates)", () => {
	it("begin at once, with the agent's id", async () => {
		const { call, run, answer$ } = start();
		expect(call.updates).toHaveLength(1);
		expect(call.updates[0]?.text).toMatch(/^agent_id: agent1\nstatus: running\n/);
		run().end();
		await answer$;
	});

	it("show the current tool, the silence and the last text", async () => {
		const { call, run, advance, answer$ } = start();
		run().emit(sessionReady, { type: "turn_started" }, { type: "text_delta", delta: "looking\nfurther" });
		run().emit({ type: "tool_started", toolCallId: "t", toolName: "bash" });
		advance(250);
		expect(call.updates.at(-1)?.text).toContain("\n\ncurrent tool: bash\nsilent: 0.3s\nlast text:\nlooking\nfurther");
		expect(call.updates.at(-1)?.details).toMatchObject({ turns: 1, current_tools: ["bash"], silent_ms: 250 });
		run().end();
		await answer$;
	});

	it("are at most four a second, the latest of each span, however much happens (seed 000 §17 Updates: several updates)", async () => {
		const { call, run, advance, answer$ } = start();
		for (let i = 0; i < 200; i++) {
			run().emit({ type: "text_delta", delta: "x" }, { type: "turn_started" });
			advance(10);
		}
		// Two seconds: one at once and eight after a quarter each.
		expect(call.updates.length).toBeLessThanOrEqual(9);
		expect(call.updates.length).toBeGreaterThanOrEqual(8);
		run().end();
		await answer$;
	});

	it("go on while the agent is silent, so that its silence can be seen", async () => {
		const { call, run, advance, answer$ } = start();
		advance(3_000);
		expect(call.updates.map((update) => /silent: (.*)/.exec(update.text)?.[1])).toEqual(["0s", "1s", "2s", "3s"]);
		run().end();
		await answer$;
	});

	it("stop at the end: none is pending, and nothing ticks any more (seed 000 §17 Updates: no accepted update after settlement)", async () => {
		const { call, run, advance, answer$ } = start();
		run().emit({ type: "turn_started" });
		const before = call.updates.length;
		run().end();
		await answer$;
		advance(10_000);
		expect(call.updates).toHaveLength(before);
	});

	it("do not hold the result back when one was pending", async () => {
		const { run, answer$ } = start();
		run().emit({ type: "turn_started" });
		run().end();
		// No time has passed: the throttle's span is still open.
		expect((await answer$).isError).toBe(false);
	});

	it("stop at an abort", async () => {
		const fixture = toolsFixture({ stopTakes: 2_000 });
		const abort = new AbortController();
		const call = callOf(task, abort.signal);
		const answer$ = createAgentTool(fixture.deps).run(call);
		abort.abort();
		const before = call.updates.length;
		fixture.advance(10_000);
		await expect(answer$).rejects.toThrow("agent_id: agent1");
		expect(call.updates).toHaveLength(before);
	});

	it("decide nothing: a host that throws on them gets its result all the same (seed 000 §15.15)", async () => {
		const { deps, run } = toolsFixture();
		const call: ToolCall<AgentParams> = {
			...callOf(task),
			update: () => {
				throw new Error("the host is gone");
			},
		};
		const answer$ = createAgentTool(deps).run(call);
		run().emit({ type: "turn_started" });
		await promisesRun();
		run().end({ text: "here" });
		expect((await answer$).text).toMatch(/here$/);
		expect(run().stops).toEqual([]);
	});
});

describe("a background call", () => {
	const background: AgentParams = { ...task, run_in_background: true };

	it("returns at once, with the id and how to go on (seed 000 §17 Success: required identifiers, invariant 4)", async () => {
		const { deps } = toolsFixture();
		const answer = await createAgentTool(deps).run(callOf(background));
		expect(answer.isError).toBe(false);
		expect(answer.text).toMatch(/^agent_id: agent1\nstatus: running\n/);
		for (const word of ["get_subagent_result", "steer_subagent", "by itself", "do not sleep or poll"]) {
			expect(answer.text).toContain(word);
		}
		expect(answer.details).toMatchObject({ background: true, correlation_id: "correlation1" });
	});

	it("says that the session waits for it, where the session ends with the answer", async () => {
		const { deps } = toolsFixture({ oneShot: () => true });
		const { text } = await createAgentTool(deps).run(callOf(background));
		expect(text).toContain("This session does not end before its agents have");
		expect(text).toMatch(/by themselves .* before your final answer.*end your turn.*wait: true/);
	});

	it("tells its place in line when all slots are taken", async () => {
		const { deps, runs } = toolsFixture({ maxConcurrent: 1 });
		const tool = createAgentTool(deps);
		for (const _ of [1, 2]) await tool.run(callOf(background));
		const answer = await tool.run(callOf(background));
		expect(answer.text).toMatch(/\nstatus: queued\n[\s\S]*\nplace in line: 2\n/);
		expect(answer.details).toMatchObject({ status: "queued", place_in_line: 2 });
		expect(runs).toHaveLength(1);
	});

	it("says which value came from where, and what is other than asked for", async () => {
		const { deps } = toolsFixture();
		const params: AgentParams = { ...background, model: "local/small", thinking: "high", max_turns: 9 };
		const { text, details } = await createAgentTool(deps).run(callOf(params));
		expect(text).toContain("set by: model (call), thinking off (call), max_turns 9 (call)");
		expect(text).toMatch(/\nnote: thinking: off/);
		expect(details).toMatchObject({ notes: [expect.stringContaining("thinking: off")] });
	});

	it("is the default where the settings say so, and a call may say otherwise", async () => {
		const { deps, run } = toolsFixture({ settings: { backgroundByDefault: true } });
		const tool = createAgentTool(deps);
		expect((await tool.run(callOf(task))).details).toMatchObject({ background: true });
		const foreground$ = tool.run(callOf({ ...task, run_in_background: false }));
		run(1).end();
		expect((await foreground$).details).toMatchObject({ background: false, status: "completed" });
	});

	it("shows no update, whatever its agent does (seed 000 §17 Updates: no update)", async () => {
		const { deps, run, advance } = toolsFixture();
		const call = callOf(background);
		const answer = await createAgentTool(deps).run(call);
		run().emit(sessionReady, { type: "turn_started" });
		advance(5_000);
		run().end();
		expect(call.updates).toEqual([]);
		expect(answer.isError).toBe(false);
	});

	it("keeps nothing of the call's signal: a later abort does not reach it (seed 000 §15.23)", async () => {
		const { deps, run } = toolsFixture();
		const abort = new AbortController();
		await createAgentTool(deps).run(callOf(background, abort.signal));
		abort.abort();
		expect(run().stops).toEqual([]);
	});

	it("leaves the result to whoever comes for it, also when the agent has ended at once", async () => {
		const { deps, published, agents, stopByUser } = toolsFixture();
		const spawn: typeof agents.spawn = (request) => {
			const record = agents.spawn(request);
			stopByUser(record.agentId);
			return record;
		};
		const answer = await createAgentTool({ ...deps, agents: { ...agents, spawn } }).run(callOf(background));
		expect(answer.text).toContain("status: stopped");
		expect([...published.values()].map(({ claim }) => claim.state.kind)).toEqual(["held"]);
	});
});
