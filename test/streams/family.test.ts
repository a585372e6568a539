import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/streams/agent-run.ts";
import { createFamily, depthOf, inTree } from "../../src/streams/family.ts";
import type { AgentId } from "../../src/streams/ids.ts";
import type { AgentRecord } from "../../src/streams/record.ts";
import { refuseNesting } from "../../src/streams/refuse-nesting.ts";
import { ended, queued, running } from "../ui/records.ts";

const id = (name: string) => name as AgentId;
const below = (name: string) => ({ parent: id(name) });
// Of a run only its record is used.
const runOf = (record: AgentRecord) => ({ record }) as unknown as AgentRun;
const names = (runs: readonly AgentRun[]) => runs.map(({ record }) => record.agentId);

describe("the agents below others", () => {
	it("are all that have not ended, the nearest first and each once", () => {
		const family = createFamily();
		const records = [
			running("root"),
			running("a", below("root")),
			running("a1", below("a")),
			queued("b", below("root")),
			running("b1", below("b")),
			ended("c", {}, below("root")),
			running("c1", below("c")),
		];
		for (const record of records) family.add(runOf(record));
		expect(names(family.below([id("root")]))).toEqual(["a", "b", "a1", "b1"]);
		expect(names(family.below([id("a"), id("root")]))).toEqual(["a1", "a", "b", "b1"]);
		expect(names(family.below([id("a1"), id("nobody")]))).toEqual([]);
	});

	it("are taken out one by one, and the last of a parent's is told as that", () => {
		const family = createFamily();
		const [root, a, b] = [running("root"), running("a", below("root")), running("b", below("root"))].map(runOf);
		if (!root || !a || !b) throw new Error("three runs");
		for (const run of [root, a, b]) family.add(run);
		expect(family.remove(root)).toBe(false);
		expect(family.remove(a)).toBe(false);
		expect(names(family.below([id("root")]))).toEqual(["b"]);
		expect(family.remove(b)).toBe(true);
		expect([family.remove(b), family.below([id("root")])]).toEqual([false, []]);
	});
});

describe("how deep an agent is", () => {
	const records = [running("a"), running("b", below("a")), queued("c", below("b")), running("d", below("gone"))];
	const find = (name: AgentId) => records.find(({ agentId }) => agentId === name);

	it("counts from 1, and a parent that is not known as one more", () => {
		expect(records.map((record) => depthOf(record, find))).toEqual([1, 2, 3, 2]);
	});

	it("is bounded by maxDepth: what would be one level deeper is refused with both numbers", () => {
		expect(refuseNesting(undefined, find, 1)).toBeUndefined();
		expect(refuseNesting(id("b"), find)).toBeUndefined();
		expect(refuseNesting(id("b"), find, 3)).toBeUndefined();
		expect(refuseNesting(id("b"), find, 2)).toBe(
			"Agents may have 2 levels, and this one would be at level 3 (maxDepth). Go on without it.",
		);
		expect(refuseNesting(id("a"), find, 1)).toMatch(/^Agents may have 1 level, and this one would be at level 2 /);
		expect(refuseNesting(id("c"), find)).toBe("Agent c, below which it would run, is not running any more.");
		expect(refuseNesting(id("gone"), find)).toMatch(/^Agent gone, below which/);
	});
});

describe("agents as a tree", () => {
	it("has those below each behind it in their order, one level deeper, and who has no parent there at the top", () => {
		const records = [
			running("b1", below("b")),
			running("a"),
			running("b"),
			running("a1", below("a")),
			running("x", below("gone")),
			running("b2", below("b")),
			running("a11", below("a1")),
		];
		expect(inTree(records).map(({ record, level }) => `${level} ${record.agentId}`)).toEqual([
			"0 a",
			"1 a1",
			"2 a11",
			"0 b",
			"1 b1",
			"1 b2",
			"0 x",
		]);
		expect(inTree([])).toEqual([]);
	});
});
