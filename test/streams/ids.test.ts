import { describe, expect, it } from "vitest";
import { parseAgentId, parseGroupId, runKey } from "../../src/streams/index.ts";
import { agentId } from "../support/run-script.ts";

describe.each([
	["an agent's id", parseAgentId],
	["a group's id", parseGroupId],
] as const)("%s", (_name, parse) => {
	it.each(["abcd", "A-b_9", "x".repeat(64)])("may be %s", (value) => {
		expect(parse(value)).toBe(value);
	});

	it.each([
		["is shorter than four characters", "abc"],
		["is longer than 64", "x".repeat(65)],
		["begins with something else", "../abcd"],
		["ends with something else", "abcd/.."],
		["is followed by a newline", "abcd\n"],
		["has something else in between", "ab cd"],
		["is empty", ""],
	])("is none that %s", (_why, value) => {
		expect(parse(value)).toBeUndefined();
	});
});

describe("a run's key", () => {
	it("is the agent's id and the number of the run", () => {
		expect(runKey(agentId("a001"), 3)).toBe("a001#3");
	});
});
