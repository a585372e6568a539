import type { Outcome, StopRequest, Verdict } from "../streams/outcome.ts";
import { hasText, type RunTally } from "./child-tally.ts";

/** Why a run ended that neither its messages nor a stop explain. */
export interface RunFailure {
	readonly reason: "startup_failure" | "internal";
	readonly message: string;
}

interface Evidence {
	readonly tally: RunTally;
	/** What we asked for ourselves. It beats everything the host says about the end. */
	readonly stop: StopRequest | undefined;
	readonly failure: RunFailure | undefined;
	readonly unread: readonly string[];
}

/**
 * What a run came to. The host's stop reason cannot tell our stop from a failure (Pi 1.3.0 calls an abort before the
 * first byte an error), so the request itself decides. The text is the last message's; where a run ended early and
 * that has none, the last text it had. Pure.
 */
export function judgeOutcome({ tally, stop, failure, unread }: Evidence): Outcome {
	const { last } = tally;
	const partial = [tally.writing, last?.text ?? "", tally.lastText].find(hasText) ?? "";
	if (stop !== undefined) {
		return { verdict: stop, text: partial, unread };
	}
	if (failure !== undefined) {
		return { verdict: { status: "error", reason: failure.reason }, text: partial, message: failure.message, unread };
	}
	if (last === undefined) {
		return { verdict: internal, text: partial, message: "The run ended without an answer from the model.", unread };
	}
	switch (last.stopReason) {
		case "error":
			return {
				verdict: { status: "error", reason: "provider_error" },
				text: partial,
				message: last.errorMessage ?? "The provider failed and did not say why.",
				unread,
			};
		case "aborted":
			return {
				verdict: internal,
				text: partial,
				message: `Something inside the agent's session aborted it: ${last.errorMessage ?? "no reason was given"}.`,
				unread,
			};
		default:
			return { verdict: completed(last), text: last.text, unread };
	}
}

const internal = { status: "error", reason: "internal" } as const satisfies Verdict;

function completed({ stopReason, text }: NonNullable<RunTally["last"]>): Verdict {
	if (stopReason === "length") {
		return { status: "completed", reason: "truncated" };
	}
	return { status: "completed", reason: hasText(text) ? "done" : "empty" };
}
