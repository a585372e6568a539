import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, it } from "vitest";
import { builtInProfiles, defaultSettings, thinkingLevels } from "../../src/profiles/index.ts";
import {
	createAgentTool,
	createGetSubagentResultTool,
	createSteerSubagentTool,
	type ToolDeps,
} from "../../src/tools/index.ts";
import { agentParameters } from "../../src/tools/parameters.ts";
import { toolsFixture } from "./tools-fixture.ts";

const toolsOf = (deps: ToolDeps) =>
	[createAgentTool(deps), createGetSubagentResultTool(deps), createSteerSubagentTool(deps)] as const;
const { deps } = toolsFixture();

describe("what the model is sent", () => {
	it("is at most 3,780 characters for all three tools, with the built-in agent types", () => {
		const sent = toolsOf(deps).map(({ name, description, parameters, promptSnippet, promptGuidelines }) =>
			[JSON.stringify({ name, description, parameters }), promptSnippet, ...(promptGuidelines ?? [])].join(""),
		);
		expect(sent.join("").length).toBeLessThanOrEqual(3_780);
	});

	it("has the protocol's names, and no parameter beyond the schema (seed 000 §15 invariants 1 and 2)", () => {
		expect(toolsOf(deps).map((tool) => tool.name)).toEqual(["Agent", "get_subagent_result", "steer_subagent"]);
		for (const tool of toolsOf(deps)) expect(tool.parameters.additionalProperties).toBe(false);
	});

	it("runs Agent calls of one message one after another, and the others side by side (seed 000 §17 Parallelism)", () => {
		expect(toolsOf(deps).map((tool) => tool.executionMode)).toEqual(["sequential", undefined, undefined]);
	});

	it("names each agent type with its line, and says what a call does by default", () => {
		const { description } = createAgentTool(deps);
		for (const profile of builtInProfiles) expect(description).toContain(`- ${profile.name}: ${profile.description}`);
		expect(description).toContain("Foreground (default)");
		const eager = createAgentTool({ ...deps, settings: () => ({ ...defaultSettings, backgroundByDefault: true }) });
		expect(eager.description).toContain("run_in_background (default)");
		expect(eager.description).not.toContain("Foreground (default)");
	});

	it("tells types that were added since, and stays bounded however many there are", () => {
		const [general] = builtInProfiles;
		if (general === undefined) throw new Error("there is no built-in profile");
		let count = 3;
		const many = createAgentTool({
			...deps,
			profiles: () =>
				Array.from({ length: count }, (_, index) => ({
					...general,
					name: `type${index}`,
					description: "words\n".repeat(500),
				})),
		});
		expect(many.description).not.toContain("type50");
		count = 60;
		expect(many.description).toContain("- type59");
		expect(many.description.length).toBeLessThan(4_000);
	});

	it("gives guidelines that name their tool", () => {
		for (const tool of toolsOf(deps)) {
			for (const guideline of tool.promptGuidelines ?? []) expect(guideline).toContain(tool.name);
		}
	});

	it("offers the thinking levels that a profile may ask for", () => {
		expect(agentParameters.properties.thinking.enum).toEqual(thinkingLevels);
	});
});

describe("the declared output", () => {
	it.each<[string, (fixture: ReturnType<typeof toolsFixture>) => void]>([
		["queued", () => undefined],
		["running", (fixture) => fixture.run().end()],
		[
			"completed",
			(fixture) => {
				fixture.run().end();
				fixture.run(1).end({ text: "x".repeat(30_000) });
			},
		],
	])("fits its schema while an agent is %s", async (status, drive) => {
		const fixture = toolsFixture({ maxConcurrent: 1 });
		const [agent, result] = toolsOf(fixture.deps);
		for (const _ of [1, 2]) {
			await agent.run({ ...call, params: { prompt: "p", description: "d", run_in_background: true } });
		}
		drive(fixture);
		const { structured } = await result.run({ ...call, params: { agent_id: "agent2" } });
		expect(structured?.status).toBe(status);
		expect([...Value.Errors(result.outputSchema as TSchema, structured)]).toEqual([]);
		expect(JSON.parse(JSON.stringify(structured))).toEqual(structured);
	});
});

const call = { toolCallId: "call-1" as never, signal: undefined, update: () => undefined };
