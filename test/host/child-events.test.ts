import { fauxAssistantMessage, fauxText, fauxThinking, fauxToolCall } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { type AssistantMessage, toRunEvents } from "../../src/host/child-events.ts";
import { emptyTally, type RunTally, tallyEvent } from "../../src/host/child-tally.ts";
import { judgeOutcome } from "../../src/host/judge-outcome.ts";
import type { StopRequest } from "../../src/streams/outcome.ts";

const byUser: StopRequest = { status: "stopped", reason: "stopped_by_user" };

function end(message: AssistantMessage): AgentSessionEvent {
	return { type: "message_end", message };
}

function turn(message: AssistantMessage): AgentSessionEvent {
	return { type: "turn_end", message, toolResults: [] };
}

function tallied(...events: AgentSessionEvent[]): RunTally {
	return events.reduce(tallyEvent, emptyTally);
}

describe("what a session's event means to the run", () => {
	it("is that another turn follows only when the message asks for tools and is whole", () => {
		const calls = [fauxText("x"), fauxToolCall("ls", {})];
		const continues = (message: AssistantMessage) => toRunEvents(turn(message));
		expect(continues(fauxAssistantMessage(calls, { stopReason: "toolUse" }))).toEqual([
			{ type: "turn_ended", continues: true },
		]);
		for (const message of [
			fauxAssistantMessage("x"),
			fauxAssistantMessage(calls, { stopReason: "aborted" }),
			fauxAssistantMessage(calls, { stopReason: "error" }),
		]) {
			expect(continues(message)).toEqual([{ type: "turn_ended", continues: false }]);
		}
	});

	it("is the text of a message without its thoughts", () => {
		const message = fauxAssistantMessage([fauxThinking("hm"), fauxText("a"), fauxToolCall("ls", {}), fauxText("b")]);
		expect(toRunEvents(end(message))).toMatchObject([{ type: "message_ended", text: "ab" }]);
	});

	it("is a sign of life where it thinks or a tool says something", () => {
		const partial = fauxAssistantMessage([fauxThinking("hm")]);
		const update = { type: "thinking_delta", contentIndex: 0, delta: "hm", partial } as const;
		expect(toRunEvents({ type: "message_update", message: partial, assistantMessageEvent: update })).toEqual([
			{ type: "stirred" },
		]);
		const output = { toolCallId: "1", toolName: "bash", args: {}, partialResult: {} };
		expect(toRunEvents({ type: "tool_execution_update", ...output })).toEqual([{ type: "stirred" }]);
	});

	it("is the end of a tool, with what it has spent itself where it says so", () => {
		const about = { toolCallId: "1", toolName: "ask", isError: false };
		const ended = (result: object) => toRunEvents({ type: "tool_execution_end", ...about, result });
		expect(ended({ content: [] })).toEqual([{ type: "tool_ended", ...about }]);
		const spend = { input: 5, output: 4, cacheRead: 3, cacheWrite: 2 };
		const usage = { ...spend, totalTokens: 14, cost: { ...spend, total: 0.5 } };
		expect(ended({ content: [], usage })).toEqual([{ type: "tool_ended", ...about, spend: { ...spend, cost: 0.5 } }]);
	});

	it("is nothing for a message that is not the assistant's, and for a compaction that failed", () => {
		expect(toRunEvents({ type: "message_end", message: { role: "user", content: "x", timestamp: 0 } })).toEqual([]);
		expect(
			toRunEvents({ type: "compaction_end", reason: "threshold", result: undefined, aborted: true, willRetry: false }),
		).toEqual([]);
	});

	it("is a compaction without spend where the host does not tell it", () => {
		const result = { summary: "s", firstKeptEntryId: "e", tokensBefore: 1 };
		const event: AgentSessionEvent = {
			type: "compaction_end",
			reason: "threshold",
			result,
			aborted: false,
			willRetry: false,
		};
		expect(toRunEvents(event)).toEqual([
			{ type: "compacted", spend: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 } },
		]);
	});
});

describe("the verdict", () => {
	const evidence = { stop: undefined, failure: undefined, unread: [] };

	it("is our stop's, whatever the host calls the end", () => {
		for (const stopReason of ["aborted", "error", "stop", "length", "toolUse"] as const) {
			const tally = tallied(end(fauxAssistantMessage("x", { stopReason })));
			const failure = { reason: "internal", message: "a subscriber threw" } as const;
			expect(judgeOutcome({ ...evidence, tally, failure, stop: byUser }).verdict).toBe(byUser);
		}
	});

	it("of an abort that nobody asked for is an internal error", () => {
		const tally = tallied(end(fauxAssistantMessage("x", { stopReason: "aborted", errorMessage: "gone" })));
		expect(judgeOutcome({ ...evidence, tally })).toMatchObject({
			verdict: { status: "error", reason: "internal" },
			text: "x",
		});
	});

	it("of a prompt that was rejected in the middle of the run is an internal error with the text so far", () => {
		const tally = tallied({ type: "agent_start" }, end(fauxAssistantMessage("so far", { stopReason: "toolUse" })));
		const failure = { reason: "internal", message: "a subscriber threw" } as const;
		expect(judgeOutcome({ ...evidence, tally, failure })).toEqual({
			verdict: { status: "error", reason: "internal" },
			text: "so far",
			message: "a subscriber threw",
			unread: [],
		});
	});

	it("of a run without any answer is an internal error", () => {
		expect(judgeOutcome({ ...evidence, tally: emptyTally }).verdict).toEqual({ status: "error", reason: "internal" });
	});

	it("has the text that is being written, then the last message's, then the last there was", () => {
		const first = end(fauxAssistantMessage("first", { stopReason: "toolUse" }));
		const silent = end(fauxAssistantMessage([], { stopReason: "aborted" }));
		const writing: AgentSessionEvent = { type: "message_start", message: fauxAssistantMessage("writing") };
		const textOf = (...events: AgentSessionEvent[]) =>
			judgeOutcome({ ...evidence, tally: tallied(...events), stop: byUser }).text;
		expect(textOf(first, writing)).toBe("writing");
		expect(textOf(first, silent)).toBe("first");
		expect(textOf(silent)).toBe("");
	});

	it("of a completed run never borrows an earlier text", () => {
		const first = end(fauxAssistantMessage("first", { stopReason: "toolUse" }));
		const outcome = judgeOutcome({ ...evidence, tally: tallied(first, end(fauxAssistantMessage([]))) });
		expect(outcome).toMatchObject({ verdict: { status: "completed", reason: "empty" }, text: "" });
	});
});
