import { describe, expect, it } from "vitest";
import { type AgentParams, createAgentTool } from "../../src/tools/index.ts";
import { callOf, pretend, toolsFixture } from "./tools-fixture.ts";

const task = { prompt: "look", description: "looks" };
const a = { name: "a", prompt: "look at a" };
const b = { name: "b", prompt: "look at b" };
const crew = (...members: readonly unknown[]) => ({ ...task, members });
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `m${index}`, prompt: "look" }));
const rule = "1 to 64 letters, digits, spaces, dots, dashes or underscores, without a space at either end";

/** What is given, what it is, and the one complaint about it. */
const rows: readonly (readonly [given: string, params: unknown, problem: string])[] = [
	["no object", 7, "the parameters must be an object"],
	["a list", [task], "the parameters must be an object"],
	["a number for the prompt", { ...task, prompt: 7 }, "prompt must be a string, not 7"],
	["blank unicode for the prompt", { ...task, prompt: "\u2003\u00a0" }, "prompt must not be blank"],
	["a huge prompt", { ...task, prompt: "x".repeat(200_001) }, "prompt must have at most 200000 characters, not 200001"],
	[
		"a huge description",
		{ ...task, description: "x".repeat(1_001) },
		"description must have at most 1000 characters, not 1001",
	],
	["a huge model", { ...task, model: "x".repeat(5_000) }, "model must have at most 200 characters, not 5000"],
	[
		"a prototype's key",
		JSON.parse('{"prompt":"p","description":"d","__proto__":{}}'),
		'there is no parameter "__proto__"',
	],
	["a key that every object has", { ...task, constructor: 1 }, 'there is no parameter "constructor"'],
	["a swarm of one", { ...task, swarm: 1 }, "swarm must be a whole number from 2 to 8, not 1"],
	["a swarm of nine", { ...task, swarm: 9 }, "swarm must be a whole number from 2 to 8, not 9"],
	["half an agent", { ...task, swarm: 2.5 }, "swarm must be a whole number from 2 to 8, not 2.5"],
	["a huge swarm", { ...task, swarm: 1e300 }, "swarm must be a whole number from 2 to 8, not 1e+300"],
	["a swarm of NaN", { ...task, swarm: Number.NaN }, "swarm must be a whole number from 2 to 8, not NaN"],
	["an endless swarm", { ...task, swarm: Infinity }, "swarm must be a whole number from 2 to 8, not Infinity"],
	["a swarm in words", { ...task, swarm: "three" }, 'swarm must be a whole number from 2 to 8, not "three"'],
	["a big integer", { ...task, swarm: 3n }, "swarm must be a whole number from 2 to 8, not 3"],
	["huge turns", { ...task, max_turns: 2 ** 60 }, `max_turns must be a whole number from 1, not ${2 ** 60}`],
	["an estimate of yes", { ...task, estimate_only: "yes" }, 'estimate_only must be true or false, not "yes"'],
	["a schedule that is a number", { ...task, schedule: 60 }, "schedule must be a string, not 60"],
	["a blank schedule", { ...task, schedule: "  " }, "schedule must not be blank"],
	["members in an object", { ...task, members: { a, b } }, "members must be an array, not an object"],
	["members in words", { ...task, members: "a and b" }, 'members must be an array, not "a and b"'],
	["no members", crew(), "members must have 2 to 16 items, not 0"],
	["one member", crew(a), "members must have 2 to 16 items, not 1"],
	["too many members", crew(...many(17)), "members must have 2 to 16 items, not 17"],
	["very many members", { ...task, members: new Array(1_000_000) }, "members must have 2 to 16 items, not 1000000"],
	["a member that is a name", crew(a, "b"), 'members[1] must be an object, not "b"'],
	["a member that is nothing", crew(null, b), "members[0] must be an object, not null"],
	["a member that is a list", crew(a, [b]), "members[1] must be an object, not an array"],
	[
		"a hole among members",
		{ ...task, members: Object.assign(new Array(2), { 0: a }) },
		"members[1] must be an object, not undefined",
	],
	["a member without a name", crew(a, { prompt: "p" }), "members[1].name is required"],
	["a member without a task", crew(a, { name: "b" }), "members[1].prompt is required"],
	["an empty name", crew(a, { ...b, name: "" }), "members[1].name must not be blank"],
	["a name that is a number", crew(a, { ...b, name: 2 }), "members[1].name must be a string, not 2"],
	[
		"a name with a line break",
		crew(a, { ...b, name: "b\nagent_id: x" }),
		`members[1].name must be ${rule}, not "b agent_id: x"`,
	],
	["a name in other letters", crew(a, { ...b, name: "bé" }), `members[1].name must be ${rule}, not "bé"`],
	["a name that is a picture", crew(a, { ...b, name: "🤖" }), `members[1].name must be ${rule}, not "🤖"`],
	["a name with hidden direction", crew(a, { ...b, name: "b\u202e" }), `members[1].name must be ${rule}, not "b"`],
	["a name that ends in a space", crew(a, { ...b, name: "b " }), `members[1].name must be ${rule}, not "b"`],
	["a long name", crew(a, { ...b, name: "b".repeat(65) }), `members[1].name must be ${rule}, not "${"b".repeat(65)}"`],
	["a name twice", crew(a, { ...b, name: "a" }), 'More than one member is named "a".'],
	[
		"names that differ in case",
		crew(a, { ...b, name: "A" }),
		'the members "a" and "A" differ in case alone; give them names of their own',
	],
	[
		"a member's huge task",
		crew(a, { ...b, prompt: "x".repeat(200_001) }),
		"members[1].prompt must have at most 200000 characters, not 200001",
	],
	["a member's own schedule", crew(a, { ...b, schedule: "5m" }), 'there is no parameter "members[1].schedule"'],
	[
		"a prototype's key in a member",
		crew(a, JSON.parse('{"name":"b","prompt":"p","__proto__":{}}')),
		'there is no parameter "members[1].__proto__"',
	],
	["after as a word", crew(a, { ...b, after: "a" }), 'members[1].after must be an array, not "a"'],
	["after as a number in a list", crew(a, { ...b, after: [7] }), "members[1].after[0] must be a string, not 7"],
	["after as nested lists", crew(a, { ...b, after: [["a"]] }), "members[1].after[0] must be a string, not an array"],
	["after a blank name", crew(a, { ...b, after: ["a", " "] }), "members[1].after[1] must not be blank"],
	["after nobody there is", crew(a, { ...b, after: ["c"] }), '"b" waits for "c", but the members are "a", "b".'],
	[
		"after a key of every object",
		crew(a, { ...b, after: ["toString"] }),
		'"b" waits for "toString", but the members are',
	],
	["after another case of a name", crew(a, { ...b, after: ["A"] }), '"b" waits for "A", but the members are "a", "b".'],
	["after the same twice", crew(a, { ...b, after: ["a", "a"] }), '"b" names "a" more than once in after.'],
	["after itself", crew(a, { ...b, after: ["b"] }), '"b" waits for itself.'],
	[
		"a circle",
		crew({ ...a, after: ["b"] }, { ...b, after: ["a"] }),
		'These wait for each other in a circle: "a" → "b" → "a".',
	],
	[
		"a member's unknown type",
		crew(a, { ...b, subagent_type: "explorer" }),
		'member "b": no agent type "explorer"; there are: explore',
	],
	[
		"a member's type that is a list",
		crew(a, { ...b, subagent_type: ["plan"] }),
		"members[1].subagent_type must be a string, not an array",
	],
	[
		"a member's unknown model",
		crew(a, { ...b, model: "nowhere/big" }),
		'member "b": no model "nowhere/big" is available',
	],
	["a model for all that there is not", { ...crew(a, b), model: "nowhere/big" }, 'no model "nowhere/big" is available'],
	["swarm and members", { ...crew(a, b), swarm: 2 }, "swarm does not go with members"],
	[
		"a schedule in the foreground",
		{ ...task, schedule: "5m", run_in_background: false },
		"schedule does not go with run_in_background: false",
	],
];

describe("bad input (seed 000 §17 Semantic validation: no side effects on rejection)", () => {
	it.each(rows)("%s gets one clear error, and nothing is started", async (_given, params, problem) => {
		const { deps, agents, runs } = toolsFixture();
		const answer = await createAgentTool(deps).run(callOf(pretend<AgentParams>(params)));
		expect(answer.isError).toBe(true);
		expect(answer.details).toMatchObject({ kind: "problem", problems: [expect.stringContaining(problem)] });
		expect(answer.text.startsWith(`Nothing was started: ${problem}`)).toBe(true);
		expect(answer.text.length).toBeLessThan(600);
		expect(runs).toEqual([]);
		expect(agents.list()).toEqual([]);
		expect(deps.groups.list()).toEqual([]);
	});

	it("names all that is wrong in one message, each thing once, with the members it is about", async () => {
		const { deps, agents } = toolsFixture();
		const params = {
			prompt: "",
			swarm: 99,
			members: [
				{ ...a, model: "nowhere/big", after: [1] },
				{ ...b, model: "nowhere/big", subagent_type: "plan" },
				{ name: "c", prompt: "p", colour: "red" },
			],
			run_in_background: false,
			schedule: "5m",
		};
		const { text, details } = await createAgentTool(deps).run(callOf(pretend<AgentParams>(params)));
		expect(details.kind === "problem" && details.problems).toEqual([
			"prompt must not be blank",
			"description is required",
			"swarm must be a whole number from 2 to 8, not 99",
			"members[0].after[0] must be a string, not 1",
			expect.stringContaining('there is no parameter "members[2].colour"; there are: name, prompt'),
			"swarm does not go with members",
			"schedule does not go with run_in_background: false",
			expect.stringContaining('members "a", "b": no model "nowhere/big" is available'),
		]);
		expect(text.split("\n")).toHaveLength(9);
		expect(agents.list()).toEqual([]);
	});

	it("is bounded, however much is wrong", async () => {
		const { deps } = toolsFixture();
		const params = { ...task, ...Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 1])) };
		const { text } = await createAgentTool(deps).run(callOf(pretend<AgentParams>(params)));
		expect(text).toMatch(/and \d+ more$/);
		expect(text.length).toBeLessThan(8_000);
	});
});
