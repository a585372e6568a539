/** How an agent's run can end: each status with the reasons that go with it, so that no other pair can be written. */
export type OutcomeReasons = {
	completed: "done" | "empty" | "truncated";
	steered: "wrapped_up";
	aborted: "turn_limit" | "tool_limit" | "token_limit" | "budget" | "timeout" | "idle_timeout";
	stopped: "stopped_by_user" | "stopped_by_parent" | "parent_shutdown" | "dependency_failed";
	error: "provider_error" | "startup_failure" | "interrupted" | "internal";
};

/** A status from which nothing more happens without a resume. */
export type TerminalStatus = keyof OutcomeReasons;

/** A terminal status and the reason for it: the pairs of CONTRACT's table and no others. */
export type Verdict = {
	[S in TerminalStatus]: { readonly status: S; readonly reason: OutcomeReasons[S] };
}[TerminalStatus];

/** Why something ended that was still going: what `runAgent` takes as its stop input. */
export type StopRequest = Extract<Verdict, { status: "aborted" | "stopped" }>;

/** What a run came to. Whatever was produced is kept, whatever the verdict. */
export interface Outcome {
	readonly verdict: Verdict;
	/** The answer, or what there was of one when it ended early. May be empty. */
	readonly text: string;
	/** The provider's or the host's own words for a failure. */
	readonly message?: string;
	/** Steering messages that the agent ended without reading, in the order they were sent. */
	readonly unread: readonly string[];
	/** What else there is to know, such as the branch that has its work. In our words, about what the agent did. */
	readonly notes?: readonly string[];
}

/** Whether the child did what it was asked to: the statuses that a foreground call returns as a normal result. */
export function isSuccess(verdict: Verdict): boolean {
	return verdict.status === "completed" || verdict.status === "steered";
}
