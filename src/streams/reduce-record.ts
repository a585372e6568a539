import type { Outcome } from "./outcome.ts";
import {
	type AgentRecord,
	isTerminal,
	type QueuedRecord,
	type RecordEvent,
	type RunningRecord,
	type TerminalRecord,
} from "./record.ts";
import { addSpend } from "./usage.ts";

/** An event that has no place in the record's status: a fault of the caller, never dropped in silence. */
export class IllegalTransition extends Error {
	override readonly name = "IllegalTransition";
	constructor(record: AgentRecord, event: RecordEvent) {
		super(`Agent ${record.agentId} is ${record.status}: "${event.type}" cannot happen to it`);
	}
}

/** How much of the current message `textTail` keeps, in characters. */
export const textTailLength = 400;

/**
 * The record after an event. Events that come after the end of a run change nothing, except `closed`: a terminal record
 * absorbs what a dying session still says (seed 000 §12.1 has no edge for it). Anything else that does not fit throws.
 */
export function reduceRecord(record: AgentRecord, event: RecordEvent, now: number): AgentRecord {
	if (isTerminal(record)) return reduceTerminal(record, event);
	if (record.status === "queued") return reduceQueued(record, event, now);
	return reduceRunning(record, event, now);
}

function reduceTerminal(record: TerminalRecord, event: RecordEvent): AgentRecord {
	switch (event.type) {
		case "closed":
			return { ...record, closed: event.how };
		case "message_ended":
		case "compacted":
		case "inherited":
			// Money spent while the session was dying was spent all the same.
			return { ...record, spend: addSpend(record.spend, event.spend) };
		case "tool_ended":
			return event.spend === undefined ? record : { ...record, spend: addSpend(record.spend, event.spend) };
		case "admitted":
		case "settled":
			throw new IllegalTransition(record, event);
		default:
			return record;
	}
}

function reduceQueued(record: QueuedRecord, event: RecordEvent, now: number): AgentRecord {
	switch (event.type) {
		case "admitted":
			return {
				...record,
				status: "running",
				startedAt: now,
				lastEventAt: now,
				activeTools: [],
				textTail: "",
				wrapUpAsked: false,
				sessionReady: false,
			};
		case "settled":
			return settle(record, event.outcome, now);
		case "stop_requested":
			return record;
		case "inherited":
			return { ...record, spend: addSpend(record.spend, event.spend) };
		default:
			throw new IllegalTransition(record, event);
	}
}

function reduceRunning(record: RunningRecord, event: RecordEvent, now: number): AgentRecord {
	// The text of an answer comes in hundreds of pieces: one copy of the record for each, and no more.
	const heard = record.waitsForProvider === undefined ? record : withoutWait(record);
	const seen = (changes: Partial<RunningRecord>): RunningRecord => ({ ...heard, ...changes, lastEventAt: now });
	switch (event.type) {
		case "stop_requested":
			return record.stopping ? record : { ...record, stopping: event.request };
		case "wrap_up_asked":
			return { ...record, wrapUpAsked: true, wrapUpFor: event.limit };
		case "inherited":
			return { ...record, spend: addSpend(record.spend, event.spend) };
		case "session_ready":
			return seen({
				sessionReady: true,
				config: {
					...record.config,
					model: event.session.model,
					thinking: event.session.thinking,
					tools: event.session.tools,
				},
				...(event.session.sessionFile === undefined ? {} : { sessionFile: event.session.sessionFile }),
			});
		case "turn_started":
			// The host begins one more turn only to say that it is aborted: the model is not asked in it.
			return seen({ turns: record.stopping ? record.turns : record.turns + 1, textTail: "" });
		case "text_delta":
			return seen({ textTail: (record.textTail + event.delta).slice(-textTailLength) });
		case "message_ended":
			return seen({ textTail: event.text.slice(-textTailLength), spend: addSpend(record.spend, event.spend) });
		case "compacted":
			return seen({ spend: addSpend(record.spend, event.spend) });
		case "tool_started":
			return seen({
				toolsStarted: record.toolsStarted + 1,
				activeTools: [...record.activeTools, { toolCallId: event.toolCallId, toolName: event.toolName }],
			});
		case "tool_ended":
			return seen({
				toolUses: record.toolUses + 1,
				...(event.spend === undefined ? {} : { spend: addSpend(record.spend, event.spend) }),
				activeTools: record.activeTools.filter((tool) => tool.toolCallId !== event.toolCallId),
			});
		case "settled":
			return settle(record, event.outcome, now);
		case "turn_ended":
		case "stirred":
			return seen({});
		case "steering_read":
			return seen(event.limit ? { wrapUpRead: true } : {});
		case "retrying":
			return seen({ waitsForProvider: true });
		case "provider_wait":
			return seen(event.waiting ? { waitsForProvider: true } : {});
		case "admitted":
		case "closed":
			throw new IllegalTransition(record, event);
	}
}

function withoutWait({ waitsForProvider: _, ...record }: RunningRecord): RunningRecord {
	return record;
}

function settle(record: QueuedRecord | RunningRecord, outcome: Outcome, now: number): TerminalRecord {
	const { agentId, correlationId, run, description, config, background, createdAt, spend } = record;
	const { turns, toolsStarted, toolUses } = record;
	return {
		agentId,
		correlationId,
		run,
		description,
		config,
		background,
		createdAt,
		spend,
		turns,
		toolsStarted,
		toolUses,
		status: outcome.verdict.status,
		outcome,
		endedAt: now,
		...(record.parent === undefined ? {} : { parent: record.parent }),
		...(record.toolCallId === undefined ? {} : { toolCallId: record.toolCallId }),
		...(record.schedule === undefined ? {} : { schedule: record.schedule }),
		...(record.sessionFile === undefined ? {} : { sessionFile: record.sessionFile }),
		...(record.status === "running" ? { startedAt: record.startedAt } : {}),
	};
}
