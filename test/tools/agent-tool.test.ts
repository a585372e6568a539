import { describe, expect, it } from "vitest";
import { noSpend, type OwnAgents, SpawnRefused } from "../../src/streams/index.ts";
import { type AgentParams, createAgentTool, type ToolDeps } from "../../src/tools/index.ts";
import {
	callOf,
	type FixtureOptions,
	pretend,
	promisesRun,
	rejection,
	sessionReady,
	toolsFixture,
} from "./tools-fixture.ts";

const task: AgentParams = { prompt: "Count the secrets of the temple.", description: "count secrets" };

function start(options: FixtureOptions = {}, over: Partial<ToolDeps> = {}) {
	const fixture = toolsFixture(options);
	return { ...fixture, tool: createAgentTool({ ...fixture.deps, ...over }) };
}

describe("a foreground call", () => {
	it("blocks until the agent has ended and returns its answer (seed 000 §17 Success: normal return)", async () => {
		const { tool, run, advance } = start();
		const call = callOf(task);
		const answer$ = tool.run(call);
		advance(2_000);
		run().end({ text: "There are seven." });
		const answer = await answer$;
		expect(answer.isError).toBe(false);
		expect(answer.text).toBe(
			[
				"agent_id: agent1",
				"status: completed",
				"type: general-purpose · model: local/parent · turns: 0 · tools: 0 · tokens: 0/0 · cost: $0 · time: 2s",
				"",
				"There are seven.",
			].join("\n"),
		);
		expect(answer.details).toMatchObject({
			kind: "agent",
			agent_id: "agent1",
			status: "completed",
			reason: "done",
			correlation_id: "correlation1",
			toolCallId: "call-1",
			duration_ms: 2_000,
		});
		expect(answer.structured).toMatchObject({ agent_id: "agent1", text: "There are seven." });
		expect(JSON.parse(JSON.stringify(answer.details))).toEqual(answer.details);
	});

	it("gives the run its effective configuration", async () => {
		const { tool, run } = start();
		const params: AgentParams = {
			...task,
			subagent_type: "EXPLORE",
			model: "local/small",
			max_turns: 7,
			isolated: true,
		};
		const answer$ = tool.run(callOf(params));
		expect(run().spec).toMatchObject({
			prompt: task.prompt,
			config: {
				subagentType: "explore",
				model: "local/small",
				thinking: "off",
				isolated: true,
				limits: { maxTurns: 7 },
			},
		});
		run().end();
		await answer$;
	});

	it("is an error with the partial text when the agent failed (seed 000 §17 Failure, invariant 5)", async () => {
		const { tool, run } = start();
		const answer$ = tool.run(callOf(task));
		run().end({ verdict: { status: "error", reason: "provider_error" }, text: "One, two", message: "overloaded" });
		const answer = await answer$;
		expect(answer.isError).toBe(true);
		expect(answer.text).toContain("status: error (provider_error)");
		expect(answer.text).toContain("overloaded");
		expect(answer.text).toContain("One, two");
	});

	it("is an error when a person stopped the agent meanwhile", async () => {
		const { tool, stopByUser } = start();
		const answer$ = tool.run(callOf(task));
		stopByUser("agent1");
		const answer = await answer$;
		expect(answer.isError).toBe(true);
		expect(answer.text).toMatch(/status: stopped \(stopped_by_user\)[\s\S]*partial work/);
	});

	it("cuts a long answer in place and says where the whole of it is", async () => {
		const { tool, run } = start();
		const answer$ = tool.run(callOf(task));
		run().end({ text: `BEGIN${"x".repeat(50_000)}END` });
		const { text, details, structured } = await answer$;
		expect(text).toContain("\noutput: /texts/agent1.md\n\nBEGIN");
		expect(text.endsWith("END")).toBe(true);
		expect(text.length).toBeLessThan(24_500);
		expect(details).toMatchObject({ output_path: "/texts/agent1.md" });
		expect(structured?.output_path).toBe("/texts/agent1.md");
		expect(JSON.stringify(details)).not.toContain("xxx");
	});

	it.each<[string, Pick<FixtureOptions, "fullTextPath">]>([
		["fails", { fullTextPath: () => Promise.reject(new Error("disk full")) }],
		[
			"throws",
			{
				fullTextPath: () => {
					throw new Error("disk gone");
				},
			},
		],
		["never ends", { fullTextPath: () => new Promise(() => undefined) }],
	])(
		"returns what it has when saving the whole text %s (seed 000 §17 Failure: synchronous throw, async rejection)",
		async (_how, options) => {
			const { tool, run, advance } = start(options);
			const answer$ = tool.run(callOf(task));
			run().end({ text: "x".repeat(50_000) });
			await promisesRun();
			advance(5_000);
			const { text, isError } = await answer$;
			expect(isError).toBe(false);
			expect(text).not.toContain("output:");
			expect(text).toContain("characters cut here");
		},
	);

	it("carries what was spent, once", async () => {
		const { tool, run } = start();
		const spend = { ...noSpend, input: 10, output: 5, cost: 0.5 };
		const first$ = tool.run(callOf(task));
		run().emit({ type: "message_ended", text: "one", spend });
		run().end();
		const second$ = tool.run(callOf(task));
		run(1).end();
		expect((await first$).spend).toEqual(spend);
		expect((await second$).spend).toBeUndefined();
	});

	it("never repeats the task", async () => {
		const { tool, run } = start();
		const call = callOf(task);
		const answer$ = tool.run(call);
		run().emit(sessionReady, { type: "turn_started" });
		run().end({ verdict: { status: "aborted", reason: "turn_limit" } });
		expect(JSON.stringify([await answer$, call.updates])).not.toContain("secrets of the temple");
	});
});

describe("a call that is refused", () => {
	it.each<[string, unknown, readonly string[]]>([
		["a blank prompt", { ...task, prompt: " " }, ["prompt must not be blank"]],
		["an unknown type", { ...task, subagent_type: "explorer" }, ['"explorer"', "explore, "]],
		["an unknown model", { ...task, model: "nowhere/big" }, ['"nowhere/big"', "local/parent"]],
		["a model name that fits several", { ...task, model: "small" }, ["local/small", "other/small"]],
		["a level that there is not", { ...task, thinking: "deep" }, ["xhigh"]],
		["a parameter that there is not", { ...task, warm: 3 }, ['"warm"']],
		["no object", "do it", ["must be an object"]],
		["nothing", null, ["must be an object"]],
		[
			"several things at once",
			{ prompt: "", subagent_type: "explorer", max_turns: 0, members: [], crew: 1 },
			[
				"prompt must not be blank",
				"description is required",
				"max_turns",
				"members must have 2 to 16 items",
				'"crew"',
				'"explorer"',
			],
		],
	])(
		"starts nothing and names all that is wrong: %s (seed 000 §17 Semantic validation: no side effects on rejection, invariant 3)",
		async (_name, params, words) => {
			const { tool, runs, agents } = start();
			const answer = await tool.run(callOf(pretend<AgentParams>(params)));
			expect(answer.isError).toBe(true);
			expect(answer.text).toMatch(/^Nothing was started:/);
			for (const word of words) expect(answer.text).toContain(word);
			expect(answer.details).toMatchObject({ kind: "problem", toolCallId: "call-1" });
			expect(answer.text).not.toContain("agent_id:");
			expect([runs.length, agents.list().length]).toEqual([0, 0]);
		},
	);

	it("says why when no more agents may be started", async () => {
		const { tool } = start({ maxAgents: 1 });
		await tool.run(callOf({ ...task, run_in_background: true }));
		const answer = await tool.run(callOf(task));
		expect(answer.isError).toBe(true);
		expect(answer.text).toMatch(/^Nothing was started: .*maxAgents/);
	});

	it("hands on what is no refusal (seed 000 §17 Failure: synchronous throw)", async () => {
		const fault = new Error("a fault of ours");
		const { deps } = toolsFixture();
		const agents: OwnAgents = {
			...deps.agents,
			spawn: () => {
				throw fault;
			},
		};
		expect(await rejection(createAgentTool({ ...deps, agents }).run(callOf(task)))).toBe(fault);
		expect(fault).not.toBeInstanceOf(SpawnRefused);
	});
});
