import { describe, expect, it } from "vitest";
import { builtInProfiles } from "../../src/profiles/index.ts";
import { type AgentParams, createAgentTool } from "../../src/tools/index.ts";
import { callOf, type FixtureOptions, toolsFixture } from "./tools-fixture.ts";

const task: AgentParams = { prompt: "Count the secrets.", description: "count secrets" };

function start(options: FixtureOptions = {}) {
	const fixture = toolsFixture(options);
	const tool = createAgentTool(fixture.deps);
	const call = (more: Partial<AgentParams> = {}) => tool.run(callOf({ ...task, ...more }));
	return { ...fixture, call };
}

/** An agent that has ended, of a kind that another call has asked for. */
async function withEnded(more: Partial<AgentParams> = {}, options: FixtureOptions = {}) {
	const fixture = start(options);
	const first = fixture.call(more);
	fixture.run().end({ text: "Seven." });
	await first;
	return fixture;
}

describe("a call that resumes an agent", () => {
	it("goes on under the same ids in the foreground, and returns the answer of the new run", async () => {
		const { call, run, agents } = await withEnded();
		const answer$ = call({ resume: "agent1", prompt: "And now?" });
		run(1).end({ text: "Eight." });
		const answer = await answer$;
		expect(answer.text).toMatch(/^agent_id: agent1\nstatus: completed\n.*\n\nEight\.$/);
		expect(answer.details).toMatchObject({ agent_id: "agent1", run: 2, correlation_id: "correlation1" });
		expect(run(1).spec).toMatchObject({ agentId: "agent1", run: 2, prompt: "And now?", mayBegin: true });
		expect(agents.list()).toHaveLength(1);
	});

	it("goes on in the background, and its result is published like any other", async () => {
		const { call, run, published } = await withEnded();
		const answer = await call({ resume: "agent1", run_in_background: true });
		expect(answer.text).toContain("agent_id: agent1\nstatus: running");
		run(1).end({ text: "Eight." });
		expect(published.get("agent1#2" as never)?.claim.state.kind).toBe("held");
	});

	it("keeps type, model and thinking unless it says otherwise", async () => {
		const { call, run } = await withEnded({ subagent_type: "explore", model: "other/small", thinking: "off" });
		void call({ resume: "agent1", subagent_type: "Explore" });
		expect(run(1).spec.config).toMatchObject({ subagentType: "explore", model: "other/small", thinking: "off" });
		run(1).end();
		await Promise.resolve();
		void call({ resume: "agent1", model: "local/small", max_turns: 3 });
		expect(run(2).spec.config).toMatchObject({
			subagentType: "explore",
			model: "local/small",
			limits: { maxTurns: 3 },
		});
	});

	it("says what it has kept, and what comes from the call", async () => {
		const { call } = await withEnded({ model: "other/small", thinking: "off" });
		const { text } = await call({ resume: "agent1", thinking: "off", run_in_background: true });
		expect(text).toContain("set by: model (kept), thinking off (call)");
	});

	it("takes the model of its type where the one it had is gone", async () => {
		const models = [
			{ id: "local/parent", thinkingLevels: ["off", "medium"] },
			{ id: "other/small", thinkingLevels: ["off"] },
		];
		const { call, run } = await withEnded({ model: "other/small" }, { parent: { models } });
		models.pop();
		void call({ resume: "agent1" });
		expect(run(1).spec.config.model).toBe("local/parent");
	});

	it.each([
		["another type", { subagent_type: "explore" }, "agent agent1 is of type general-purpose, and goes on as that"],
		["an agent that is not there", { resume: "agent7" }, 'there is no agent "agent7"'],
		["no id at all", { resume: "../x" }, 'there is no agent "../x"'],
		["a swarm", { swarm: 2 }, "resume does not go with swarm"],
		[
			"a crew",
			{
				members: [
					{ name: "a", prompt: "b" },
					{ name: "c", prompt: "d" },
				],
			},
			"resume does not go with members",
		],
		["a schedule", { schedule: "5m" }, "resume does not go with schedule"],
		["a worktree", { isolation: "worktree" as const }, "resume does not go with isolation"],
		["an estimate", { estimate_only: true }, "resume does not go with estimate_only"],
	])(
		"refuses %s, and starts nothing (seed 000 §17 Semantic validation: incompatible flags)",
		async (_what, more, problem) => {
			const { call, runs } = await withEnded();
			const answer = await call({ resume: "agent1", ...more });
			expect(answer.isError).toBe(true);
			expect(answer.text).toContain(problem);
			expect(runs).toHaveLength(1);
		},
	);

	it("names everything that is wrong in one message", async () => {
		const { call } = await withEnded();
		const { text } = await call({ resume: "agent7", swarm: 2, thinking: "deep" as never });
		expect(text).toContain("there is no agent");
		expect(text).toContain("resume does not go with swarm");
		expect(text).toContain("thinking must be");
	});

	it("refuses an agent that runs, and names the tool for that", async () => {
		const { call, runs } = start();
		await call({ run_in_background: true });
		const answer = await call({ resume: "agent1" });
		expect(answer).toMatchObject({ isError: true });
		expect(answer.text).toContain("agent agent1 is running: send it a message with steer_subagent instead");
		expect(runs).toHaveLength(1);
	});

	it("says nothing of a type that the call does not name, where the agent may not go on", async () => {
		const { deps } = toolsFixture();
		const explore = builtInProfiles.filter(({ name }) => name === "explore");
		const tool = createAgentTool({ ...deps, profiles: () => explore });
		const refusal = async (more: Partial<AgentParams>) => (await tool.run(callOf({ ...task, ...more }))).text;
		expect(await refusal({ resume: "agent7" })).toMatch(/^Nothing was started: there is no agent "agent7"[^\n]*$/);
		expect(await refusal({ resume: "agent7", subagent_type: "plan" })).toContain('no agent type "plan"');
		await tool.run(callOf({ ...task, subagent_type: "explore", run_in_background: true }));
		expect(await refusal({ resume: "agent1" })).toMatch(/^Nothing was started: agent agent1 is running: [^\n]*$/);
	});

	it("refuses a group, and names its members", async () => {
		const { call, run } = start();
		const swarm = call({ swarm: 2 });
		run(0).end();
		run(1).end();
		await swarm;
		const answer = await call({ resume: "group1" });
		expect(answer.text).toContain("group1 is a group, whose members are resumed one by one: agent1 (1), agent2 (2)");
	});
});
