import type { Theme } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { noticeMessageType, resultMessageType } from "../streams/message-types.ts";
import { bodyLines } from "./body-lines.ts";
import { cleanLine } from "./clean-text.ts";
import { type Line, linesComponent } from "./lines.ts";
import { dotted, type Paint, paintStatus } from "./paint.ts";
import { isObject, list, readShownHeader, textOf, word } from "./shown-agent.ts";

/** How many agents a compact note names. */
const agentsShown = 8;

/** The parts of a custom message that are drawn. */
export interface ShownMessage {
	readonly customType: string;
	readonly content?: unknown;
	readonly details?: unknown;
}

/** The host's message renderer for both of our message types. */
export function renderNote(
	message: ShownMessage,
	options: { readonly expanded: boolean; readonly outputPad?: number },
	theme: Theme,
): Component {
	return linesComponent(noteLines(message, options.expanded, theme), options.outputPad ?? 1);
}

/** Compact: one line an agent, or the first line of a notice. Expanded: the text below it, bounded. */
export function noteLines(message: ShownMessage, expanded: boolean, paint: Paint): readonly Line[] {
	const text = textOf(message.content);
	const label = paint.fg(
		"customMessageLabel",
		paint.bold(message.customType === noticeMessageType ? "agents" : "agent"),
	);
	const summaries = message.customType === resultMessageType ? agentSummaries(message.details, text, paint) : [];
	if (summaries.length > 0) {
		const lines = summaries.map((summary): Line => ({ text: `${label} ${summary}`, overflow: "cut" }));
		return expanded ? [...lines, ...bodyLines(text, plain(paint))] : lines;
	}
	if (expanded) return [{ text: label, overflow: "cut" }, ...bodyLines(text, plain(paint))];
	return [{ text: `${label} ${paint.fg("customMessageText", cleanLine(text, 400))}`, overflow: "cut" }];
}

function plain(paint: Paint): (line: string) => string {
	return (line) => paint.fg("customMessageText", line);
}

/** One for each agent that the note is about; none when neither details nor text say which those are. */
function agentSummaries(details: unknown, text: string, paint: Paint): readonly string[] {
	const agents = isObject(details) ? list(details.agents).filter(isObject) : [];
	const summaries = agents.flatMap((agent) => {
		const status = word(agent.status);
		if (status === undefined) return [];
		const about = dotted([word(agent.member), word(agent.description, 200), word(agent.agentId)]);
		return dotted([paintStatus(status, status, paint), paint.fg("muted", about)]);
	});
	if (summaries.length > agentsShown) {
		return [...summaries.slice(0, agentsShown), paint.fg("muted", `and ${summaries.length - agentsShown} more`)];
	}
	if (summaries.length > 0) return summaries;
	const header = readShownHeader(text);
	if (header === undefined) return [];
	return [dotted([paintStatus(header.status, header.status, paint), paint.fg("muted", header.agentId ?? "")])];
}
