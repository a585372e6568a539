import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SessionEntry, SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConversation } from "../../src/host/child-conversation.ts";
import { openSessionManager } from "../../src/host/child-session-file.ts";
import {
	inheritableEntries,
	inheritedLines,
	ownEntries,
	withInherited,
} from "../../src/host/inherited-conversation.ts";
import { readInterrupted } from "../../src/host/interrupted-conversation.ts";
import type { AgentRecord } from "../../src/streams/index.ts";
import { makeSpec } from "./child-fixture.ts";

const timestamp = "2026-01-01T00:00:00.000Z";

/** A branch in short: each entry's parent is the one before it. Ids are their places. */
function branch(...entries: readonly Record<string, unknown>[]): SessionEntry[] {
	return entries.map(
		(entry, index) =>
			({ id: String(index), parentId: index === 0 ? null : String(index - 1), timestamp, ...entry }) as SessionEntry,
	);
}

const message = (role: string, more: Record<string, unknown> = {}) => ({ type: "message", message: { role, ...more } });
const user = message("user", { content: "hello" });
const said = message("assistant", { content: [{ type: "text", text: "hi" }] });
const called = (...ids: readonly string[]) =>
	message("assistant", { content: [{ type: "thinking" }, ...ids.map((id) => ({ type: "toolCall", id, name: "x" }))] });
const result = (toolCallId: string) => message("toolResult", { toolCallId });
const ids = (entries: readonly SessionEntry[]) => entries.map(({ id }) => id);

describe("what a child may begin with", () => {
	it("is the whole branch where nothing is under way, the same objects", () => {
		const whole = branch(user, called("a"), result("a"), said, { type: "model_change" });
		const given = inheritableEntries(whole);
		expect(given).toHaveLength(5);
		given.forEach((entry, index) => expect(entry).toBe(whole[index]));
		expect(inheritableEntries([])).toEqual([]);
	});

	it.each([
		["one call", [called("a")]],
		["a call of which others have answers", [called("a", "b"), result("a")]],
		["a call, and something behind it that is no message", [called("a"), { type: "custom", customType: "x" }]],
	])("ends before a message under way, with %s", (_what, rest) => {
		expect(ids(inheritableEntries(branch(user, called("z"), result("z"), said, user, ...rest)))).toEqual([
			"0",
			"1",
			"2",
			"3",
			"4",
		]);
	});

	it("is one chain, with one mark of its own, also below a parent that has inherited itself", () => {
		const first = inheritedLines(inheritableEntries(branch(user, said)), new Date(0));
		const task = { ...branch(user)[0], id: "task", parentId: first.at(-1)?.id } as SessionEntry;
		const second = inheritedLines(inheritableEntries([...first, task]), new Date(0));
		expect(ids(second)).toEqual(["0", "1", "task", "inherited"]);
		expect(second.map(({ parentId }) => parentId)).toEqual([null, "0", "1", "task"]);
		expect(ownEntries(second)).toEqual([]);
	});

	it("keeps a message with calls that were never answered where the conversation has gone on from it", () => {
		const whole = branch(user, called("a"), user, called("b"), result("b"));
		expect(inheritableEntries(whole)).toHaveLength(5);
	});

	it("has no system messages, and stays one chain, with what a compaction has kept", () => {
		const whole = branch(
			message("system", { content: "" }),
			user,
			message("system", { content: "" }),
			said,
			{ type: "compaction", firstKeptEntryId: "2", summary: "s" },
			user,
		);
		const given = inheritableEntries(whole);
		expect(given.map(({ id, parentId }) => [id, parentId])).toEqual([
			["1", null],
			["3", "1"],
			["4", "3"],
			["5", "4"],
		]);
		expect(given[2]).toMatchObject({ type: "compaction", firstKeptEntryId: "3" });
		expect(whole[4]).toMatchObject({ firstKeptEntryId: "2", parentId: "3" });
	});
});

describe("a session that has begun with another's conversation", () => {
	const lines = inheritedLines(branch(user, said), new Date(0));

	it("tells what is its own", () => {
		expect(ownEntries(lines)).toEqual([]);
		const own = { type: "message" };
		expect(ownEntries([...lines, own])).toEqual([own]);
		expect(ownEntries([own])).toEqual([own]);
		expect(inheritedLines([], new Date(0))).toMatchObject([{ parentId: null }]);
	});

	it("says so to the agent before its first task, and only then", () => {
		expect(withInherited("Do it.", lines)).toMatch(/^What stands above is a copy .*:\n\nDo it\.$/s);
		expect(withInherited("Do it.", [...lines, { type: "message" }])).toBe("Do it.");
		expect(withInherited("Do it.", branch(user))).toBe("Do it.");
	});
});

const usage = (input: number) => ({
	input,
	output: 1,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: input + 1,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: input },
});

const answer = (content: string, input: number) =>
	({
		role: "assistant",
		content: [{ type: "text", text: content }],
		api: "faux",
		provider: "faux",
		model: "one",
		usage: usage(input),
		stopReason: "stop",
		timestamp: 0,
	}) as Parameters<SessionManager["appendMessage"]>[0];
const question = (content: string) => ({ role: "user" as const, content, timestamp: 0 });

/** A conversation of the host's own making, with a compaction in it. */
function compacted(): SessionManager {
	const session = SessionManager.inMemory("/somewhere");
	session.appendMessage(question("long ago"));
	session.appendMessage(answer("forgotten", 100));
	const kept = session.appendMessage(question("kept"));
	session.appendMessage(answer("also kept", 200));
	session.appendCompaction("what was long ago", kept, 1_000);
	session.appendMessage(question("after it"));
	return session;
}

describe("a child's session", () => {
	async function useInheriting(sessionsDir?: string) {
		const conversation = compacted();
		const inherited = inheritableEntries(conversation.getBranch());
		const spec = makeSpec({ config: { inheritContext: true, inherited } });
		const place = { cwd: "/somewhere", ...(sessionsDir === undefined ? {} : { sessionsDir }) };
		return { conversation, session: await openSessionManager(place, spec) };
	}

	function folder(): string {
		const dir = mkdtempSync(join(tmpdir(), "inherited-"));
		onTestFinished(() => rmSync(dir, { recursive: true }));
		return dir;
	}

	it.each(["in a file", "in memory"])("says to the model what its parent's says, kept %s", async (where) => {
		const { conversation, session } = await useInheriting(where === "in a file" ? folder() : undefined);
		const { messages } = session.buildSessionContext();
		expect(messages).toEqual(conversation.buildSessionContext().messages);
		expect(JSON.stringify(messages)).toContain("what was long ago");
		expect(JSON.stringify(messages)).not.toContain("forgotten");
		expect(ownEntries(session.getEntries())).toEqual([]);
	});

	it("is read without what it has begun with: its spend and its words are its own", async () => {
		const { session } = await useInheriting(folder());
		session.appendMessage(question("look"));
		session.appendMessage(answer("seen", 7));
		session.appendMessage({
			role: "toolResult",
			toolCallId: "c",
			toolName: "ask",
			content: [],
			isError: false,
			timestamp: 0,
			usage: usage(2),
		});
		const file = String(session.getSessionFile());
		expect(await readFile(file, "utf8")).toContain("long ago");
		expect(await readInterrupted(file, 0)).toMatchObject({ text: "seen", turns: 1, spend: { input: 9, cost: 9 } });
		const record = { sessionFile: file } as AgentRecord;
		expect(await readConversation(record)).toBe("user: look\n\nagent: seen");
	});
});
