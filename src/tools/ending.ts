import type { OutcomeReasons, TerminalStatus } from "../streams/outcome.ts";

type Reason = OutcomeReasons[TerminalStatus];

/** A reason in words, and what whoever reads it can do. */
export interface Ending {
	readonly what: string;
	readonly next?: string;
}

const smaller = "Give a new Agent a smaller task";

const endings: Record<Reason, Ending> = {
	done: { what: "It is done" },
	empty: { what: "It ended without any text" },
	truncated: { what: "Its answer was cut at the model's output limit" },
	wrapped_up: { what: "It finished early when it was asked to wrap up" },
	turn_limit: { what: "It was ended at its turn limit", next: `${smaller} or a larger max_turns.` },
	tool_limit: { what: "It was ended at its limit of tool calls", next: `${smaller}.` },
	token_limit: { what: "It was ended at its token limit", next: `${smaller}.` },
	budget: { what: "It was ended because the money for subagents is spent", next: "Go on without subagents." },
	timeout: { what: "It was ended because its time was over", next: `${smaller}.` },
	idle_timeout: { what: "It was ended because nothing had happened for too long", next: `${smaller}.` },
	stopped_by_user: { what: "It was stopped by the user", next: "Do not start it again unless the user asks." },
	stopped_by_parent: { what: "It was stopped together with the call or the agent that started it" },
	parent_shutdown: { what: "It was stopped because the session ended" },
	dependency_failed: { what: "It was not run because an agent that it depends on failed" },
	provider_error: { what: "Its model request failed", next: "Try again with Agent, if need be with another model." },
	startup_failure: { what: "It could not be started" },
	interrupted: {
		what: "It was interrupted when the host ended",
		next: "Agent with resume and its agent_id goes on with it.",
	},
	internal: { what: "It failed inside the orchestrator" },
};

export function endingOf(reason: Reason): Ending {
	return endings[reason];
}
