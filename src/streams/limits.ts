import type { Outcome, StopRequest } from "./outcome.ts";
import type { AgentRecord, RunningRecord } from "./record.ts";

/** What an agent can come near the end of, and is told so. */
export type SoftLimit = "turns" | "tools" | "tokens" | "time" | "money";

/** What a limit asks for. */
export type LimitDecision = "go_on" | { readonly wrapUp: SoftLimit } | StopRequest;

/** What a run has used that its record does not say. */
export interface Used {
	/** Input and output tokens of this run alone. */
	readonly tokens: number;
	/** The turn at whose end the run had first started as many tools as it may. */
	readonly toolsSpentIn?: number;
	/** Whether the money for all agents together is spent. */
	readonly isMoneySpent: boolean;
}

/** At this part of its tokens, its time or the money an agent is asked to wrap up. */
export const softPart = 0.8;

/**
 * Decides at a turn's end whether the agent may go on to another. At a limit of turns or tools it is asked to wrap up,
 * and stopped `graceTurns` later; tokens have no such grace, and it is asked before they are used up. An agent that ends
 * by itself on its last allowed turn never gets here, so it stays `completed`.
 */
export function decideLimits(record: RunningRecord, used: Used): LimitDecision {
	const { graceTurns, maxTurns = none, maxTools = none, maxTokens = none } = record.config.limits;
	if (used.tokens >= maxTokens) return { status: "aborted", reason: "token_limit" };
	if (used.isMoneySpent) return { status: "aborted", reason: "budget" };
	if (record.turns >= maxTurns + graceTurns) return { status: "aborted", reason: "turn_limit" };
	if (record.turns >= (used.toolsSpentIn ?? none) + graceTurns) return { status: "aborted", reason: "tool_limit" };
	if (record.wrapUpAsked) return "go_on";
	if (record.turns >= maxTurns) return { wrapUp: "turns" };
	if (record.toolsStarted >= maxTools) return { wrapUp: "tools" };
	return used.tokens >= maxTokens * softPart ? { wrapUp: "tokens" } : "go_on";
}

const none = Number.POSITIVE_INFINITY;

const reached: Readonly<Record<SoftLimit, string>> = {
	turns: "You have reached your turn limit.",
	tools: "You have reached your limit of tool calls.",
	tokens: "You have nearly used up your tokens.",
	time: "Your time is nearly over.",
	money: "The money for subagents is nearly spent.",
};

/** What an agent is told at a soft limit. */
export function wrapUpMessage(limit: SoftLimit, graceTurns: number): string {
	const turns = graceTurns === 1 ? "1 more turn" : `${graceTurns} more turns`;
	const then = limit === "turns" || limit === "tools" ? `after ${turns}` : "when that is over";
	return `${reached[limit]} Stop exploring and give your final answer now: you are stopped ${then}.`;
}

/**
 * An agent that finished after it was asked to wrap up is `steered`: it did, but not for as long as it wanted. One that
 * never read that has finished by itself; and so has one that was asked because it had used all of its tool calls, and
 * went no further: whatever a limit allows is not above it.
 */
export function withWrapUp(record: AgentRecord, outcome: Outcome): Outcome {
	if (record.status !== "running" || outcome.verdict.reason !== "done") return outcome;
	if (!record.wrapUpAsked || !record.wrapUpRead) return outcome;
	const { maxTools = none } = record.config.limits;
	if (record.wrapUpFor === "tools" && record.toolsStarted <= maxTools) return outcome;
	return { ...outcome, verdict: { status: "steered", reason: "wrapped_up" } };
}
