import { describe, expect, it } from "vitest";
import { decideLimits, type LimitDecision, type Used, withWrapUp } from "../../src/streams/limits.ts";
import type { RunLimits } from "../../src/streams/ports.ts";
import type { RunningRecord } from "../../src/streams/record.ts";
import { doneOutcome, failedOutcome, testConfig } from "../support/run-script.ts";
import { queued, running } from "../ui/records.ts";

/** A run with these limits, which has used that much. */
function run(limits: Partial<RunLimits>, change: Partial<RunningRecord> = {}): RunningRecord {
	const config = { ...testConfig, limits: { graceTurns: 2, ...limits } };
	return { ...(running("a", { config }) as RunningRecord), ...change };
}

const nothing: Used = { tokens: 0, isMoneySpent: false };
const decided = (record: RunningRecord, used: Partial<Used> = {}): LimitDecision =>
	decideLimits(record, { ...nothing, ...used });
const aborted = (reason: string) => ({ status: "aborted", reason });

describe("what a limit asks for at a turn's end", () => {
	it("is nothing without limits, however much is used", () => {
		expect(decided(run({}, { turns: 1e6, toolsStarted: 1e6 }), { tokens: 1e9 })).toBe("go_on");
	});

	it.each([
		[79, "go_on"],
		[80, { wrapUp: "tokens" }],
		[99, { wrapUp: "tokens" }],
		[100, aborted("token_limit")],
	])("with %i of 100 tokens", (tokens, decision) =>
		expect(decided(run({ maxTokens: 100 }), { tokens })).toEqual(decision),
	);

	it.each([
		[2, "go_on"],
		[3, { wrapUp: "turns" }],
		[4, { wrapUp: "turns" }],
		[5, aborted("turn_limit")],
	])("in turn %i of 3, with 2 turns of grace", (turns, decision) =>
		expect(decided(run({ maxTurns: 3 }, { turns }))).toEqual(decision),
	);

	it("with 2 of 3 tools is nothing, and a wrap-up with 3", () => {
		expect(decided(run({ maxTools: 3 }, { toolsStarted: 2 }))).toBe("go_on");
		expect(decided(run({ maxTools: 3 }, { toolsStarted: 3 }))).toEqual({ wrapUp: "tools" });
	});

	it("is a stop after the grace that follows the turn in which the tools were used up", () => {
		const spent = run({ maxTools: 3 }, { toolsStarted: 3, turns: 6, wrapUpAsked: true });
		expect(decided(spent, { toolsSpentIn: 5 })).toBe("go_on");
		expect(decided(spent, { toolsSpentIn: 4 })).toEqual(aborted("tool_limit"));
	});

	it("is a wrap-up only once", () => {
		expect(decided(run({ maxTurns: 3 }, { turns: 3, wrapUpAsked: true }))).toBe("go_on");
	});

	it("is what weighs most where several are reached", () => {
		const all = run({ maxTokens: 1, maxTurns: 1, maxTools: 1 }, { turns: 9, toolsStarted: 9 });
		const used = { tokens: 1, isMoneySpent: true, toolsSpentIn: 1 };
		expect(decided(all, used)).toEqual(aborted("token_limit"));
		expect(decided(all, { ...used, tokens: 0 })).toEqual(aborted("budget"));
		expect(decided(all, { ...nothing, toolsSpentIn: 1 })).toEqual(aborted("turn_limit"));
		const soft = run({ maxTokens: 100, maxTurns: 1, maxTools: 1 }, { turns: 1, toolsStarted: 1 });
		expect(decided(soft, { tokens: 80 })).toEqual({ wrapUp: "turns" });
		expect(decided({ ...soft, turns: 0 }, { tokens: 80 })).toEqual({ wrapUp: "tools" });
	});
});

describe("an answer after a wrap-up", () => {
	const asked = { wrapUpAsked: true, wrapUpRead: true, wrapUpFor: "turns" } as const;
	const verdictOf = (record: Parameters<typeof withWrapUp>[0], outcome = doneOutcome) =>
		withWrapUp(record, outcome).verdict;
	const steered = { status: "steered", reason: "wrapped_up" };

	it("is steered once that has been read, with its text", () => {
		expect(withWrapUp(run({}, asked), doneOutcome)).toEqual({ ...doneOutcome, verdict: steered });
	});

	it("is as it was where the agent was not asked, had not read it, failed, or never began", () => {
		expect(verdictOf(run({}))).toBe(doneOutcome.verdict);
		expect(verdictOf(run({}, { wrapUpRead: true }))).toBe(doneOutcome.verdict);
		expect(verdictOf(run({}, { wrapUpAsked: true }))).toBe(doneOutcome.verdict);
		expect(verdictOf(run({}, asked), failedOutcome)).toBe(failedOutcome.verdict);
		expect(verdictOf({ ...queued("a"), ...asked } as never)).toBe(doneOutcome.verdict);
	});

	it("is as it was with exactly as many tools as there may be, and steered beyond, or for any other limit", () => {
		const tools = { ...asked, wrapUpFor: "tools" } as const;
		expect(verdictOf(run({ maxTools: 3 }, { ...tools, toolsStarted: 3 }))).toBe(doneOutcome.verdict);
		expect(verdictOf(run({ maxTools: 3 }, { ...tools, toolsStarted: 4 }))).toEqual(steered);
		expect(verdictOf(run({ maxTools: 3 }, { ...asked, toolsStarted: 3 }))).toEqual(steered);
	});
});
