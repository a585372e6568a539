import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { defer, filter, type Observable, type Subscription } from "rxjs";
import { type AgentRecord, type Agents, isTerminal, type RunKey, runKey } from "../streams/index.ts";
import { durationOf, formatSeconds, oneLine, statusWithReason } from "../tools/index.ts";
import { whileActive } from "./host-features.ts";

/** The type of the entry that json mode shows at each start and end of a background agent. Models do not see it. */
export const progressEntryType = "subagent-progress";

/**
 * Tells of each background agent that it has started and that it has ended, once per run. In print mode as a line on the
 * error stream; in json mode as an entry of the session, which the host shows as `entry_appended`. Unsubscribing ends it.
 */
export function showProgress(pi: ExtensionAPI, ctx: ExtensionContext, agents: Agents): Subscription {
	const show = ctx.mode === "json" ? appendProgress(pi) : printProgress;
	return startsAndEnds(agents.changes$).subscribe({ next: show, error: () => undefined });
}

/** The snapshots at which a background run starts and ends. Completes and errors with the source. */
function startsAndEnds(changes$: Observable<AgentRecord>): Observable<AgentRecord> {
	return defer(() => {
		const started = new Set<RunKey>();
		const ended = new Set<RunKey>();
		return changes$.pipe(
			filter((record) => {
				const told = isTerminal(record) ? ended : started;
				const key = runKey(record.agentId, record.run);
				const isNews = record.background && record.status !== "queued" && !told.has(key);
				if (isNews) told.add(key);
				return isNews;
			}),
		);
	});
}

function printProgress(record: AgentRecord): void {
	const how = isTerminal(record)
		? `${statusWithReason(record)} after ${formatSeconds(durationOf(record, record.endedAt))}`
		: "started";
	process.stderr.write(`Agent ${record.agentId} ${how}: ${description(record)}\n`);
}

function appendProgress(pi: ExtensionAPI): (record: AgentRecord) => void {
	return (record) => {
		const { agentId, run, status } = record;
		const ending = isTerminal(record)
			? { reason: record.outcome.verdict.reason, durationMs: durationOf(record, record.endedAt) }
			: {};
		const data = { agentId, run, status, description: description(record), ...ending };
		whileActive(() => pi.appendEntry(progressEntryType, data), undefined);
	};
}

function description(record: AgentRecord): string {
	return oneLine(record.description, 200);
}
