import { type AgentId, toCorrelationId } from "../../src/streams/ids.ts";
import type { Outcome } from "../../src/streams/outcome.ts";
import { type AgentRecord, type NewRecord, newRecord, type TerminalRecord } from "../../src/streams/record.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";

/** A record that waits for a slot, created at 0. */
export function queued(id: string, change: Partial<NewRecord> = {}): AgentRecord {
	return newRecord(
		{
			agentId: id as AgentId,
			correlationId: toCorrelationId(`c-${id}`),
			description: `the task of ${id}`,
			config: {
				subagentType: "explore",
				systemPrompt: "",
				model: "acme/large",
				thinking: "off",
				tools: ["read", "grep"],
				limits: { graceTurns: 3 },
				isolated: false,
			},
			background: true,
			...change,
		},
		0,
	);
}

/** One that runs since second 1, in its first turn. */
export function running(id: string, change: Partial<NewRecord> = {}): AgentRecord {
	const admitted = reduceRecord(queued(id, change), { type: "admitted" }, 1_000);
	return reduceRecord(admitted, { type: "turn_started" }, 1_500);
}

/** One that ended at second 61. */
export function ended(id: string, outcome: Partial<Outcome> = {}, change: Partial<NewRecord> = {}): TerminalRecord {
	const spend = { input: 12_345, output: 678, cacheRead: 0, cacheWrite: 0, cost: 0.0123 };
	const spent = reduceRecord(running(id, change), { type: "message_ended", text: "", spend }, 2_000);
	const all: Outcome = { verdict: { status: "completed", reason: "done" }, text: "", unread: [], ...outcome };
	return reduceRecord(spent, { type: "settled", outcome: all }, 61_000) as TerminalRecord;
}
