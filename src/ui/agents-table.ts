import { visibleWidth } from "@earendil-works/pi-tui";
import { inTree } from "../streams/family.ts";
import type { Group } from "../streams/groups.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import { counted, shortCost, shortCount, shortDuration } from "./format.ts";

/** How much of what an agent wrote `showAgent` gives, in lines and characters. */
const shownLines = 60;
const shownCharacters = 8_000;

const columns = ["id", "status", "type", "turns", "tokens", "cost", "age", "description"] as const;

/**
 * What `/agents list` says: a line an agent, in the order of their creation, each one's own agents indented behind it. Where there are groups, a column says which
 * one an agent was started in, and under which name. `now` is the records' own clock.
 */
export function agentsTable(records: readonly AgentRecord[], now: number, groups: readonly Group[] = []): string {
	if (records.length === 0) return "No agents in this session.";
	const tree = inTree(records);
	const rows = tree.map(({ record, level }) => agentRow(record, level, now));
	const names = groupNames(groups);
	return tableText(
		names.size === 0
			? [columns, ...rows]
			: [
					withGroup(columns, "group"),
					...rows.map((row, index) => withGroup(row, names.get(tree[index]?.record.agentId) ?? "")),
				],
	);
}

/** The column of groups stands before the description. */
function withGroup(row: readonly string[], cell: string): readonly string[] {
	return [...row.slice(0, -1), cell, ...row.slice(-1)];
}

function groupNames(groups: readonly Group[]): ReadonlyMap<string | undefined, string> {
	return new Map(
		groups.flatMap(({ groupId, members }) =>
			members.map(({ agentId, name }) => [agentId, `${groupId}/${cleanLine(name, 24)}`] as const),
		),
	);
}

/** Rows as text, their columns in line. */
export function tableText(rows: readonly (readonly string[])[]): string {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visibleWidth(row[column] ?? ""))));
	// The description stands last: it is the one that may be cut by a narrow terminal, and needs no filling.
	return rows
		.map((row) =>
			row
				.map((cell, column) => pad(cell, widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

function agentRow(record: AgentRecord, level: number, now: number): readonly string[] {
	return [
		`${"  ".repeat(level)}${record.agentId}`,
		statusWords(record),
		cleanLine(record.config.subagentType, 24),
		String(record.turns),
		tokens(record),
		shortCost(record.spend.cost),
		shortDuration(now - record.createdAt),
		cleanLine(record.description, 60),
	];
}

/** What `/agents show` says: what is known of an agent, and the end of what it is writing or what it wrote, bounded. */
export function showAgent(record: AgentRecord, now: number): string {
	const { config } = record;
	const limit = config.limits.maxTurns === undefined ? "" : ` of ${config.limits.maxTurns}`;
	const facts: readonly (readonly [string, string | undefined])[] = [
		["agent", record.agentId],
		["started by", record.parent],
		["status", statusWords(record)],
		["description", cleanLine(record.description, 200)],
		["type", cleanLine(config.subagentType)],
		["model", `${cleanLine(config.model)}, thinking ${cleanLine(config.thinking)}`],
		["tools", config.tools.length === 0 ? "none" : cleanLine(config.tools.join(", "), 400)],
		["run", `${record.run}, in the ${record.background ? "background" : "foreground"}`],
		["turns", `${record.turns}${limit}, ${counted(record.toolUses, "tool call")}`],
		["spent", `${tokens(record)} tokens, ${shortCost(record.spend.cost)}`],
		["time", runTime(record, now)],
		["now", doingNow(record, now)],
		["failure", failure(record)],
		["unread", unread(record)],
		["session", record.sessionFile === undefined ? undefined : cleanLine(record.sessionFile, 400)],
	];
	const lines = facts.flatMap(([name, value]) =>
		value === undefined || value === "" ? [] : `${name.padEnd(12)}${value}`,
	);
	const text = writtenText(record);
	return text === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${text}`;
}

export function statusWords(record: AgentRecord): string {
	if (isTerminal(record)) {
		const { status, reason } = record.outcome.verdict;
		const words = reason === "done" ? status : `${status} (${reason})`;
		return record.closed === "grace_expired" ? `${words}, not at rest` : words;
	}
	return record.status === "running" && record.stopping ? `stopping (${record.stopping.reason})` : record.status;
}

export function tokens(record: AgentRecord): string {
	return `${shortCount(record.spend.input)}/${shortCount(record.spend.output)}`;
}

function runTime(record: AgentRecord, now: number): string | undefined {
	if (record.status === "queued" || record.startedAt === undefined) return undefined;
	const end = isTerminal(record) ? record.endedAt : now;
	return shortDuration(end - record.startedAt);
}

function doingNow(record: AgentRecord, now: number): string | undefined {
	if (record.status === "queued") return `in line for ${shortDuration(now - record.createdAt)}`;
	if (isTerminal(record)) return undefined;
	const tools = record.activeTools.map((tool) => cleanLine(tool.toolName, 40)).join(", ");
	const silent = record.waitsForProvider ? "waiting for the provider" : "thinking or writing";
	return `${tools === "" ? silent : tools}, last event ${shortDuration(now - record.lastEventAt)} ago`;
}

function failure(record: AgentRecord): string | undefined {
	return isTerminal(record) && record.outcome.message !== undefined
		? cleanLine(record.outcome.message, 400)
		: undefined;
}

function unread(record: AgentRecord): string | undefined {
	if (!isTerminal(record) || record.outcome.unread.length === 0) return undefined;
	return `${counted(record.outcome.unread.length, "message")}: ${cleanLine(record.outcome.unread.join(" · "), 400)}`;
}

function writtenText(record: AgentRecord): string {
	if (record.status === "queued") return "";
	if (!isTerminal(record)) return cleanText(record.textTail).trim();
	const whole = record.outcome.text;
	const text = cleanText(whole.slice(0, shownCharacters)).trim();
	const lines = text.split("\n");
	const shown = lines.slice(0, shownLines).join("\n");
	return whole.length > shownCharacters || lines.length > shownLines ? `${shown}\n… more text` : shown;
}

function pad(cell: string, width: number): string {
	return cell + " ".repeat(Math.max(0, width - visibleWidth(cell)));
}
