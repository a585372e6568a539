import type { ToolCallId } from "../streams/ids.ts";
import { oneLine } from "../streams/plain-text.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import type { EstimateDetails } from "./estimate.ts";
import type { GroupDetails } from "./group-details.ts";
import { durationOf } from "./header.ts";
import type { ScheduleDetails } from "./schedule-call.ts";

/** The tokens of an agent over all its runs. */
export interface TokenFacts {
	readonly input: number;
	readonly output: number;
	readonly cache_read: number;
	readonly cache_write: number;
}

/** What details and structured answers both tell about an agent. Times are milliseconds, money is US dollars. */
export interface AgentFacts {
	readonly agent_id: string;
	readonly status: string;
	/** `null` until the agent has ended. */
	readonly reason: string | null;
	readonly type: string;
	readonly model: string;
	readonly turns: number;
	readonly tool_uses: number;
	readonly tokens: TokenFacts;
	readonly cost_usd: number;
	readonly duration_ms: number;
	readonly output_path?: string;
}

/** An agent, for rendering: the facts of the header and whose it is. Never a transcript, never the task. */
export interface AgentDetails extends AgentFacts {
	readonly kind: "agent";
	readonly description: string;
	/** Which run of the agent this is about, from 1. */
	readonly run: number;
	readonly correlation_id: string;
	/** The call that created the agent. */
	readonly toolCallId?: string;
	readonly background: boolean;
	/** 1 for the next to start. */
	readonly place_in_line?: number;
	/** Names of the tools that are running. */
	readonly current_tools?: readonly string[];
	readonly silent_ms?: number;
	/** Why the agent is being stopped, while it is. */
	readonly stopping?: string;
	/** Whether the result had stood in the conversation before this call read it. */
	readonly published?: boolean;
	/** How many steering messages the agent ended without reading. */
	readonly unread?: number;
	/** What the run got other than what was asked for. */
	readonly notes?: readonly string[];
}

/** A call that is about no agent, because there is none. */
export interface ProblemDetails {
	readonly kind: "problem";
	readonly problems: readonly string[];
	readonly toolCallId: string;
}

export type ToolDetails = AgentDetails | GroupDetails | EstimateDetails | ScheduleDetails | ProblemDetails;

/** What only the call knows. */
export interface DetailsExtra {
	readonly outputPath?: string | undefined;
	readonly placeInLine?: number | undefined;
	readonly published?: boolean | undefined;
	readonly notes?: readonly string[] | undefined;
}

export function agentFacts(record: AgentRecord, now: number, outputPath?: string): AgentFacts {
	const { spend } = record;
	return {
		agent_id: record.agentId,
		status: record.status,
		reason: isTerminal(record) ? record.outcome.verdict.reason : null,
		type: record.config.subagentType,
		model: record.config.model,
		turns: record.turns,
		tool_uses: record.toolUses,
		tokens: { input: spend.input, output: spend.output, cache_read: spend.cacheRead, cache_write: spend.cacheWrite },
		cost_usd: spend.cost,
		duration_ms: durationOf(record, now),
		...(outputPath === undefined ? {} : { output_path: outputPath }),
	};
}

export function agentDetails(record: AgentRecord, now: number, extra: DetailsExtra = {}): AgentDetails {
	return {
		kind: "agent",
		...agentFacts(record, now, extra.outputPath),
		description: oneLine(record.description, 200),
		run: record.run,
		correlation_id: record.correlationId,
		background: record.background,
		...(record.toolCallId === undefined ? {} : { toolCallId: record.toolCallId }),
		...liveDetails(record, now),
		...(isTerminal(record) && record.outcome.unread.length > 0 ? { unread: record.outcome.unread.length } : {}),
		...(extra.placeInLine === undefined ? {} : { place_in_line: extra.placeInLine }),
		...(extra.published === undefined ? {} : { published: extra.published }),
		...(extra.notes === undefined || extra.notes.length === 0 ? {} : { notes: extra.notes }),
	};
}

export function problemDetails(toolCallId: ToolCallId, problems: readonly string[]): ProblemDetails {
	return { kind: "problem", problems, toolCallId };
}

function liveDetails(record: AgentRecord, now: number): Partial<AgentDetails> {
	if (record.status === "queued" || isTerminal(record)) return {};
	return {
		current_tools: record.activeTools.map((tool) => oneLine(tool.toolName, 80)),
		silent_ms: now - record.lastEventAt,
		...(record.stopping === undefined ? {} : { stopping: record.stopping.reason }),
	};
}
