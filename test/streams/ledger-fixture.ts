import { type AgentId, toCorrelationId } from "../../src/streams/ids.ts";
import {
	type OpenedLine,
	openedLine,
	type SettledLine,
	type StartedLine,
	settledLine,
	startedLine,
} from "../../src/streams/ledger-line.ts";
import type { Outcome } from "../../src/streams/outcome.ts";
import type { RunConfig } from "../../src/streams/ports.ts";
import { type AgentRecord, newRecord, resumedRecord, type TerminalRecord } from "../../src/streams/record.ts";
import { reduceRecord } from "../../src/streams/reduce-record.ts";
import type { Spend } from "../../src/streams/usage.ts";

const config: RunConfig = {
	subagentType: "explore",
	systemPrompt: "be brief",
	model: "acme/small",
	thinking: "off",
	tools: ["read", "grep"],
	limits: { graceTurns: 3, maxTurns: 9 },
	isolated: false,
};
const spend: Spend = { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, cost: 0.5 };

/** A run that did what it was asked to. */
export function done(text: string): Outcome {
	return { verdict: { status: "completed", reason: "done" }, text, unread: [] };
}

/** Where the lines of these tests are written. */
export const place = { session: "mine", writer: "100:5" };

export interface History {
	readonly opened: OpenedLine;
	readonly started: StartedLine;
	readonly settled: SettledLine;
	readonly record: TerminalRecord;
}

export interface HistoryOptions {
	readonly background?: boolean;
	/** The agent that started it, where the session did not. */
	readonly parent?: string;
	readonly outcome?: Outcome;
	/** The run before, for a resume. */
	readonly after?: TerminalRecord;
	readonly createdAt?: number;
	readonly prompt?: string;
	/** How many turns it took; 1 unless it says otherwise. */
	readonly turns?: number;
	readonly where?: typeof place;
}

/** The lines of a run that went well, each of which a test may leave out. */
export function history(id: string, options: HistoryOptions = {}): History {
	const { background = true, outcome = done("the answer"), after, createdAt = 100, where = place } = options;
	const first: AgentRecord =
		after === undefined
			? newRecord(
					{
						agentId: id as AgentId,
						correlationId: toCorrelationId(`c-${id}`),
						description: `about ${id}`,
						config,
						background,
						...(options.parent === undefined ? {} : { parent: options.parent as AgentId }),
					},
					createdAt,
				)
			: resumedRecord(after, { config, background });
	const at = after === undefined ? createdAt : after.endedAt + 10;
	const ready = reduceRecord(
		reduceRecord(first, { type: "admitted" }, at + 1),
		{
			type: "session_ready",
			session: { model: "acme/large", thinking: "high", tools: ["read"], sessionFile: `${id}.jsonl` },
		},
		at + 2,
	);
	const asked = Array.from({ length: options.turns ?? 1 }).reduce<AgentRecord>(
		(record) => reduceRecord(record, { type: "turn_started" }, at + 3),
		ready,
	);
	const spent = reduceRecord(asked, { type: "message_ended", text: "", spend }, at + 4);
	const record = reduceRecord(spent, { type: "settled", outcome }, at + 5) as TerminalRecord;
	return {
		opened: openedLine(where, first, at, { prompt: options.prompt ?? `the task of ${id}` }),
		started: startedLine(where, ready, at + 2),
		settled: settledLine(where, record, undefined),
		record,
	};
}
