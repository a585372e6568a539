import { describe, expect, it } from "vitest";
import { selectToStop } from "../../src/ui/agents-command.ts";
import { agentsCompletions } from "../../src/ui/agents-completions.ts";
import { agentsTable } from "../../src/ui/agents-table.ts";
import { showGroup } from "../../src/ui/group-table.ts";
import { crewOf } from "./groups.ts";
import { ended, queued, running } from "./records.ts";

const [done, busy, waiting, alone] = [ended("done1"), running("busy1"), queued("wait1"), running("alone1")];
const crew = crewOf("g-crew", [done, busy, waiting]);
const over = crewOf("g-over", [ended("old1"), ended("old2")]);

describe("agentsTable", () => {
	it("says in which group an agent was started, and under which name", () => {
		expect(agentsTable([done, alone], 125_000, [crew]).split("\n")).toEqual([
			"id      status     type     turns  tokens   cost     age    group      description",
			"done1   completed  explore  1      12k/678  $0.0123  2m05s  g-crew/m1  the task of done1",
			"alone1  running    explore  1      0/0      $0       2m05s             the task of alone1",
		]);
	});
});

describe("showGroup", () => {
	it("is the group, then a line a member in the given order", () => {
		expect(showGroup(crew).split("\n")).toEqual([
			"crew g-crew: the task of g-crew",
			"1 of 3 members have ended, in the background, published together, $0.0123 spent",
			"",
			"name  id     status     type     turns  tokens   cost     after",
			"m1    done1  completed  explore  1      12k/678  $0.0123",
			"m2    busy1  running    explore  1      0/0      $0       m1",
			"m3    wait1  queued     explore  0      0/0      $0       m2",
		]);
	});
});

describe("a stop of a group", () => {
	const records = [done, busy, waiting, alone, ended("old1"), ended("old2")];

	it("is about its members that are live, and names agents beside it once", () => {
		expect(selectToStop({ ids: ["g-crew", "busy1", "alone1"] }, records, [crew, over])).toEqual({
			ok: true,
			ids: ["busy1", "wait1", "alone1"],
		});
	});

	it("that is over names its members, so that the report says they had ended", () => {
		expect(selectToStop({ ids: ["g-o"] }, records, [crew, over])).toEqual({ ok: true, ids: ["old1", "old2"] });
	});

	it("is refused when its id may be another's", () => {
		expect(selectToStop({ ids: ["g-"] }, records, [crew, over])).toEqual({
			ok: false,
			problems: ['"g-" fits several: g-crew, g-over.'],
		});
	});
});

describe("the completion of a group's id", () => {
	it("offers every group to show, and those that go on to stop", () => {
		const words = (typed: string) => agentsCompletions(typed, [], [crew, over])?.map(({ label }) => label);
		expect(words("show g")).toEqual(["g-crew", "g-over"]);
		expect(words("stop g")).toEqual(["g-crew"]);
		expect(words("steer g")).toBeUndefined();
	});
});
