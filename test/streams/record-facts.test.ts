import { describe, expect, it } from "vitest";
import { toCorrelationId, toToolCallId } from "../../src/streams/ids.ts";
import type { AgentId, ScheduleId } from "../../src/streams/index.ts";
import {
	type AgentRecord,
	newRecord,
	type RecordEvent,
	resumedRecord,
	type TerminalRecord,
} from "../../src/streams/record.ts";
import { IllegalTransition, reduceRecord } from "../../src/streams/reduce-record.ts";
import { noSpend } from "../../src/streams/usage.ts";
import { agentId, doneOutcome, spendOf, testConfig } from "../support/run-script.ts";

const made = {
	agentId: agentId("a1b2"),
	correlationId: toCorrelationId("c"),
	description: "look around",
	config: testConfig,
	background: true,
};
const queued = newRecord(made, 100);
const running = reduceRecord(queued, { type: "admitted" }, 101);
const ended = reduceRecord(running, { type: "settled", outcome: doneOutcome }, 102) as TerminalRecord;
const tool = { type: "tool_ended", toolCallId: "x", toolName: "read", isError: false } as const;
const told = (record: AgentRecord, ...events: RecordEvent[]): AgentRecord =>
	events.reduce((now, event) => reduceRecord(now, event, 200), record);

describe("a wait for the provider", () => {
	const waits: RecordEvent = { type: "provider_wait", waiting: true };
	const retries: RecordEvent = { type: "retrying", attempt: 1, message: "429" };

	it.each([
		["a pause between two requests", retries],
		["a turn at the provider that others have first", waits],
	])("is %s, which the next event ends", (_name, event) => {
		expect(told(running, event)).toMatchObject({ waitsForProvider: true, lastEventAt: 200 });
		for (const next of [
			{ type: "stirred" },
			{ type: "text_delta", delta: "x" },
			{ ...waits, waiting: false },
		] as const) {
			expect(told(running, event, next)).not.toHaveProperty("waitsForProvider");
		}
		expect(told(running, event, waits)).toHaveProperty("waitsForProvider", true);
	});

	it("goes on through what the agent does not say itself", () => {
		const others: RecordEvent[] = [
			{ type: "stop_requested", request: { status: "stopped", reason: "stopped_by_user" } },
			{ type: "wrap_up_asked", limit: "time" },
			{ type: "inherited", spend: spendOf(1) },
		];
		for (const event of others) expect(told(running, waits, event)).toMatchObject({ waitsForProvider: true });
		expect(told(running, ...others)).toMatchObject({ lastEventAt: 101 });
	});

	it("is nothing that an ended run has", () => {
		expect(told(running, waits, { type: "settled", outcome: doneOutcome })).not.toHaveProperty("waitsForProvider");
	});
});

describe("a wrap-up in the record", () => {
	it("names its limit, and is read with the message that asks for it and no other", () => {
		const asked = told(running, { type: "wrap_up_asked", limit: "tools" });
		expect(asked).toMatchObject({ wrapUpAsked: true, wrapUpFor: "tools" });
		expect(told(asked, { type: "steering_read", message: "left" })).not.toHaveProperty("wrapUpRead");
		expect(told(asked, { type: "steering_read", message: "stop", limit: true })).toMatchObject({ wrapUpRead: true });
	});
});

describe("money in the record", () => {
	it("of a tool with a model is the agent's, while it runs and while it dies", () => {
		for (const record of [running, ended]) {
			expect(told(record, { ...tool, spend: spendOf(4, 2) }).spend).toEqual(spendOf(4, 2));
			expect(told(record, tool).spend).toEqual(noSpend);
		}
		expect(told(ended, tool)).toBe(ended);
	});

	it("that the session of an earlier run has spent is the agent's in each status, and changes nothing else", () => {
		for (const record of [queued, running, ended]) {
			expect(told(record, { type: "inherited", spend: spendOf(4, 2) })).toEqual({ ...record, spend: spendOf(4, 2) });
		}
	});
});

describe("what has no place in a status", () => {
	it("is refused: another start or a close of what runs", () => {
		expect(() => told(running, { type: "admitted" })).toThrow(IllegalTransition);
		expect(() => told(running, { type: "closed", how: "verified" })).toThrow(IllegalTransition);
	});

	it("is a stop of what waits, which ends by its settlement", () => {
		const request = { status: "stopped", reason: "stopped_by_user" } as const;
		expect(told(queued, { type: "stop_requested", request })).toBe(queued);
	});
});

describe("whose a record is", () => {
	const belonging = {
		...made,
		parent: "pppp" as AgentId,
		schedule: "s-one1" as ScheduleId,
		toolCallId: toToolCallId("t1"),
	};

	it("is told from its beginning to its end", () => {
		const record = newRecord(belonging, 100);
		expect(record).toStrictEqual({
			...belonging,
			run: 1,
			createdAt: 100,
			spend: noSpend,
			turns: 0,
			toolsStarted: 0,
			toolUses: 0,
			status: "queued",
		});
		const over = told(record, { type: "admitted" }, { type: "settled", outcome: doneOutcome });
		expect(over).toMatchObject({ parent: "pppp", schedule: "s-one1", toolCallId: "t1" });
		for (const key of ["parent", "schedule", "toolCallId"]) expect(ended).not.toHaveProperty(key);
	});

	it("stays with a resume but for the call and the schedule, which are those of the next run", () => {
		const over = told(newRecord(belonging, 100), { type: "settled", outcome: doneOutcome }) as TerminalRecord;
		const by = { config: testConfig, background: false };
		const next = resumedRecord(over, { ...by, toolCallId: toToolCallId("t2") });
		expect(next).toStrictEqual({
			...made,
			background: false,
			parent: "pppp",
			toolCallId: "t2",
			run: 2,
			createdAt: 100,
			spend: noSpend,
			turns: 0,
			toolsStarted: 0,
			toolUses: 0,
			status: "queued",
		});
		expect(resumedRecord(ended, by)).not.toHaveProperty("parent");
	});
});
