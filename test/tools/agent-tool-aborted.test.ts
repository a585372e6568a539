import { describe, expect, it } from "vitest";
import { noSpend, type OwnAgents } from "../../src/streams/index.ts";
import { type AgentParams, createAgentTool, ToolCallAborted, type ToolDeps } from "../../src/tools/index.ts";
import { abortListeners } from "../support/abort.ts";
import { callOf, type FixtureOptions, pretend, promisesRun, rejection, toolsFixture } from "./tools-fixture.ts";

const task: AgentParams = { prompt: "Count the secrets of the temple.", description: "count secrets" };

function start(options: FixtureOptions = {}, over: Partial<ToolDeps> = {}) {
	const fixture = toolsFixture(options);
	return { ...fixture, tool: createAgentTool({ ...fixture.deps, ...over }) };
}

describe("an aborted call (seed 000 §17 Cancellation)", () => {
	const reason = { why: "Esc" };

	it.each([{ run_in_background: false }, { run_in_background: true }])(
		"starts nothing when it was aborted before: %o (seed 000 §17 Cancellation: pre-aborted signal)",
		async (over) => {
			const { tool, agents } = start();
			const { signal } = aborted(reason);
			const error = await rejection(tool.run(callOf({ ...task, ...over }, signal)));
			expect(error).toBeInstanceOf(ToolCallAborted);
			expect(error).toMatchObject({ name: "AbortError" });
			expect((error as ToolCallAborted).cause).toBe(reason);
			expect(agents.list()).toEqual([]);
			expect(abortListeners(signal)).toBe(0);
		},
	);

	it("is refused as aborted even when its parameters are wrong", async () => {
		const { tool } = start();
		const error = await rejection(tool.run(callOf(pretend<AgentParams>({}), aborted(reason).signal)));
		expect(error).toBeInstanceOf(ToolCallAborted);
	});

	it("stops its agent, waits for its end and keeps what it wrote (seed 000 §17 Cancellation: nested abort)", async () => {
		const { tool, run, advance } = start({ stopTakes: 3_000 });
		const abort = new AbortController();
		const answer$ = tool.run(callOf(task, abort.signal));
		let over = false;
		const error$ = rejection(answer$).finally(() => {
			over = true;
		});
		advance(1_000);
		abort.abort(reason);
		expect(run().stops).toEqual([{ status: "stopped", reason: "stopped_by_parent" }]);
		advance(2_999);
		await promisesRun();
		expect(over).toBe(false);
		advance(1);
		const error = (await error$) as ToolCallAborted;
		expect(error.cause).toBe(reason);
		expect(error.message).toMatch(/^agent_id: agent1\nstatus: stopped \(stopped_by_parent\)\n[\s\S]*partial work$/);
		expect(error.details).toMatchObject({ kind: "agent", status: "stopped", correlation_id: "correlation1" });
	});

	it.each<[string, unknown]>([
		["nothing", undefined],
		["null", null],
		["a word", "stop"],
		["an error", new Error("stop")],
	])("has the signal's own reason as its cause, also when that is %s", async (_name, why) => {
		const { tool } = start();
		const abort = new AbortController();
		const error$ = rejection(tool.run(callOf(task, abort.signal)));
		abort.abort(why);
		expect(((await error$) as ToolCallAborted).cause).toBe(abort.signal.reason);
	});

	it("stops the agent when the abort comes while it is being spawned", async () => {
		const { deps, run } = toolsFixture();
		const abort = new AbortController();
		const agents: OwnAgents = {
			...deps.agents,
			spawn: (request) => {
				const record = deps.agents.spawn(request);
				abort.abort(reason);
				return record;
			},
		};
		const error = await rejection(createAgentTool({ ...deps, agents }).run(callOf(task, abort.signal)));
		expect((error as ToolCallAborted).cause).toBe(reason);
		expect(run().stops).toHaveLength(1);
	});

	it("takes no spend with it: that rides on the next result", async () => {
		const { tool, run, agents } = start();
		const abort = new AbortController();
		const error$ = rejection(tool.run(callOf(task, abort.signal)));
		run().emit({ type: "message_ended", text: "one", spend: { ...noSpend, input: 10 } });
		abort.abort(reason);
		await error$;
		const next$ = tool.run(callOf(task));
		run(1).end();
		expect((await next$).spend?.input).toBe(10);
		expect(agents.list()).toHaveLength(2);
	});

	it.each<[string, (fixture: ReturnType<typeof start>, abort: AbortController) => void]>([
		["success", ({ run }) => run().end()],
		["failure", ({ run }) => run().end({ verdict: { status: "error", reason: "internal" } })],
		["abort", (_fixture, abort) => abort.abort(reason)],
	])(
		"leaves no listener on the signal after %s (seed 000 §17 Cancellation: listener cleanup)",
		async (_name, finish) => {
			const fixture = start();
			const abort = new AbortController();
			const settled$ = Promise.allSettled([fixture.tool.run(callOf(task, abort.signal))]);
			expect(abortListeners(abort.signal)).toBe(1);
			finish(fixture, abort);
			await settled$;
			expect(abortListeners(abort.signal)).toBe(0);
		},
	);

	it("that had ended before keeps its answer", async () => {
		const { tool, run } = start();
		const abort = new AbortController();
		const answer$ = tool.run(callOf(task, abort.signal));
		run().end();
		abort.abort(reason);
		expect((await answer$).isError).toBe(false);
		expect(run().stops).toEqual([]);
	});
});

function aborted(reason: unknown): AbortController {
	const abort = new AbortController();
	abort.abort(reason);
	return abort;
}
