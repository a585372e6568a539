import type { OutcomeReasons, TerminalStatus, Verdict } from "./outcome.ts";

/** Which reasons go with which status, the plainest first: a pair that is not here is not a verdict. */
const reasons: { readonly [S in TerminalStatus]: readonly OutcomeReasons[S][] } = {
	completed: ["done", "empty", "truncated"],
	steered: ["wrapped_up"],
	aborted: ["turn_limit", "tool_limit", "token_limit", "budget", "timeout", "idle_timeout"],
	stopped: ["stopped_by_parent", "stopped_by_user", "parent_shutdown", "dependency_failed"],
	error: ["internal", "provider_error", "startup_failure", "interrupted"],
};

/**
 * The verdict of words that were written down somewhere, or `undefined` where they are none. Without a reason it is the
 * plainest that goes with the status.
 */
export function readVerdict(status: unknown, reason?: unknown): Verdict | undefined {
	if (typeof status !== "string" || !Object.hasOwn(reasons, status)) return undefined;
	const known: readonly string[] = reasons[status as TerminalStatus];
	const meant = reason ?? known[0];
	return typeof meant === "string" && known.includes(meant) ? ({ status, reason: meant } as Verdict) : undefined;
}
