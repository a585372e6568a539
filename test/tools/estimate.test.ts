import { describe, expect, it } from "vitest";
import { noSpend } from "../../src/streams/index.ts";
import { type AgentParams, createAgentTool, type ToolDeps } from "../../src/tools/index.ts";
import { likeRuns } from "../../src/tools/like-runs.ts";
import { config, ended, queued } from "./records.ts";
import { callOf, type FixtureOptions, parentFacts, toolsFixture } from "./tools-fixture.ts";

const task: AgentParams = { prompt: "x".repeat(400), description: "a task", estimate_only: true };
const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const parent = {
	models: parentFacts.models.map((model) => (model.id === "local/parent" ? { ...model, rates } : model)),
	toolSize: (tool: string) => (tool === "bash" ? undefined : 400),
};

function start(options: FixtureOptions = {}, over: Partial<ToolDeps> = {}) {
	const fixture = toolsFixture({ parent, ...options });
	const tool = createAgentTool({ ...fixture.deps, ...over });
	const estimate = async (more: Partial<AgentParams> = {}) => tool.run(callOf({ ...task, ...more }));
	return { ...fixture, tool, estimate };
}

describe("an estimate", () => {
	it("says what would run, and where each value comes from", async () => {
		const { estimate } = start({ settings: { maxTurns: 30 } });
		const { text, isError } = await estimate({ subagent_type: "explore", thinking: "low" });
		expect(isError).toBe(false);
		expect(text).toContain("type: explore (call)");
		expect(text).toContain("model: local/parent (parent) · thinking: low (call)");
		expect(text).toContain("tools: read, grep, find, ls (profile) · isolated: false (default)");
		expect(text).toContain("limits: max_turns 30 (settings), then 3 more to wrap up (settings)");
	});

	it("counts a token for four characters of system prompt, tools and task, and names what it cannot count", async () => {
		const { estimate } = start();
		const { text, details } = await estimate();
		// Six of the seven tools are known, with 400 characters each.
		expect(text).toMatch(
			/^prompt: \d+ tokens \(system prompt \d+, tools 600, task 100, 1 tools of unknown size not counted\)$/m,
		);
		if (details.kind !== "estimate") throw new Error("no estimate");
		const [run] = details.runs;
		expect(run?.first_turn_cost_usd).toBeCloseTo(((run?.prompt_tokens ?? 0) * 3) / 1_000_000, 12);
	});

	it("counts the conversation that an agent starts from, and says so where its size is not known", async () => {
		const conversation = () => [];
		const known = start({ parent: { ...parent, conversation, conversationTokens: () => 30_000 } });
		const { text, details } = await known.estimate({ inherit_context: true });
		expect(text).toContain("context: starts from a copy of this conversation (call)");
		expect(text).toMatch(/^prompt: 30\.[78]k tokens \(.*, task 100, context 30k, 1 tools/m);
		expect(details).toMatchObject({ runs: [{ prompt_tokens: expect.toSatisfy((count) => count > 30_000) }] });
		const unknown = start({ parent: { ...parent, conversation, conversationTokens: () => undefined } });
		expect((await unknown.estimate({ inherit_context: true })).text).toContain(
			"task 100, this conversation not counted",
		);
		expect((await known.estimate()).text).not.toContain("this conversation");
	});

	it("counts the session's prompt where the agent's own comes after it", async () => {
		const after = (length: number) =>
			start(
				{ parent: { ...parent, systemPrompt: () => "x".repeat(length) } },
				{
					profiles: () => [
						{ name: "x", description: "x", systemPrompt: "", tools: [], promptMode: "append", source: "user" },
					],
				},
			).estimate({ subagent_type: "x" });
		expect((await after(8_000)).text).toContain("(system prompt 2000, tools 0, task 100)");
	});

	it("says so where the model's rates are not known", async () => {
		const { estimate } = start();
		const { text, details } = await estimate({ model: "local/small" });
		expect(text).toContain("price: the model's rates are not known");
		expect(details).toMatchObject({ runs: [{ model: "local/small" }] });
		expect(JSON.stringify(details)).not.toContain("first_turn_cost_usd");
	});

	it("tells of each member of a crew, whose own values are called so, and sums them up", async () => {
		const { estimate } = start();
		const { text, details } = await estimate({
			members: [
				{ name: "a", prompt: "p", model: "local/parent" },
				{ name: "b", prompt: "p", after: ["a"] },
			],
			subagent_type: "plan",
		});
		expect(text).toMatch(/member: a\ntype: plan \(call\)\nmodel: local\/parent \(member\)/);
		expect(text).toMatch(/member: b · after: a\ntype: plan \(call\)\nmodel: local\/parent \(parent\)/);
		expect(text).toMatch(/^all together: \d+ tokens of prompt · \$\d\S* for the first turns' prompts$/m);
		expect(details).toMatchObject({ group: "crew", runs: [{ name: "a" }, { name: "b" }] });
	});

	it("tells of a swarm's members once, and sums all of them up", async () => {
		const { estimate } = start();
		const { text, details } = await estimate({ swarm: 4 });
		expect(text.match(/^type: /gm)).toHaveLength(1);
		expect(text).toContain("each of 4 members:");
		expect(details).toMatchObject({ group: "swarm", runs: [{}, {}, {}, {}] });
	});

	it("starts nothing and takes no spend", async () => {
		let taken = 0;
		const takeSpend = () => {
			taken++;
			return noSpend;
		};
		const { estimate, runs, agents, deps } = start({ takeSpend });
		await estimate({ run_in_background: true });
		await estimate({ swarm: 3 });
		expect([runs, agents.list(), deps.groups.list(), taken]).toEqual([[], [], [], 0]);
	});

	it("is refused like the call itself would be", async () => {
		const { estimate } = start();
		const { text, isError } = await estimate({ model: "nowhere/big" });
		expect(isError).toBe(true);
		expect(text).toContain('no model "nowhere/big"');
	});
});

describe("likeRuns", () => {
	const spent = (cost: number) => ({ spend: { ...noSpend, input: cost * 100, output: cost, cost } });

	it("takes the medians of ended first runs with this type and model", () => {
		const records = [1, 9, 2, 4].map((cost, index) => ended(`like${index}`, {}, { ...spent(cost), turns: cost }));
		const others = [
			queued("inline"),
			ended("again", {}, { ...spent(100), run: 2 }),
			ended("idle", {}, { ...spent(100), turns: 0 }),
			ended("other1", {}, { ...spent(100), config: { ...config, model: "local/small" } }),
			ended("other2", {}, { ...spent(100), config: { ...config, subagentType: "plan" } }),
		];
		expect(likeRuns([...others, ...records], "explore", "local/parent")).toEqual({
			count: 4,
			medianTurns: 3,
			medianInput: 300,
			medianOutput: 3,
			medianCost: 3,
		});
		expect(likeRuns(records.slice(0, 3), "explore", "local/parent")?.medianTurns).toBe(2);
	});

	it("is nothing where there was none", () => {
		expect(likeRuns([], "explore", "local/parent")).toBeUndefined();
	});
});
