import { readFile } from "node:fs/promises";
import { parseSessionEntries, type SessionEntry, sessionEntryToContextMessages } from "@earendil-works/pi-coding-agent";
import type { AgentRecord } from "../streams/index.ts";
import { ownEntries } from "./inherited-conversation.ts";

/** How much of one message or tool result is told, in characters: the whole is in the session file. */
const excerpt = 600;

/**
 * What an agent and its tools have said so far, in order, a paragraph each, read from its session file: texts, the names
 * of tools, and the beginnings of their results. `undefined` for an agent whose session is kept in memory. Rejects when
 * the file cannot be read.
 */
export async function readConversation(record: AgentRecord | undefined): Promise<string | undefined> {
	if (record?.sessionFile === undefined) return undefined;
	const entries = parseSessionEntries(await readFile(record.sessionFile, "utf8"));
	return ownEntries(entries)
		.filter((entry): entry is SessionEntry => entry.type !== "session")
		.flatMap(sessionEntryToContextMessages)
		.map(paragraph)
		.filter((text) => text !== "")
		.join("\n\n");
}

type Message = ReturnType<typeof sessionEntryToContextMessages>[number];

function paragraph(message: Message): string {
	switch (message.role) {
		case "user":
		case "custom":
			return said("user", textOf(message.content));
		case "assistant": {
			const calls = message.content.flatMap((part) => (part.type === "toolCall" ? `[calls ${part.name}]` : []));
			return [said("agent", textOf(message.content)), ...calls].filter((text) => text !== "").join("\n");
		}
		case "toolResult":
			return said(`${message.toolName}${message.isError ? " failed" : ""}`, textOf(message.content));
		default:
			return "";
	}
}

function said(who: string, text: string): string {
	if (text.trim() === "") return "";
	return `${who}: ${text.length > excerpt ? `${text.slice(0, excerpt)}… (${text.length} characters)` : text}`;
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
	if (typeof content === "string") return content;
	return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}
