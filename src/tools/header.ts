import { oneLine } from "../streams/plain-text.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { formatCost, formatCount, formatSeconds } from "./format.ts";

/**
 * The lines that every text about an agent begins with. They are protocol: a model and a program find the same facts
 * under the same keys in each of them. `outputPath` is given when the body was cut.
 */
export function composeHeader(record: AgentRecord, now: number, outputPath?: string): string {
	const facts = [
		`type: ${oneLine(record.config.subagentType, 100)}`,
		`model: ${oneLine(record.config.model, 200)}`,
		`turns: ${record.turns}`,
		`tools: ${record.toolUses}`,
		`tokens: ${formatCount(record.spend.input)}/${formatCount(record.spend.output)}`,
		`cost: $${formatCost(record.spend.cost)}`,
		`time: ${formatSeconds(durationOf(record, now))}`,
	];
	const lines = [`agent_id: ${record.agentId}`, `status: ${statusWithReason(record)}`, facts.join(" · ")];
	if (record.schedule !== undefined) lines.push(`schedule: ${oneLine(record.schedule, 100)}`);
	if (outputPath !== undefined) lines.push(`output: ${oneLine(outputPath, 4096)}`);
	return lines.join("\n");
}

/** `completed`, `aborted (turn_limit)`: the reason is left out where it says nothing. */
export function statusWithReason(record: AgentRecord): string {
	if (!isTerminal(record)) return record.status;
	const { status, reason } = record.outcome.verdict;
	return reason === "done" ? status : `${status} (${reason})`;
}

/** Milliseconds from the start of the run to its end, or to `now`; 0 for what never started. */
export function durationOf(record: AgentRecord, now: number): number {
	if (record.status === "queued") return 0;
	if (!isTerminal(record)) return now - record.startedAt;
	return record.startedAt === undefined ? 0 : record.endedAt - record.startedAt;
}
