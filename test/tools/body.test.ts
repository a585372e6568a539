import { describe, expect, it } from "vitest";
import {
	bodyLimit,
	type Outcome,
	type OutcomeReasons,
	type TerminalStatus,
	type Verdict,
} from "../../src/streams/index.ts";
import { bodyParts, composeBody } from "../../src/tools/body.ts";
import { runningEvidence } from "../../src/tools/evidence.ts";
import { ended, running } from "./records.ts";

const bodyOf = (outcome: Partial<Outcome>) => composeBody(bodyParts(ended("agent1", outcome)), bodyLimit);

const failures: { [S in TerminalStatus]: readonly OutcomeReasons[S][] } = {
	completed: [],
	steered: [],
	aborted: ["turn_limit", "tool_limit", "token_limit", "budget", "timeout", "idle_timeout"],
	stopped: ["stopped_by_user", "stopped_by_parent", "parent_shutdown", "dependency_failed"],
	error: ["provider_error", "startup_failure", "interrupted", "internal"],
};
const failed = Object.entries(failures).flatMap(([status, reasons]) =>
	reasons.map((reason) => ({ status, reason }) as Verdict),
);

describe("the body of a result", () => {
	it("is the child's answer and nothing else when all went well", () => {
		expect(bodyOf({ text: "  found it\n" })).toEqual({ text: "found it", cut: 0 });
	});

	it("says so when the agent wrote nothing", () => {
		expect(bodyOf({ verdict: { status: "completed", reason: "empty" }, text: "" }).text).toBe(
			"The agent ended without any text.",
		);
	});

	it("says so when the answer is not whole", () => {
		expect(bodyOf({ verdict: { status: "completed", reason: "truncated" } }).text).toMatch(
			/^found it\n\nThe answer is not whole/,
		);
	});

	it.each(failed)("tells a failure before the partial text: $status ($reason)", (verdict) => {
		const { text } = bodyOf({ verdict, message: "429 slow down" });
		expect(text).toMatch(/^It (was|could|failed|had)|^Its /);
		expect(text.split("\n")[0]).toContain(": 429 slow down");
		expect(text.endsWith("Its text so far:\n\nfound it")).toBe(true);
	});

	it("tells failures apart", () => {
		const texts = failed.map((verdict) => bodyOf({ verdict }).text);
		expect(new Set(texts).size).toBe(failed.length);
	});

	it("says when a failed agent wrote nothing", () => {
		expect(bodyOf({ verdict: { status: "error", reason: "provider_error" }, text: "" }).text).toContain(
			"It had written no text.",
		);
	});

	it("names the steering messages that were never read, on one line each and not without end", () => {
		const unread = ["use\nthe other file", ...Array.from({ length: 9 }, (_, index) => `message ${index}`)];
		const { text } = bodyOf({ unread });
		expect(text).toMatch(
			/^found it\n\nIt ended without reading these steering messages:\n- "use the other file"\n- "message 0"/,
		);
		expect(text).toContain("- and 5 more");
		expect(bodyOf({ unread: ["one"] }).text).toContain('this steering message:\n- "one"');
	});

	it("stays within its limit, our own words included, and keeps them whole", () => {
		const { text, cut } = bodyOf({
			verdict: { status: "aborted", reason: "turn_limit" },
			text: `A${"x".repeat(60_000)}Z`,
			message: "m".repeat(5_000),
			unread: Array.from({ length: 20 }, () => "u".repeat(5_000)),
		});
		expect(text.length).toBeLessThanOrEqual(bodyLimit);
		expect(text).toContain(`[… ${cut} characters cut here …]`);
		expect(text).toMatch(/^It was ended at its turn limit/);
		expect(text).toContain("- and 15 more");
	});

	it("holds no terminal escapes, from the text, the message or a steering message", () => {
		const { text } = bodyOf({
			verdict: { status: "error", reason: "internal" },
			text: "\u001b[31mred",
			message: "\u001b]0;t\u0007bad",
			unread: ["\u001b[2Jgone"],
		});
		expect(text).not.toContain("\u001b");
		expect(text).toContain("red");
	});
});

describe("the evidence of a running agent", () => {
	it("is the current tool, the seconds of silence and the last lines of text", () => {
		const record = running("agent1", {
			activeTools: [{ toolCallId: "t1", toolName: "bash" }],
			textTail: "one\ntwo\n\nthree\nfour\nfive\nsix  \n",
			lastEventAt: 2_000,
		});
		expect(runningEvidence(record, 14_500)).toBe(
			"current tool: bash\nsilent: 12.5s\nlast text:\ntwo\nthree\nfour\nfive\nsix",
		);
	});

	it("says when there is no tool, no text and no session yet", () => {
		expect(runningEvidence(running(), 1_000)).toBe("current tool: none\nsilent: 0s");
		expect(runningEvidence(running("agent1", { sessionReady: false }), 1_000)).toContain(
			"its session is still starting",
		);
	});

	it("says when the agent is being stopped, was asked to wrap up, or waits for its provider", () => {
		const stopping = { status: "stopped", reason: "stopped_by_user" } as const;
		expect(runningEvidence(running("agent1", { stopping }), 1_000)).toContain(
			"being stopped: it will end as stopped (stopped_by_user)",
		);
		expect(runningEvidence(running("agent1", { wrapUpAsked: true }), 1_000)).toContain("asked to wrap up: yes");
		const waiting = runningEvidence(running("agent1", { waitsForProvider: true }), 1_000);
		expect(waiting.split("\n")).toContain("waiting for the provider: yes");
	});

	it("names many tools without end to the list", () => {
		const activeTools = Array.from({ length: 30 }, (_, index) => ({
			toolCallId: `t${index}`,
			toolName: `tool${index}`,
		}));
		expect(runningEvidence(running("agent1", { activeTools }), 1_000)).toContain("tool4 and 25 more");
	});
});
