import { describe, expect, it } from "vitest";
import type { AgentId } from "../../src/streams/ids.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import { agentsTable, showAgent } from "../../src/ui/agents-table.ts";
import { ended, queued, running } from "./records.ts";

const now = 125_000;

describe("agentsTable", () => {
	it("is a line an agent under one of names", () => {
		const failed = ended("bad1", { verdict: { status: "error", reason: "provider_error" } });
		expect(agentsTable([running("run1"), queued("queue1"), ended("done1"), failed], now).split("\n")).toEqual([
			"id      status                  type     turns  tokens   cost     age    description",
			"run1    running                 explore  1      0/0      $0       2m05s  the task of run1",
			"queue1  queued                  explore  0      0/0      $0       2m05s  the task of queue1",
			"done1   completed               explore  1      12k/678  $0.0123  2m05s  the task of done1",
			"bad1    error (provider_error)  explore  1      12k/678  $0.0123  2m05s  the task of bad1",
		]);
	});

	it("shows the agents of an agent behind it, deeper by their level, whenever they were started", () => {
		const below = (id: string, parent: string) => running(id, { parent: parent as AgentId });
		const records = [
			running("lead1"),
			running("other1"),
			below("part1", "lead1"),
			below("piece1", "part1"),
			below("part2", "lead1"),
		];
		const ids = agentsTable(records, now)
			.split("\n")
			.slice(1)
			.map((line) => line.replace(/ +running.*$/, ""));
		expect(ids).toEqual(["lead1", "  part1", "    piece1", "  part2", "other1"]);
		// Whose parent is not shown stands as if it had none.
		expect(agentsTable([below("part1", "gone")], now)).toMatch(/\npart1 /);
	});

	it("says so when there are none", () => {
		expect(agentsTable([], now)).toBe("No agents in this session.");
	});

	it("keeps its columns with wide characters, and lets no description break a line", () => {
		const config = { ...queued("x").config, subagentType: "調査" };
		const wide = queued("wide1", { config, description: "\u001b[2Jone\ntwo" });
		expect(agentsTable([wide, queued("narrow1")], now).split("\n")).toEqual([
			"id       status  type     turns  tokens  cost  age    description",
			"wide1    queued  調査     0      0/0     $0    2m05s  one two",
			"narrow1  queued  explore  0      0/0     $0    2m05s  the task of narrow1",
		]);
	});

	it("says that an agent is being stopped, and that one did not come to rest", () => {
		const request = { status: "stopped", reason: "stopped_by_user" } as const;
		const stopping = reduceRecord(running("stop1"), { type: "stop_requested", request }, 2_000);
		const zombie = reduceRecord(ended("dead1", { verdict: request }), { type: "closed", how: "grace_expired" }, 70_000);
		const table = agentsTable([stopping, zombie], now);
		expect(table).toContain("stop1  stopping (stopped_by_user) ");
		expect(table).toContain("dead1  stopped (stopped_by_user), not at rest ");
	});
});

describe("showAgent", () => {
	it("says what a queued agent waits for", () => {
		expect(showAgent(queued("q1"), now).split("\n")).toEqual([
			"agent       q1",
			"status      queued",
			"description the task of q1",
			"type        explore",
			"model       acme/large, thinking off",
			"tools       read, grep",
			"run         1, in the background",
			"turns       0, 0 tool calls",
			"spent       0/0 tokens, $0",
			"now         in line for 2m05s",
		]);
	});

	it("says who has started an agent that the session has not", () => {
		expect(showAgent(queued("part1", { parent: "lead1" as AgentId }), now)).toMatch(/^started by +lead1$/m);
	});

	it("says what a running agent does, how long it has been silent, and the end of what it writes", () => {
		const started = { type: "tool_started", toolCallId: "t1", toolName: "bash" } as const;
		const writing = reduceRecord(running("r1"), { type: "text_delta", delta: "so far\u0007" }, 100_000);
		const shown = showAgent(reduceRecord(writing, started, 115_000), now);
		expect(shown).toContain("time        2m04s\nnow         bash, last event 10s ago\n\nso far");
		expect(showAgent(running("r1"), now)).toContain("now         thinking or writing, last event 2m03s ago");
		const waiting = reduceRecord(running("r1"), { type: "provider_wait", waiting: true }, 115_000);
		expect(showAgent(waiting, now)).toMatch(/^now +waiting for the provider, last event /m);
	});

	it("says how an agent ended, what failed, what it never read, and what it wrote", () => {
		const record = ended("e1", {
			verdict: { status: "error", reason: "provider_error" },
			message: "529\noverloaded",
			unread: ["look there", "and there"],
			text: "Partial.\nText.",
		});
		const shown = showAgent({ ...record, sessionFile: "/sessions/e1.jsonl" }, now);
		expect(shown).toContain("status      error (provider_error)\n");
		expect(shown).toContain("spent       12k/678 tokens, $0.0123\n");
		expect(shown).toContain("time        1m00s\n");
		expect(shown).toContain("failure     529 overloaded\n");
		expect(shown).toContain("unread      2 messages: look there · and there\n");
		expect(shown).toMatch(/session {5}\/sessions\/e1\.jsonl\n\nPartial\.\nText\.$/);
	});

	it("bounds what an agent wrote, and says that there is more", () => {
		const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
		expect(showAgent(ended("e1", { text: lines }), now)).toMatch(/line 59\n… more text$/);
		const long = showAgent(ended("e1", { text: "x".repeat(100_000) }), now);
		expect(long.length).toBeLessThan(9_000);
		expect(long).toMatch(/x\n… more text$/);
	});

	it("shows the limit of turns", () => {
		const config = { ...queued("x").config, limits: { maxTurns: 5, graceTurns: 3 } };
		expect(showAgent(queued("q1", { config }), now)).toContain("turns       0 of 5, 0 tool calls");
	});
});
