import { readFileSync } from "node:fs";

interface Content {
	readonly type: string;
	readonly text?: string;
}

export interface Message {
	readonly role: string;
	readonly content?: string | readonly Content[];
	readonly toolName?: string;
	readonly toolCallId?: string;
	readonly isError?: boolean;
}

/** A line of a session file, or an event of Pi's json mode: the fields that are read here. */
export interface Line {
	readonly type: string;
	readonly message?: Message;
	readonly customType?: string;
	readonly content?: string | readonly Content[];
	readonly toolName?: string;
	readonly toolCallId?: string;
	readonly args?: Readonly<Record<string, unknown>>;
	readonly result?: { readonly content?: readonly Content[] };
	readonly partialResult?: { readonly content?: readonly Content[] };
	readonly entry?: Line;
	readonly isError?: boolean;
}

/** The lines of a JSONL text. */
export function parseLines(text: string): Line[] {
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as Line);
}

/** The lines of a session file. */
export function readLines(file: string): Line[] {
	return parseLines(readFileSync(file, "utf8"));
}

/** The text of anything that has content. */
export function textOf(source: { readonly content?: string | readonly Content[] } | undefined): string {
	const content = source?.content ?? "";
	return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

/** The agent that a result's header names. */
export function agentIdIn(text: string): string | undefined {
	return /^agent_id: (\S+)$/m.exec(text)?.[1];
}

/** A text without the header that results begin with. */
export function bodyOf(text: string): string {
	return agentIdIn(text) === undefined ? text : text.slice(text.indexOf("\n\n") + 1).trim();
}
