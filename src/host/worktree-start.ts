import { type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import { Subscription } from "rxjs";
import { whileActive } from "./host-features.ts";
import { tell } from "./tell.ts";
import { collectLeftoverWorktrees } from "./worktree-leftovers.ts";
import { collectionText } from "./worktree-report.ts";

/** What is not looked at by then waits for the next session. */
const timeoutMs = 120_000;

/**
 * Collects the worktrees that earlier processes have left, beside whatever the session does, and tells the person what has
 * become of them. Nothing is told when there are none, or when the session has ended first.
 */
export function collectAtStart(ctx: ExtensionContext): Subscription {
	const stop = new AbortController();
	const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
	collectLeftoverWorktrees(getAgentDir(), signal).then(
		(collected) => {
			const text = collectionText(collected);
			if (text === undefined || stop.signal.aborted) return;
			whileActive(() => tell(ctx, text, "info"), undefined);
		},
		() => {
			// It has no way to fail; and leftovers are there the next time, too.
		},
	);
	return new Subscription(() => stop.abort());
}
