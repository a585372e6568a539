import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/streams/agent-run.ts";
import type { AgentRecord } from "../../src/streams/record.ts";
import { refuseSpawn } from "../../src/streams/refuse-spawn.ts";
import { ended, queued, running } from "../ui/records.ts";

const zombie = (id: string): AgentRecord => ({ ...ended(id), closed: "grace_expired" });
/** One that was stopped in line, so that it has had no session. */
function neverStarted(id: string): AgentRecord {
	const { startedAt: _, ...record } = ended(id);
	return { ...record, closed: "grace_expired" };
}

function refusal(records: readonly AgentRecord[], count = 1, { agents = 3, zombies = 2, ending = false } = {}) {
	// Of a run only its record is used.
	const runs = new Set(records.map((record) => ({ record }) as unknown as AgentRun));
	return refuseSpawn({ runs, ending }, count, { maxAgents: () => agents, maxZombies: () => zombies });
}

describe("a start is refused", () => {
	it("where it would be one agent too many, whether those there are run or wait; who has ended does not count", () => {
		const two = [running("a"), queued("b"), ended("c"), ended("d")];
		expect([refusal(two), refusal([], 3)]).toEqual([undefined, undefined]);
		expect(refusal(two, 2)).toBe(
			"2 agents are alive or in line, and 2 more would be above the limit of 3 (maxAgents). Wait for one with get_subagent_result, or go on without; a person can stop one with /agents stop.",
		);
		expect(refusal([...two, running("e")])).toMatch(/^3 agents are alive or in line, which is the limit \(maxAgents\)/);
		expect(refusal([running("a")], 1, { agents: 1 })).toMatch(/^1 agent is alive or in line, which is the limit/);
	});

	it("where too many sessions of ended agents have not come to rest", () => {
		expect(refusal([zombie("a")])).toBeUndefined();
		expect(refusal([zombie("a"), zombie("b")])).toBe(
			"2 sessions of ended agents have not come to rest, which is the limit (maxZombies). If that stays so, only a restart of Pi helps.",
		);
		expect(refusal([zombie("a")], 1, { zombies: 1 })).toMatch(/^1 session of an ended agent has not come to rest/);
	});

	it("for no session that is still closing, has closed, or has never been", () => {
		const closed: AgentRecord = { ...ended("b"), closed: "verified" };
		expect(refusal([ended("a"), closed, neverStarted("c")], 1, { zombies: 1 })).toBeUndefined();
	});

	it("once the session is ending", () => {
		expect(refusal([], 1, { ending: true })).toBe("The session is ending: no agent is started any more.");
	});
});
