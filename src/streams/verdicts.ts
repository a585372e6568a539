import type { OutcomeReasons, TerminalStatus, Verdict } from "./outcome.ts";

/** Which reasons go with which status, the plainest first: a pair that is not here is not a verdict. */
const reasons: { readonly [S in TerminalStatus]: Readonly<Record<OutcomeReasons[S], true>> } = {
	completed: { done: true, empty: true, truncated: true },
	steered: { wrapped_up: true },
	aborted: {
		turn_limit: true,
		tool_limit: true,
		token_limit: true,
		budget: true,
		timeout: true,
		idle_timeout: true,
	},
	stopped: { stopped_by_parent: true, stopped_by_user: true, parent_shutdown: true, dependency_failed: true },
	error: { internal: true, provider_error: true, startup_failure: true, interrupted: true },
};

/**
 * The verdict of words that were written down somewhere, or `undefined` where they are none. Without a reason it is the
 * plainest that goes with the status.
 */
export function readVerdict(status: unknown, reason?: unknown): Verdict | undefined {
	if (typeof status !== "string" || !Object.hasOwn(reasons, status)) return undefined;
	const known: Readonly<Record<string, true>> = reasons[status as TerminalStatus];
	const meant = reason ?? Object.keys(known)[0];
	return typeof meant === "string" && known[meant] === true ? ({ status, reason: meant } as Verdict) : undefined;
}
