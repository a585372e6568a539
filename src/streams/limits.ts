import type { Outcome, StopRequest } from "./outcome.ts";
import type { AgentRecord, RunningRecord } from "./record.ts";

/** What a limit asks for at the end of a turn that would be followed by another. */
export type LimitDecision = "go_on" | "wrap_up" | StopRequest;

/**
 * Decides at a turn's end whether the agent may go on. The soft limit asks it to wrap up; `graceTurns` later it is
 * stopped. An agent that ends by itself on its last allowed turn never gets here, so it stays `completed`.
 */
export function decideLimits(record: RunningRecord): LimitDecision {
	const { maxTurns, graceTurns } = record.config.limits;
	if (maxTurns === undefined || record.turns < maxTurns) return "go_on";
	if (record.turns >= maxTurns + graceTurns) return { status: "aborted", reason: "turn_limit" };
	return record.wrapUpAsked ? "go_on" : "wrap_up";
}

/** What an agent is told at its soft limit. */
export function wrapUpMessage(graceTurns: number): string {
	const turns = graceTurns === 1 ? "1 more turn" : `${graceTurns} more turns`;
	return `You have reached your turn limit. Stop exploring and give your final answer now: you are stopped after ${turns}.`;
}

/** An agent that finished after it was asked to wrap up is `steered`: it did, but not for as long as it wanted. */
export function withWrapUp(record: AgentRecord, outcome: Outcome): Outcome {
	const wrappedUp = record.status === "running" && record.wrapUpAsked && outcome.verdict.reason === "done";
	return wrappedUp ? { ...outcome, verdict: { status: "steered", reason: "wrapped_up" } } : outcome;
}
