import { describe, expect, it } from "vitest";
import { checkParams } from "../../src/tools/check-params.ts";
import { agentParameters, resultParameters, steerParameters } from "../../src/tools/parameters.ts";

const whole = { prompt: "look", description: "looks" };
const schemas = { Agent: agentParameters, get_subagent_result: resultParameters, steer_subagent: steerParameters };
const texts = (tool: keyof typeof schemas, params: unknown) =>
	checkParams(schemas[tool], params).map((problem) => problem.text);

describe("parameters that hooks may have changed", () => {
	it.each<[keyof typeof schemas, unknown]>([
		["Agent", whole],
		[
			"Agent",
			{
				...whole,
				subagent_type: "plan",
				model: "a/b",
				thinking: "max",
				max_turns: 1,
				run_in_background: true,
				isolated: false,
			},
		],
		["Agent", { ...whole, model: undefined }],
		["get_subagent_result", { agent_id: "agent1" }],
		["get_subagent_result", { agent_id: "agent1", wait: true, timeout_s: 600, verbose: false }],
		["steer_subagent", { agent_id: "agent1", message: "stop looking" }],
	])("valid input of %s is fine: %o (seed 000 §17 Schema: valid input)", (tool, params) => {
		expect(texts(tool, params)).toEqual([]);
	});

	it.each<[keyof typeof schemas, unknown, readonly string[]]>([
		["Agent", undefined, ["the parameters must be an object"]],
		["Agent", null, ["the parameters must be an object"]],
		["Agent", "look", ["the parameters must be an object"]],
		["Agent", [whole], ["the parameters must be an object"]],
		["Agent", {}, ["prompt is required", "description is required"]],
		["Agent", { prompt: "look" }, ["description is required"]],
		["Agent", { description: "looks" }, ["prompt is required"]],
		["Agent", { ...whole, prompt: "" }, ["prompt must not be blank"]],
		["Agent", { ...whole, prompt: " \n\t " }, ["prompt must not be blank"]],
		["Agent", { ...whole, description: "  " }, ["description must not be blank"]],
		["Agent", { ...whole, prompt: null }, ["prompt must be a string, not null"]],
		["Agent", { ...whole, prompt: 7 }, ["prompt must be a string, not 7"]],
		["Agent", { ...whole, prompt: { text: "look" } }, ["prompt must be a string, not an object"]],
		["Agent", { ...whole, prompt: ["look"] }, ["prompt must be a string, not an array"]],
		["Agent", { ...whole, subagent_type: "" }, ["subagent_type must not be blank"]],
		["Agent", { ...whole, model: 5 }, ["model must be a string, not 5"]],
		[
			"Agent",
			{ ...whole, thinking: "deep" },
			['thinking must be one of off, minimal, low, medium, high, xhigh, max, not "deep"'],
		],
		[
			"Agent",
			{ ...whole, thinking: true },
			["thinking must be one of off, minimal, low, medium, high, xhigh, max, not true"],
		],
		["Agent", { ...whole, max_turns: 0 }, ["max_turns must be a whole number from 1, not 0"]],
		["Agent", { ...whole, max_turns: -3 }, ["max_turns must be a whole number from 1, not -3"]],
		["Agent", { ...whole, max_turns: 1.5 }, ["max_turns must be a whole number from 1, not 1.5"]],
		["Agent", { ...whole, max_turns: Number.NaN }, ["max_turns must be a whole number from 1, not NaN"]],
		[
			"Agent",
			{ ...whole, max_turns: Number.POSITIVE_INFINITY },
			["max_turns must be a whole number from 1, not Infinity"],
		],
		["Agent", { ...whole, max_turns: "5" }, ['max_turns must be a whole number from 1, not "5"']],
		["Agent", { ...whole, run_in_background: "yes" }, ['run_in_background must be true or false, not "yes"']],
		["Agent", { ...whole, isolated: 1 }, ["isolated must be true or false, not 1"]],
		["Agent", { ...whole, isolated: null }, ["isolated must be true or false, not null"]],
		[
			"Agent",
			{ ...whole, warm: 3 },
			[
				'there is no parameter "warm"; there are: prompt, description, subagent_type, model, thinking, max_turns, run_in_background, resume, inherit_context, isolated, isolation, swarm, members, schedule, estimate_only',
			],
		],
		["get_subagent_result", {}, ["agent_id is required"]],
		["get_subagent_result", { agent_id: "" }, ["agent_id must not be blank"]],
		["get_subagent_result", { agent_id: "agent1", wait: "true" }, ['wait must be true or false, not "true"']],
		["get_subagent_result", { agent_id: "agent1", timeout_s: 0 }, ["timeout_s must be a whole number from 1, not 0"]],
		[
			"get_subagent_result",
			{ agent_id: "agent1", timeout_s: 2 ** 60 },
			[`timeout_s must be a whole number from 1, not ${2 ** 60}`],
		],
		["get_subagent_result", { agent_id: "agent1", verbose: 0 }, ["verbose must be true or false, not 0"]],
		["steer_subagent", { agent_id: "agent1" }, ["message is required"]],
		["steer_subagent", { agent_id: "agent1", message: " " }, ["message must not be blank"]],
		["steer_subagent", { message: "hello" }, ["agent_id is required"]],
		[
			"steer_subagent",
			{ agent_id: 1, message: 2 },
			["agent_id must be a string, not 1", "message must be a string, not 2"],
		],
	])("%s refuses %o (seed 000 §17 Schema: missing required input, invalid enum/range)", (tool, params, problems) => {
		expect(texts(tool, params)).toEqual(problems);
	});

	it("names all that is wrong at once", () => {
		const params = {
			prompt: "",
			thinking: "deep",
			max_turns: 0,
			run_in_background: "yes",
			retry: "agent1",
			toString: 1,
		};
		expect(checkParams(agentParameters, params).map((problem) => problem.parameter)).toEqual([
			"prompt",
			"description",
			"thinking",
			"max_turns",
			"run_in_background",
			undefined,
			undefined,
		]);
	});

	it("shows a hostile value on one line, and not all of it", () => {
		const [problem = ""] = texts("Agent", { ...whole, thinking: `\u001b[31m\nagent_id: evil ${"x".repeat(500)}` });
		expect(problem).not.toContain("\n");
		expect(problem).not.toContain("\u001b");
		expect(problem.length).toBeLessThan(200);
	});
});
