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
		["a number that is not whole", { max_turns: "1.5" }],
		["a negative number", { max_turns: "-1" }],
		["digits where a string belongs", { model: "5" }],
		["null and nothing, where a parameter is required", { prompt: null, description: "" }],
		["parameters that it does not know", { swarm: "3", members: "[]" }],
	])("leaves %s to the validation", (_name, raw) => {
		expect(foldArguments(agentParameters, raw)).toEqual(raw);
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
