import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/streams/agent-run.ts";
import { createGroupGate } from "../../src/streams/group-gate.ts";
import type { AgentId } from "../../src/streams/ids.ts";
import type { TerminalRecord } from "../../src/streams/record.ts";
import { type RestoredRun, type RevivedRun, restoreRun } from "../../src/streams/restored-run.ts";
import { takeIn } from "../../src/streams/take-in.ts";
import { history } from "./ledger-fixture.ts";

const first = history("aaaa").record;
const second = history("aaaa", { after: first }).record;

function revived(record: TerminalRecord, over: Partial<RevivedRun> = {}): RevivedRun {
	const one: RestoredRun = { record, ownership: "held", publish: true, current: true, unheard: [] };
	return { ...one, run: restoreRun(one), ...over };
}

describe("taking in runs of an earlier life", () => {
	it("puts the current ones among the others once, and tells of each when all are there", () => {
		const runs = new Map<AgentId, AgentRun>();
		const told: string[] = [];
		const [old, current] = [revived(first, { current: false }), revived(second)];
		takeIn([old, current], runs, ({ agentId, run }) => told.push(`${agentId}#${run} of ${runs.size}`));
		expect([...runs.values()]).toEqual([current.run]);
		expect(told).toEqual(["aaaa#1 of 1", "aaaa#2 of 1"]);
	});

	it("leaves an agent its newer run, and takes the same one anew", () => {
		const runs = new Map<AgentId, AgentRun>();
		const [newer, same] = [revived(second), revived(second)];
		takeIn([newer], runs, () => undefined);
		takeIn([revived(first)], runs, () => undefined);
		expect([...runs.values()]).toEqual([newer.run]);
		takeIn([same], runs, () => undefined);
		expect(runs.get("aaaa" as AgentId)).toBe(same.run);
	});

	it("publishes what is to be, when its group lets it, and quietly where it is no news", () => {
		const release = createGroupGate("each");
		const these = [revived(first, { release, quiet: true }), revived(second, { publish: false })];
		const [one, ...others] = takeIn(these, new Map(), () => undefined);
		expect(others).toEqual([]);
		expect([one?.key, one?.release, one?.quiet?.()]).toEqual(["aaaa#1", release, true]);
		const [plain] = takeIn([revived(first)], new Map(), () => undefined);
		expect(plain).not.toHaveProperty("release");
		expect(plain?.quiet?.()).toBe(false);
	});
});
