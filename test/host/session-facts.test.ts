import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { readSessionFacts } from "../../src/host/session-facts.ts";
import { readVerdict } from "../../src/streams/verdicts.ts";

let entries = 0;
const entry = (fields: object): SessionEntry =>
	({ id: `e${++entries}`, parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...fields }) as SessionEntry;
const note = (details: unknown): SessionEntry =>
	entry({ type: "custom_message", customType: "subagent-result", content: "", display: true, details });
const result = (toolName: string, details: unknown, more: object = {}): SessionEntry =>
	entry({ type: "message", message: { role: "toolResult", toolName, details, content: [], ...more } });
const agent = (more: object = {}) => ({
	kind: "agent",
	agent_id: "a1b2",
	run: 1,
	status: "completed",
	reason: "done",
	background: true,
	...more,
});
const delivered = (...all: SessionEntry[]) => [...readSessionFacts(all).delivered];

describe("what a session says of results", () => {
	it("has published those that a message delivers, each with the status that it tells", () => {
		const details = {
			delivery: ["a1b2#1", "c3d4#2"],
			agents: [{ agentId: "c3d4", status: "aborted" }],
		};
		expect(delivered(note(details))).toEqual([
			["a1b2#1", { by: "published" }],
			["c3d4#2", { by: "published", verdict: readVerdict("aborted") }],
		]);
	});

	it.each([
		["a reading that found it unpublished", "get_subagent_result", { published: false }, 1],
		["a reading that found it published", "get_subagent_result", { published: true }, 0],
		["a reading that found it had ended, and took nothing", "get_subagent_result", {}, 0],
		["a reading of one that runs", "get_subagent_result", { published: false, status: "running", reason: null }, 0],
		["a call in the foreground", "Agent", { background: false }, 1],
		[
			"a call in the foreground that was aborted",
			"Agent",
			{ background: false, status: "stopped", reason: "stopped_by_parent" },
			1,
		],
		["a call in the background, though it has ended", "Agent", { background: true }, 0],
		["another tool's result of the same shape", "Task", { background: false }, 0],
	])("takes %s for what it is", (_what, tool, more, count) => {
		expect(delivered(result(tool, agent(more)))).toHaveLength(count);
	});

	it("knows which run a result is of, and how that ended", () => {
		const read = result(
			"get_subagent_result",
			agent({ run: 3, published: false, status: "error", reason: "provider_error" }),
		);
		expect(delivered(read)).toEqual([
			["a1b2#3", { by: "read", verdict: { status: "error", reason: "provider_error" } }],
		]);
	});

	it("takes each member of a group for itself", () => {
		const members = [agent({ published: false }), agent({ agent_id: "c3d4", published: true })];
		expect(delivered(result("get_subagent_result", { kind: "group", members }))).toHaveLength(1);
		const foreground = members.map((member) => ({ ...member, background: false }));
		expect(delivered(result("Agent", { kind: "group", members: foreground }))).toHaveLength(2);
	});

	it("knows which interruptions it has been told of", () => {
		const notice = entry({
			type: "custom_message",
			customType: "subagent-notice",
			content: "",
			display: true,
			details: { interrupted: ["a1b2#1"] },
		});
		expect([...readSessionFacts([notice]).said]).toEqual(["a1b2#1"]);
	});

	it("adds up what results of our tools have carried", () => {
		const usage = { input: 5, output: 2, cacheRead: 1, cacheWrite: 0, totalTokens: 8, cost: { total: 0.25 } };
		const all = [
			result("Agent", undefined, { usage }),
			result("steer_subagent", undefined, { usage }),
			result("bash", undefined, { usage }),
			result("Agent", undefined),
		];
		expect(readSessionFacts(all).carried).toEqual({ input: 10, output: 4, cacheRead: 2, cacheWrite: 0, cost: 0.5 });
	});

	it.each([
		undefined,
		null,
		7,
		"a",
		[],
		{ kind: "agent" },
		{ kind: "agent", agent_id: "../x", status: "completed" },
		{ delivery: "a#1", agents: 3 },
		{ kind: "group", members: [null, 4] },
	])("passes over details that are not ours: %j", (details) => {
		expect(delivered(note(details), result("Agent", details), result("get_subagent_result", details))).toEqual([]);
	});
});
