import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldArguments } from "../../src/tools/fold-arguments.ts";
import { agentParameters, resultParameters } from "../../src/tools/parameters.ts";

describe("compatibility preparation (seed 000 §17 Schema: compatibility preparation)", () => {
	it.each<[string, object, unknown]>([
		["booleans in quotes", { wait: "true", verbose: "False" }, { wait: true, verbose: false }],
		["whole numbers in quotes", { timeout_s: "30" }, { timeout_s: 30 }],
		["null and nothing, where a parameter may be left out", { wait: null, timeout_s: "" }, {}],
	])("folds %s", (_name, raw, folded) => {
		expect(foldArguments(resultParameters, { agent_id: "agent1", ...raw })).toEqual({
			agent_id: "agent1",
			...(folded as object),
		});
	});

	it.each<[string, object]>([
		["other words for a boolean", { run_in_background: "yes" }],
		["a negative number", { max_turns: "-1" }],
		["digits where a string belongs", { model: "5" }],
		["null and nothing, where a parameter is required", { prompt: null, description: "" }],
		["parameters that it does not know", { warm: "3", toString: "[]" }],
		["a JSON string that is no array", { members: '{"name":"a"}' }],
		["a list that is no JSON", { members: "a, b" }],
		["a JSON string that holds a string with a list", { members: '"[1]"' }],
		["a word where a list of names belongs", { members: [{ name: "a", prompt: "p", after: "b" }] }],
		["nothing, where a member must have something", { members: [{ name: "", prompt: null }] }],
	])("leaves %s to the validation", (_name, raw) => {
		expect(foldArguments(agentParameters, raw)).toEqual(raw);
	});

	it.each([2.5, "1.5", -0.5, "1e-3"])(
		"makes a fraction, %j, something that no host can cut down to a whole number",
		(swarm) => {
			expect(foldArguments(agentParameters, { swarm })).toEqual({ swarm: `${swarm} (not a whole number)` });
		},
	);

	it("folds a JSON string for members, and what stands in them", () => {
		const members = JSON.stringify([
			{ name: "a", prompt: "p", model: null, description: "" },
			{ name: "b", prompt: "p", after: '["a"]' },
		]);
		expect(foldArguments(agentParameters, { members, swarm: "3", estimate_only: "TRUE" })).toEqual({
			members: [
				{ name: "a", prompt: "p" },
				{ name: "b", prompt: "p", after: ["a"] },
			],
			swarm: 3,
			estimate_only: true,
		});
	});

	it("keeps the keys of a prototype as keys, for the validation to name", () => {
		const folded = foldArguments(agentParameters, { members: '[{"__proto__": {"name": "x"}, "prompt": "p"}]' });
		const { members } = folded as { members: readonly object[] };
		expect(Object.keys(members[0] ?? {})).toEqual(["__proto__", "prompt"]);
		expect((members[0] as { name?: string }).name).toBeUndefined();
	});

	it.each([undefined, null, "look", 3, ["a"]])("leaves %o, which is no object", (raw) => {
		expect(foldArguments(agentParameters, raw)).toBe(raw);
	});

	it("never throws, changes no argument in place and has nothing left to fold the second time", () => {
		fc.assert(
			fc.property(
				fc.anything(),
				fc.dictionary(fc.constantFrom(...Object.keys(agentParameters.properties)), fc.anything()),
				(any, raw) => {
					foldArguments(agentParameters, any);
					const before = { ...raw };
					const once = foldArguments(agentParameters, raw);
					expect(raw).toEqual(before);
					expect(foldArguments(agentParameters, once)).toEqual(once);
				},
			),
		);
	});
});
