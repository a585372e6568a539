/**
 * Three identities that never stand in for each other (seed 000 §1.1). Each is a string at run time and a type of its
 * own at compile time, so that one cannot be passed where another is meant.
 */
declare const brand: unique symbol;

type Branded<Name extends string> = string & { readonly [brand]: Name };

/** One orchestrated agent, for its whole life, resumes included. Matches `[A-Za-z0-9_-]{4,64}`. */
export type AgentId = Branded<"AgentId">;
/** One execution of a tool that the parent's model asked for. */
export type ToolCallId = Branded<"ToolCallId">;
/** Joins spans and events across one agent's lifetime, resumes included. */
export type CorrelationId = Branded<"CorrelationId">;
/** Agents that were started together, by one call. Matches the pattern of an agent's id, and never equals one. */
export type GroupId = Branded<"GroupId">;
/** One run of one agent, `<agent>#<run>`: what claims, the outbox and deliveries are keyed by. */
export type RunKey = Branded<"RunKey">;

const idPattern = /^[A-Za-z0-9_-]{4,64}$/;

/** The value as an `AgentId`, or `undefined` where it cannot be one. */
export function parseAgentId(value: string): AgentId | undefined {
	return idPattern.test(value) ? (value as AgentId) : undefined;
}

/** The value as a `GroupId`, or `undefined` where it cannot be one. */
export function parseGroupId(value: string): GroupId | undefined {
	return idPattern.test(value) ? (value as GroupId) : undefined;
}

/** The host's id of a tool call. */
export function toToolCallId(value: string): ToolCallId {
	return value as ToolCallId;
}

/** The value as a `CorrelationId`. */
export function toCorrelationId(value: string): CorrelationId {
	return value as CorrelationId;
}

/** The key of an agent's run; runs are counted from 1. */
export function runKey(agentId: AgentId, run: number): RunKey {
	return `${agentId}#${run}` as RunKey;
}
