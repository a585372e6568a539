import { describe, expect, it } from "vitest";
import { noSpend, toCorrelationId, toToolCallId } from "../../src/streams/index.ts";
import {
	type AgentRecord,
	newRecord,
	type RecordEvent,
	resumedRecord,
	type TerminalRecord,
} from "../../src/streams/record.ts";
import { IllegalTransition, reduceRecord } from "../../src/streams/reduce-record.ts";
import { agentId, doneOutcome, failedOutcome, runEvents, spendOf, testConfig } from "../support/run-script.ts";

const queued = newRecord(
	{
		agentId: agentId("a1b2"),
		correlationId: toCorrelationId("c"),
		description: "look around",
		config: testConfig,
		background: true,
	},
	100,
);

/** Events by the letters of `runEvents`; `A` admits, `S` asks to stop. */
const letters: Readonly<Record<string, RecordEvent>> = {
	...runEvents,
	A: { type: "admitted" },
	S: { type: "stop_requested", request: { status: "stopped", reason: "stopped_by_user" } },
	w: { type: "wrap_up_asked", limit: "turns" },
	k: { type: "compacted", spend: spendOf(7) },
	y: { type: "retrying", attempt: 1, message: "429" },
	q: { type: "steering_read", message: "left" },
	f: {
		type: "session_ready",
		session: { model: "local/child", thinking: "off", tools: ["read"], sessionFile: "/s.jsonl" },
	},
	C: { type: "tool_started", toolCallId: "x2", toolName: "grep" },
};

function reduced(script: string, from: AgentRecord = queued): AgentRecord {
	return [...script].reduce((record, letter, index) => {
		const event = letters[letter];
		if (!event) throw new Error(`no event ${letter}`);
		return reduceRecord(record, event, 101 + index);
	}, from);
}

describe("the record's lifecycle (seed 000 §12.1, §17 Lifecycle)", () => {
	it.each([
		["queued → running", "A", "running"],
		["queued → stopped", "s", "completed"],
		["queued → error", "e", "error"],
		["starting", "Ar", "running"],
		["running → completed", "Arts", "completed"],
		["running → error", "Arte", "error"],
	] as const)("%s", (_name, script, status) => {
		expect(reduced(script).status).toBe(status);
	});

	it.each([
		["twice admitted", "AA"],
		["an event of a session before there is one", "t"],
		["closed before it settled", "Ac"],
		["settled twice", "Ass"],
		["admitted after the end", "AsA"],
	])("refuses loudly: %s", (_name, script) => {
		expect(() => reduced(script)).toThrow(IllegalTransition);
	});

	it.each([...Object.keys(letters)].filter((letter) => !"Asemck".includes(letter) && letter !== "z"))(
		"a terminal record absorbs a late %s without a change",
		(letter) => {
			const terminal = reduced("Arts");
			expect(reduced(letter, terminal)).toBe(terminal);
		},
	);

	it("a terminal record learns how its session came to rest", () => {
		expect((reduced("Artsc") as TerminalRecord).closed).toBe("verified");
		expect((reduced("Artsz") as TerminalRecord).closed).toBe("grace_expired");
	});

	it("keeps the outcome, the times and whose it was, and drops what only a running one has", () => {
		const { outcome, startedAt, endedAt, ...rest } = reduced("Artdms") as TerminalRecord;
		expect({ outcome, startedAt, endedAt }).toEqual({ outcome: doneOutcome, startedAt: 101, endedAt: 106 });
		expect(rest).toMatchObject({ agentId: "a1b2", correlationId: "c", description: "look around", background: true });
		expect(rest).not.toHaveProperty("textTail");
		expect(rest).not.toHaveProperty("activeTools");
	});

	it("has no start time when it never started", () => {
		expect(reduced("e")).not.toHaveProperty("startedAt");
		expect((reduced("e") as TerminalRecord).outcome).toBe(failedOutcome);
	});

	it("says whose call it was and where its session is, if there is one, and says nothing otherwise", () => {
		const called: AgentRecord = { ...queued, toolCallId: toToolCallId("t1") };
		expect(reduced("Afs", called)).toMatchObject({ toolCallId: "t1", sessionFile: "/s.jsonl" });
		expect(reduced("Ar")).not.toHaveProperty("sessionFile");
		expect(reduced("Ars")).not.toHaveProperty("sessionFile");
		expect(reduced("Ars")).not.toHaveProperty("toolCallId");
	});

	it("adds what a session spent on compacting while it was dying", () => {
		expect(reduced("Artsk").spend).toEqual(spendOf(7));
	});

	it("names the agent, its status and what cannot happen to it", () => {
		expect(() => reduced("AA")).toThrow(
			expect.objectContaining({
				name: "IllegalTransition",
				message: 'Agent a1b2 is running: "admitted" cannot happen to it',
			}),
		);
	});

	it("keeps the first stop request and is still running until it has stopped", () => {
		const first = reduced("ArS");
		const second = reduceRecord(
			first,
			{ type: "stop_requested", request: { status: "aborted", reason: "turn_limit" } },
			200,
		);
		expect(second).toBe(first);
		expect(second).toMatchObject({ status: "running", stopping: { reason: "stopped_by_user" } });
	});
});

describe("what a running record tells", () => {
	it("does not count the turn in which the host only says that it was stopped", () => {
		expect(reduced("ArtSt")).toMatchObject({ turns: 1 });
		expect(reduced("Artt")).toMatchObject({ turns: 2 });
	});

	it("counts tools at their start for limits and at their end for people (seed 000 §13.1)", () => {
		expect(reduced("Artb")).toMatchObject({ toolsStarted: 1, toolUses: 0, activeTools: [{ toolName: "bash" }] });
		expect(reduced("ArtbB")).toMatchObject({ toolsStarted: 1, toolUses: 1, activeTools: [] });
	});

	it("names the tools that still run when one of them has ended", () => {
		expect(reduced("ArtbCB")).toMatchObject({ activeTools: [{ toolCallId: "x2", toolName: "grep" }] });
	});

	it("sums spend over turns and compactions; what was read from the cache is never input", () => {
		const cached: RecordEvent = {
			type: "message_ended",
			text: "x",
			spend: { input: 3, output: 1, cacheRead: 900, cacheWrite: 20, cost: 0.5 },
		};
		const record = reduceRecord(reduced("Artmk"), cached, 200);
		expect(record.spend).toEqual({ input: 20, output: 6, cacheRead: 900, cacheWrite: 20, cost: 0.517 });
	});

	it("adds what tools have spent themselves, also while the session was dying", () => {
		const ended = {
			type: "tool_ended",
			toolCallId: "x",
			toolName: "ask",
			isError: false,
			spend: spendOf(7, 2),
		} as const;
		const running = reduceRecord(reduced("Art"), ended, 200);
		expect(running).toMatchObject({ spend: spendOf(7, 2), toolUses: 1 });
		expect(reduceRecord(reduced("Arts"), ended, 200).spend).toEqual(spendOf(7, 2));
	});

	it("counts money that was spent while the session was dying", () => {
		expect(reduced("Artsm").spend).toEqual(spendOf(10, 5));
	});

	it("keeps the end of the current message only", () => {
		const long: RecordEvent = { type: "text_delta", delta: "x".repeat(1000) };
		expect(reduceRecord(reduced("Artd"), long, 200)).toMatchObject({ textTail: "x".repeat(400) });
		expect(reduced("Artdt")).toMatchObject({ textTail: "" });
		const message: RecordEvent = {
			type: "message_ended",
			text: `${"a".repeat(600)}${"b".repeat(300)}`,
			spend: noSpend,
		};
		expect(reduceRecord(reduced("Art"), message, 200)).toMatchObject({ textTail: "a".repeat(100) + "b".repeat(300) });
	});

	it("has written nothing when it is admitted", () => {
		expect(reduced("A")).toMatchObject({ textTail: "", activeTools: [] });
	});

	it("stops showing what was written when the message has ended, whatever was written before", () => {
		expect(reduced("Artdm")).toMatchObject({ textTail: "answer" });
	});

	it("says when it last heard of the agent, and whether its session exists", () => {
		expect(reduced("A")).toMatchObject({ sessionReady: false, lastEventAt: 101 });
		expect(reduced("Aryq")).toMatchObject({ sessionReady: true, lastEventAt: 104 });
	});

	it("takes model, thinking and tools from the session that came of it", () => {
		const ready: RecordEvent = {
			type: "session_ready",
			session: { model: "p/other", thinking: "low", tools: ["ls"], sessionFile: "/s.jsonl" },
		};
		const record = reduceRecord(reduced("A"), ready, 200);
		expect(record.config).toEqual({ ...testConfig, model: "p/other", thinking: "low", tools: ["ls"] });
		expect(record.sessionFile).toBe("/s.jsonl");
	});
});

describe("the record of a resumed agent", () => {
	const by = { config: testConfig, background: true };

	it("goes on with the session that it had, and with none if there was none", () => {
		expect(resumedRecord(reduced("Afs") as TerminalRecord, by)).toMatchObject({ run: 2, sessionFile: "/s.jsonl" });
		expect(resumedRecord(reduced("e") as TerminalRecord, by)).not.toHaveProperty("sessionFile");
	});

	it("keeps what was spent and counts its turns and tools anew", () => {
		expect(resumedRecord(reduced("ArtmbBs") as TerminalRecord, by)).toMatchObject({
			status: "queued",
			spend: spendOf(10, 5),
			turns: 0,
			toolsStarted: 0,
			toolUses: 0,
		});
	});
});
