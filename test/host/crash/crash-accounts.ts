import type { LedgerLine, OpenedLine } from "../../../src/streams/index.ts";
import type { PiEntry } from "../../support/pi-record.ts";
import { answerTo, type CrashWorld, isTaskOf } from "./crash-world.ts";

/** What is wrong with the accounts: nothing, when every agent is accounted for. */
export interface Accounts {
	/** Agents that somebody has been told of and that are not known, and results that nobody gets. */
	readonly lost: readonly string[];
	/** Results that stand in the session twice, and work that was done again unasked. */
	readonly doubled: readonly string[];
	/** How many runs there are to account for. */
	readonly runs: number;
}

/**
 * Goes through everything that the session and its ledger tell of. `known` are the agents that the reopened session has
 * an answer about.
 */
export function account(world: CrashWorld, known: ReadonlySet<string>): Accounts {
	const entries = world.entries();
	const lines = world.lines().filter((line) => line.session === world.sessionId);
	const opened = lines.filter((line): line is OpenedLine => line.type === "opened");
	const delivered = deliveries(entries);
	const said = entries.flatMap(interruptions);
	const lost: string[] = [];
	const doubled: string[] = [];
	for (const id of receipts(entries)) {
		if (!opened.some(({ agent }) => agent === id)) lost.push(`${id} has a receipt and no record`);
	}
	for (const line of opened) {
		const key = `${line.agent}#${line.run}`;
		if (!known.has(line.agent)) lost.push(`${key} is not known any more`);
		const times = delivered.filter((one) => one === key).length;
		const timesSaid = said.filter((one) => one === key).length;
		if (times > 1) doubled.push(`${key} was delivered ${times} times`);
		if (timesSaid > 1) doubled.push(`${key} was said to be interrupted ${timesSaid} times`);
		if (times === 0 && timesSaid === 0) lost.push(`${key} was neither delivered nor said to be interrupted`);
		if (hasResult(lines, line) && times !== 1) lost.push(`the result of ${key} was delivered ${times} times`);
		const task = line.prompt;
		const asked = world.server.requests.filter((request) => isTaskOf(request, task)).length;
		if (asked > 1) doubled.push(`${key} was asked ${asked} times`);
		if (hasResult(lines, line) && !JSON.stringify(entries).includes(answerTo(task))) lost.push(`the text of ${key}`);
	}
	return { lost, doubled, runs: opened.length };
}

/** Whether the ledger has an end of the run that was not that of its session. */
function hasResult(lines: readonly LedgerLine[], { agent, run }: OpenedLine): boolean {
	return lines.some(
		(line) =>
			line.type === "settled" && line.agent === agent && line.run === run && line.verdict.reason !== "parent_shutdown",
	);
}

/** The runs whose results stand in the session, once for each time that they do. */
export function deliveries(entries: readonly PiEntry[]): string[] {
	return entries.flatMap((entry) => {
		if (entry.type === "custom_message" && entry.customType === "subagent-result")
			return list(entry.details, "delivery");
		if (entry.message?.role !== "toolResult" || entry.message.toolName !== "get_subagent_result") return [];
		const { agent_id: id, run, published } = (entry.message.details ?? {}) as Record<string, unknown>;
		return published === false ? [`${id}#${run}`] : [];
	});
}

function interruptions(entry: PiEntry): string[] {
	return entry.customType === "subagent-notice" ? list(entry.details, "interrupted") : [];
}

function receipts(entries: readonly PiEntry[]): Set<string> {
	const ids = entries.flatMap(({ message }) => {
		if (message?.role !== "toolResult" || message.toolName !== "Agent") return [];
		const { agent_id: id } = (message.details ?? {}) as { agent_id?: string };
		return id ?? [];
	});
	return new Set(ids);
}

function list(details: unknown, key: string): string[] {
	const value = (details as Record<string, unknown> | undefined)?.[key];
	return Array.isArray(value) ? value.map(String) : [];
}
