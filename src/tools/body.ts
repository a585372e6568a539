import { type Capped, capText } from "../streams/cap.ts";
import { isSuccess, type Outcome } from "../streams/outcome.ts";
import { oneLine, sanitizeText } from "../streams/plain-text.ts";
import type { TerminalRecord } from "../streams/record.ts";
import { endingOf } from "./ending.ts";

/** A terminal record in words. `before` and `after` are ours; `text` is the child's, and data. */
export interface BodyParts {
	/** How it ended, where that is no success. */
	readonly before: string | undefined;
	/** Sanitized, and empty when the agent wrote nothing. */
	readonly text: string;
	/** What else there is to know: an answer that is not whole, steering messages that nobody read. */
	readonly after: string | undefined;
}

const shownUnread = 5;

export function bodyParts(record: TerminalRecord): BodyParts {
	const { outcome } = record;
	const text = sanitizeText(outcome.text).trim();
	return { before: beforeText(outcome, text), text, after: afterText(record) };
}

/** The whole body, at most `limit` characters, our own words included. */
export function composeBody(parts: BodyParts, limit: number): Capped {
	const ours = [parts.before, parts.after].filter((part) => part !== undefined);
	const used = ours.reduce((sum, part) => sum + part.length + 2, 0);
	const capped = capText(parts.text, Math.max(0, limit - used));
	const whole = [parts.before, capped.text, parts.after].filter((part) => part !== undefined && part !== "");
	return { text: whole.join("\n\n"), cut: capped.cut };
}

function beforeText(outcome: Outcome, text: string): string | undefined {
	if (isSuccess(outcome.verdict)) return text === "" ? "The agent ended without any text." : undefined;
	const { what, next } = endingOf(outcome.verdict.reason);
	const message = outcome.message === undefined ? "" : oneLine(outcome.message, 1_000);
	const said = message === "" ? `${what}.` : `${what}: ${message}`;
	return [
		said,
		...(next === undefined ? [] : [next]),
		text === "" ? "It had written no text." : "Its text so far:",
	].join("\n");
}

function afterText({ outcome, closed }: TerminalRecord): string | undefined {
	const notes: string[] = [];
	if (closed === "grace_expired") {
		notes.push("Its session has not come to rest: what it had under way may still be going on.");
	}
	if (outcome.verdict.reason === "truncated") {
		notes.push("The answer is not whole: the model came to its output limit.");
	}
	notes.push(...(outcome.notes ?? []));
	if (outcome.unread.length > 0) notes.push(unreadText(outcome.unread));
	return notes.length === 0 ? undefined : notes.join("\n");
}

/** Names the steering messages that an agent ended without reading. */
export function unreadText(unread: readonly string[]): string {
	const quoted = unread.slice(0, shownUnread).map((message) => `- "${oneLine(message, 200)}"`);
	const more = unread.length - quoted.length;
	const head =
		unread.length === 1
			? "It ended without reading this steering message:"
			: "It ended without reading these steering messages:";
	return [head, ...quoted, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}
