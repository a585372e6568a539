import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConversation } from "../../src/host/child-conversation.ts";
import { terminalRecord } from "../support/outbox-fixture.ts";

async function sessionFile(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "conversation-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const session = SessionManager.create(folder, folder);
	session.appendMessage({ role: "user", content: [{ type: "text", text: "look around" }], timestamp: 1 });
	session.appendMessage(fauxAssistantMessage([fauxText("I look."), fauxToolCall("ls", { path: "." })]));
	session.appendMessage({
		role: "toolResult",
		toolCallId: "x",
		toolName: "ls",
		content: [{ type: "text", text: "y".repeat(2_000) }],
		isError: true,
		timestamp: 2,
	});
	session.appendMessage(fauxAssistantMessage([fauxText("Nothing there.")]));
	const file = session.getSessionFile();
	if (file === undefined) throw new Error("the session is not stored");
	return file;
}

describe("readConversation", () => {
	it("tells what was said, which tools were called, and the beginnings of their results", async () => {
		const record = { ...terminalRecord("a001"), sessionFile: await sessionFile() };
		expect(await readConversation(record)).toBe(
			[
				"user: look around",
				"agent: I look.\n[calls ls]",
				`ls failed: ${"y".repeat(600)}… (2000 characters)`,
				"agent: Nothing there.",
			].join("\n\n"),
		);
	});

	it("has nothing to tell of an agent whose session is kept in memory", async () => {
		expect(await readConversation(terminalRecord("a001"))).toBeUndefined();
	});

	it("rejects when the session file is gone", async () => {
		const record = { ...terminalRecord("a001"), sessionFile: join(tmpdir(), "no-such-session.jsonl") };
		await expect(readConversation(record)).rejects.toThrow(/ENOENT/);
	});
});
