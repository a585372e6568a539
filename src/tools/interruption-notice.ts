import { oneLine } from "../streams/plain-text.ts";
import type { TerminalRecord } from "../streams/record.ts";
import { statusWithReason } from "./header.ts";

/** How many agents a notice names. */
const named = 10;

/**
 * What is said, once, of agents that ended with their host before they were done: which they are, and how to go on. The
 * first line stands for the whole where there is little room.
 */
export function composeInterruptionNotice(records: readonly TerminalRecord[]): string {
	const [count, them, self] =
		records.length === 1 ? ["1 agent was", "it", "itself"] : [`${records.length} agents were`, "one", "themselves"];
	const lines = records
		.slice(0, named)
		.map((record) => `- ${record.agentId} · ${statusWithReason(record)} · ${oneLine(record.description, 100)}`);
	const more = records.length > named ? [`- and ${records.length - named} more`] : [];
	return [
		`${count} interrupted when the session ended, and will not go on by ${self}.`,
		...lines,
		...more,
		`To go on with ${them}, call Agent with resume: <agent_id>; get_subagent_result shows what it had done.`,
	].join("\n");
}
