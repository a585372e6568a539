import { oneLine, sanitizeText } from "../streams/plain-text.ts";
import type { RunningRecord } from "../streams/record.ts";
import { formatSeconds } from "./format.ts";

const shownLines = 5;
const shownTools = 5;

/** What a caller needs to decide about an agent that is still going; turns and tokens stand in the header. */
export function runningEvidence(record: RunningRecord, now: number): string {
	const names = record.activeTools.slice(0, shownTools).map((tool) => oneLine(tool.toolName, 80));
	const more = record.activeTools.length - names.length;
	const idle = record.sessionReady ? "none" : "none, its session is still starting";
	const tools = names.length === 0 ? idle : names.join(", ") + (more > 0 ? ` and ${more} more` : "");
	const lines = [`current tool: ${tools}`, `silent: ${formatSeconds(now - record.lastEventAt)}`];
	if (record.waitsForProvider) lines.push("waiting for the provider: yes");
	const { stopping } = record;
	if (stopping !== undefined) lines.push(`being stopped: it will end as ${stopping.status} (${stopping.reason})`);
	else if (record.wrapUpAsked) lines.push("asked to wrap up: yes");
	const tail = lastLines(record.textTail);
	return [...lines, ...(tail === "" ? [] : ["last text:", tail])].join("\n");
}

/** Where a queued agent stands. */
export function queuedEvidence(place: number | undefined): string {
	return place === undefined ? "place in line: about to start" : `place in line: ${place}`;
}

function lastLines(text: string): string {
	const lines = sanitizeText(text)
		.split("\n")
		.map((line) => line.trimEnd())
		.filter((line) => line !== "");
	return lines.slice(-shownLines).join("\n");
}
