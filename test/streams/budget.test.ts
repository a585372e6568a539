import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/streams/agent-run.ts";
import { createBudget } from "../../src/streams/budget.ts";
import type { AgentRecord } from "../../src/streams/record.ts";
import { ended, running } from "../ui/records.ts";

const spend = (cost: number) => ({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost });

/** Agents by name, of which each says what it has cost; and what they were told to do. */
function world(most: number | undefined) {
	const runs = new Map<string, { record: AgentRecord; wrapUp(limit: string): void }>();
	const log: string[] = [];
	const budget = createBudget({
		maxCost: () => most,
		// Of a run only these two are used.
		opened: () => [...runs.values()] as unknown as AgentRun[],
		stop: (stopped, { reason }) => log.push(`stop ${stopped.map((run) => run.record.agentId).join(" ")}: ${reason}`),
	});
	const costs = (id: string, cost: number, over = false): string[] => {
		log.length = 0;
		const record = { ...(over ? ended(id) : running(id)), spend: spend(cost) };
		runs.set(id, { record, wrapUp: (limit) => log.push(`wrap up ${id}: ${limit}`) });
		budget.note(record);
		return [...log];
	};
	return { budget, costs };
}

describe("the money of all agents", () => {
	it("is near its end at four fifths: whoever is under way is asked to wrap up, also who has just spent it", () => {
		const { costs } = world(10);
		costs("old", 1, true);
		costs("a", 3);
		expect(costs("b", 3.75)).toEqual([]);
		expect(costs("b", 4)).toEqual(["wrap up a: money", "wrap up b: money"]);
	});

	it("is no news where nothing was spent, as by an older snapshot", () => {
		const { budget, costs } = world(10);
		costs("a", 8);
		expect([costs("a", 8), costs("a", 7)]).toEqual([[], []]);
		expect(costs("a", 9)).toEqual(["wrap up a: money"]);
		expect(costs("b", 0.75)).toHaveLength(2);
		expect(budget.isSpent()).toBe(false);
	});

	it("is spent with the last cent: the others are stopped, once, and who ended is left alone", () => {
		const { budget, costs } = world(10);
		costs("old", 1, true);
		costs("a", 4);
		costs("b", 1);
		expect(budget.isSpent()).toBe(false);
		expect(costs("c", 4)).toEqual(["stop a b: budget"]);
		expect(budget.isSpent()).toBe(true);
		expect([costs("a", 5), costs("old", 2, true)]).toEqual([[], []]);
	});

	it("is never spent where there is no limit", () => {
		const { budget, costs } = world(undefined);
		expect([costs("a", 1e9), budget.isSpent(), budget.refusal(99)]).toEqual([[], false, undefined]);
	});
});

describe("a start", () => {
	it("is not refused while no agent has ended: what one costs is not known", () => {
		const { budget, costs } = world(10);
		costs("a", 5);
		expect(budget.refusal(1000)).toBeUndefined();
	});

	it("fits as long as the average of those that ended does, to the cent", () => {
		const { budget, costs } = world(10);
		// Its last cent comes with its end.
		costs("a", 0.5);
		costs("a", 1, true);
		costs("b", 3, true);
		expect([budget.refusal(3), budget.refusal(4)]).toEqual([undefined, expect.stringMatching(/^\$4 of the \$10 /)]);
	});

	it("sets aside what those under way may still cost, and nothing for one that has cost more already", () => {
		const { budget, costs } = world(10);
		costs("a", 2, true);
		costs("b", 0.5);
		expect([budget.refusal(3), budget.refusal(4)]).toEqual([undefined, expect.any(String)]);
		costs("b", 3);
		expect([budget.refusal(2), budget.refusal(3)]).toEqual([undefined, expect.any(String)]);
	});

	it("counts what an agent spends after its end, and not an agent twice", () => {
		const { budget, costs } = world(10);
		costs("a", 1, true);
		costs("a", 2, true);
		expect([budget.refusal(4), budget.refusal(5)]).toEqual([undefined, expect.any(String)]);
	});

	it("is refused with how much is gone and what to do, to a hundredth of a cent", () => {
		const { budget, costs } = world(10);
		costs("a", 6.123456, true);
		expect(budget.refusal(1)).toBe(
			"$6.1235 of the $10 for subagents (maxCostUsd) is spent, and what is left is set aside for those under way or would not be enough. Wait for one with get_subagent_result, or go on without.",
		);
		costs("a", 10, true);
		expect(budget.refusal(0)).toBe("The money for subagents is spent: $10 of $10 (maxCostUsd). Go on without them.");
	});
});
