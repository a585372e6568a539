import type { AgentId, CorrelationId, ToolCallId } from "./ids.ts";
import type { SoftLimit } from "./limits.ts";
import type { Outcome, StopRequest, TerminalStatus } from "./outcome.ts";
import type { RunConfig } from "./ports.ts";
import type { RunEvent } from "./run-event.ts";
import type { ScheduleId } from "./schedules.ts";
import { noSpend, type Spend } from "./usage.ts";

export type RecordStatus = "queued" | "running" | TerminalStatus;

/** What is true of an agent whatever its status. Times are milliseconds of the scheduler's clock. */
interface RecordBase {
	readonly agentId: AgentId;
	readonly correlationId: CorrelationId;
	/** The agent that started it; absent where the session itself did. */
	readonly parent?: AgentId;
	/** The call that created or last resumed the agent. */
	readonly toolCallId?: ToolCallId;
	/** The schedule that has started this run. */
	readonly schedule?: ScheduleId;
	/** Which run this is, from 1. */
	readonly run: number;
	readonly description: string;
	readonly config: RunConfig;
	/** A background agent's result is published unless it is read first; a foreground one's belongs to its call. */
	readonly background: boolean;
	readonly createdAt: number;
	/** Over all runs; neither a resume nor a compaction resets it. */
	readonly spend: Spend;
	readonly sessionFile?: string;
	/** Turns begun, tools started and tools ended in this run. Tools count at their start for limits, at their end for people. */
	readonly turns: number;
	readonly toolsStarted: number;
	readonly toolUses: number;
}

export interface QueuedRecord extends RecordBase {
	readonly status: "queued";
}

export interface RunningRecord extends RecordBase {
	readonly status: "running";
	readonly startedAt: number;
	readonly lastEventAt: number;
	readonly activeTools: readonly ActiveTool[];
	/** The end of what the agent has written so far in its current message. */
	readonly textTail: string;
	/** Set once the run has been told to stop and until it has. */
	readonly stopping?: StopRequest;
	/** Set once the agent has been asked to wrap up at a soft limit. */
	readonly wrapUpAsked: boolean;
	/** Which limit that was. */
	readonly wrapUpFor?: SoftLimit;
	/** Whether the agent has read that. */
	readonly wrapUpRead?: boolean;
	/** Whether the child session exists; until then steering is held. */
	readonly sessionReady: boolean;
	/** Set while there is nothing to do but wait until the provider may be asked again. */
	readonly waitsForProvider?: true;
}

export interface TerminalRecord extends RecordBase {
	readonly status: TerminalStatus;
	readonly outcome: Outcome;
	readonly startedAt?: number;
	readonly endedAt: number;
	/** Whether the session is known to have come to rest; absent while it is still being closed. */
	readonly closed?: "verified" | "grace_expired";
}

/** An immutable snapshot of an agent. The status decides which fields there are, so no illegal mixture can be written. */
export type AgentRecord = QueuedRecord | RunningRecord | TerminalRecord;

export interface ActiveTool {
	readonly toolCallId: string;
	readonly toolName: string;
}

export function isTerminal(record: AgentRecord): record is TerminalRecord {
	return record.status !== "queued" && record.status !== "running";
}

/** What moves a record, beside the run's own events. */
export type RecordEvent =
	| { readonly type: "admitted" }
	| { readonly type: "stop_requested"; readonly request: StopRequest }
	| { readonly type: "wrap_up_asked"; readonly limit: SoftLimit }
	/** What the session of an earlier run spent after this run had taken over the record. */
	| { readonly type: "inherited"; readonly spend: Spend }
	| RunEvent;

/** What a spawn starts from. */
export interface NewRecord extends Pick<RecordBase, "schedule"> {
	readonly agentId: AgentId;
	readonly correlationId: CorrelationId;
	readonly parent?: AgentId;
	readonly toolCallId?: ToolCallId;
	readonly description: string;
	readonly config: RunConfig;
	readonly background: boolean;
}

/** What a resume may change. */
export interface ResumedRecord {
	readonly toolCallId?: ToolCallId;
	readonly config: RunConfig;
	readonly background: boolean;
}

/**
 * The record of an agent's next run: the same agent, lifetime and spend, with counts of its own. Only a terminal record
 * can be resumed (seed 000 §12.1).
 */
export function resumedRecord(record: TerminalRecord, by: ResumedRecord): QueuedRecord {
	const { agentId, correlationId, parent, run, description, createdAt, spend, sessionFile } = record;
	return {
		agentId,
		correlationId,
		description,
		createdAt,
		spend,
		...by,
		run: run + 1,
		turns: 0,
		toolsStarted: 0,
		toolUses: 0,
		status: "queued",
		...(parent === undefined ? {} : { parent }),
		...(sessionFile === undefined ? {} : { sessionFile }),
	};
}

/** A record in its first status, before anything has happened to it. */
export function newRecord(from: NewRecord, now: number): QueuedRecord {
	return {
		...from,
		run: 1,
		createdAt: now,
		spend: noSpend,
		turns: 0,
		toolsStarted: 0,
		toolUses: 0,
		status: "queued",
	};
}
