import { readFile } from "node:fs/promises";
import { type AgentSession, parseSessionEntries, type SessionEntry } from "@earendil-works/pi-coding-agent";
import type { RunSpec } from "../streams/ports.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { ownEntries } from "./inherited-conversation.ts";

/**
 * Makes sure that the file has the conversation that a resume is to go on with. Rejects with a `StartupFailure` when it
 * is another's, when entries are missing in it, and when there is nothing in it although the agent has been told of its
 * task. A last line that a crash has cut is no damage: nobody has built on it.
 */
export async function checkConversation(file: string, spec: Pick<RunSpec, "agentId" | "unheard">): Promise<void> {
	const all = parseSessionEntries(await readFile(file, "utf8"));
	const [header] = all;
	const entries = all.filter((entry): entry is SessionEntry => entry.type !== "session");
	if (header?.type !== "session" || header.id !== spec.agentId)
		throw damaged(file, "it does not begin as one of this agent");
	const known = new Set<string>();
	for (const entry of entries) {
		if (entry.parentId !== null && !known.has(entry.parentId)) throw damaged(file, "a part of it is missing");
		known.add(entry.id);
	}
	const empty = !ownEntries(entries).some(({ type }) => type === "message");
	if (empty && (spec.unheard ?? []).length === 0) throw damaged(file, "there is nothing in it");
}

function damaged(file: string, why: string): StartupFailure {
	return new StartupFailure(`There is no conversation to go on with: ${file} is damaged, ${why}.`);
}

/** The prompt of a resume, behind the earlier tasks that the conversation has not. */
export function withUnheard(prompt: string, unheard: RunSpec["unheard"], session: AgentSession): string {
	if (unheard === undefined) return prompt;
	const heard = ownEntries(session.sessionManager.getEntries()).flatMap((entry) => userText(entry) ?? []);
	const missing = unheard.filter((task) => !heard.some((text) => text.includes(task)));
	return [...missing, prompt].join("\n\n");
}

function userText(entry: SessionEntry): string | undefined {
	if (entry.type !== "message" || entry.message.role !== "user") return undefined;
	const { content } = entry.message;
	return typeof content === "string"
		? content
		: content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
