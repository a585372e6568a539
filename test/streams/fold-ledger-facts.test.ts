import { describe, expect, it } from "vitest";
import { type EndedRun, foldLedger, type SessionFacts } from "../../src/streams/fold-ledger.ts";
import { type GroupId, type RunKey, toToolCallId } from "../../src/streams/ids.ts";
import { type LedgerLine, leftLine, openedLine, settledLine } from "../../src/streams/ledger-line.ts";
import type { ScheduleId } from "../../src/streams/schedules.ts";
import { noSpend } from "../../src/streams/usage.ts";
import { done, history, place } from "./ledger-fixture.ts";

const nothing: SessionFacts = { delivered: new Map(), said: new Set() };

function fold(lines: readonly LedgerLine[], facts = nothing): readonly EndedRun[] {
	return foldLedger(lines, facts, { session: place.session, alive: new Set() }).map((run) => {
		if (run.fate === "owned") throw new Error(`${run.key} is owned`);
		return run;
	});
}

const a = history("aaaa");
const failed = history("aaaa", {
	outcome: {
		verdict: { status: "error", reason: "provider_error" },
		text: "partial",
		message: "500",
		unread: ["left"],
		notes: ["its work is on a branch"],
	},
});
const group = {
	groupId: "group1" as GroupId,
	kind: "crew",
	description: "a review",
	background: true,
	join: "group",
	member: "critic",
	index: 1,
	after: ["author"],
} as const;

describe("what the ledger knows of a run", () => {
	it("is all that was written of its end", () => {
		expect(fold([failed.opened, failed.settled])[0]?.record.outcome).toEqual(failed.record.outcome);
		const plain = fold([a.opened, a.settled])[0]?.record.outcome;
		expect(plain).toEqual(a.record.outcome);
		expect(plain).not.toHaveProperty("message");
		expect(plain).not.toHaveProperty("notes");
	});

	it("is which tasks its conversation may not have: all up to the first run that has begun a second turn", () => {
		const [first, later] = [history("aaaa", { prompt: "one" }), history("aaaa", { prompt: "one", turns: 2 })];
		const second = history("aaaa", { after: first.record, prompt: "two" });
		expect(fold([first.opened, first.settled])[0]?.unheard).toEqual(["one"]);
		expect(fold([later.opened, later.settled])[0]?.unheard).toEqual([]);
		const runs = fold([first.opened, first.settled, second.opened, second.settled]);
		expect(runs.map(({ unheard }) => unheard)).toEqual([["one"], ["one", "two"]]);
	});

	it("is the file that has its result, and no text then", () => {
		const [run] = fold([a.opened, settledLine(place, a.record, "aaaa.md")]);
		expect(run).toMatchObject({ textFile: "aaaa.md", record: { outcome: { text: "" } } });
		expect(fold([a.opened, a.settled])[0]).not.toHaveProperty("textFile");
	});

	it("is its group, its call and when it was opened, where they were written", () => {
		const called = { ...a.record, toolCallId: toToolCallId("t1"), schedule: "s-1" as ScheduleId };
		const [run] = fold([openedLine(place, called, 150, { prompt: "p", group })]);
		expect(run).toMatchObject({ group, openedAt: 150, record: { toolCallId: "t1", schedule: "s-1", createdAt: 100 } });
		const [bare] = fold([a.opened]);
		expect(bare).not.toHaveProperty("group");
		expect(bare?.record).not.toHaveProperty("toolCallId");
		expect(bare?.record).not.toHaveProperty("schedule");
	});

	it("is the first line of a kind: what a run came to does not change", () => {
		const other = settledLine(place, { ...a.record, outcome: done("another answer") }, undefined);
		expect(fold([a.opened, a.settled, other])[0]?.record.outcome.text).toBe("the answer");
	});
});

describe("a run that was cut short", () => {
	it("had begun when its session was made, and was last heard of then", () => {
		const { record } = fold([a.opened, a.started])[0] as EndedRun;
		expect(record).toMatchObject({ startedAt: a.started.at, endedAt: a.started.at, sessionFile: "aaaa.jsonl" });
		expect(record).toMatchObject({ turns: 0, toolsStarted: 0, toolUses: 0, spend: noSpend, status: "error" });
		expect(record.config).toMatchObject({ model: "acme/large", thinking: "high", tools: ["read"] });
	});

	it("had not begun without a session, and was last heard of when it was opened", () => {
		const { record } = fold([a.opened])[0] as EndedRun;
		expect(record.endedAt).toBe(a.opened.at);
		expect(record).not.toHaveProperty("startedAt");
		expect(record).not.toHaveProperty("sessionFile");
		expect(record.config).toMatchObject({ model: "acme/small", thinking: "off", tools: ["read", "grep"] });
		expect(record.outcome).toEqual({
			verdict: { status: "error", reason: "interrupted" },
			text: "",
			message: "it had not started yet",
			unread: [],
		});
	});

	it("has the verdict that the session tells, and nothing else of it", () => {
		const verdict = { status: "aborted", reason: "turn_limit" } as const;
		const facts: SessionFacts = { ...nothing, delivered: new Map([["aaaa#1" as RunKey, { by: "read", verdict }]]) };
		expect(fold([a.opened], facts)[0]?.record).toMatchObject({
			status: "aborted",
			outcome: { verdict, text: "", unread: [] },
		});
		expect(fold([a.opened], facts)[0]?.record.outcome.unread).toEqual([]);
	});
});

describe("the order of what the ledger tells", () => {
	it("is that of the ids for agents of one instant, and of the runs of one agent", () => {
		const b = history("bbbb");
		const again = history("aaaa", { after: a.record });
		const third = history("aaaa", { after: again.record });
		const keys = ["aaaa#1", "aaaa#2", "aaaa#3", "bbbb#1"];
		const lines = [b.opened, third.opened, again.opened, a.opened];
		expect(fold(lines).map(({ key }) => key)).toEqual(keys);
		expect(fold([...lines].reverse()).map(({ key }) => key)).toEqual(keys);
		expect(fold(lines).map(({ current }) => current)).toEqual([false, false, true, true]);
	});

	it("is that of creation before that of ids, whenever a later run was opened", () => {
		const early = history("zzzz", { createdAt: 1 });
		const late = history("zzzz", { after: early.record });
		expect(fold([a.opened, late.opened, early.opened]).map(({ key }) => key)).toEqual(["zzzz#1", "zzzz#2", "aaaa#1"]);
	});
});

describe("a session that was left", () => {
	it("is left by whoever wrote so, and by no other line", () => {
		const reader = { session: place.session, alive: new Set([place.writer, "200:7"]) };
		const other = leftLine({ ...place, writer: "200:7" }, 900);
		expect(foldLedger([a.opened, a.settled, other], nothing, reader).map(({ fate }) => fate)).toEqual(["owned"]);
	});

	it("leaves what was spent to the runs that come after, also over one that nothing is known of", () => {
		const again = history("aaaa", { after: a.record });
		const third = history("aaaa", { after: again.record });
		const runs = fold([a.opened, a.started, a.settled, again.opened, third.opened]);
		expect(runs.map(({ record }) => record.spend)).toEqual([a.record.spend, a.record.spend, a.record.spend]);
		expect(runs.map(({ record }) => record.sessionFile)).toEqual(["aaaa.jsonl", "aaaa.jsonl", "aaaa.jsonl"]);
	});
});
