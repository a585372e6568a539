import { describe, expect, it } from "vitest";
import { agentsCompletions } from "../../src/ui/agents-completions.ts";
import { ended, queued, running } from "./records.ts";

const records = [running("aaa1"), queued("aab2"), ended("ccc3")];

function values(typed: string): readonly string[] | null {
	return agentsCompletions(typed, records)?.map((item) => item.value) ?? null;
}

describe("agentsCompletions", () => {
	const table: readonly [typed: string, values: readonly string[] | null][] = [
		["", ["list", "show", "stop", "resume", "steer", "doctor", "schedules", "help"]],
		["s", ["show", "stop", "steer", "schedules"]],
		["st", ["stop", "steer"]],
		["x", null],
		["list", null],
		["list ", null],
		["show ", ["show aaa1", "show aab2", "show ccc3"]],
		["show aa", ["show aaa1", "show aab2"]],
		["show aaa1", null],
		["show aaa1 ", null],
		["SHOW c", ["SHOW ccc3"]],
		["resume ", ["resume ccc3"]],
		["steer ", ["steer aaa1"]],
		["steer aaa1 tell", null],
		["stop ", ["stop aaa1", "stop aab2", "stop --background", "stop --all"]],
		["stop --", ["stop --background", "stop --all"]],
		["stop aaa1 ", ["stop aaa1 aab2"]],
		["stop --all", null],
		["stop --all ", null],
	];
	it.each(table)("after %j there can be %j", (typed, expected) => {
		expect(values(typed)).toEqual(expected);
	});

	it("say what each word stands for", () => {
		expect(agentsCompletions("show c", records)).toEqual([
			{ value: "show ccc3", label: "ccc3", description: "completed · the task of ccc3" },
		]);
	});
});
