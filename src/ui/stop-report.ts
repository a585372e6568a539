import type { StopReport } from "../streams/agents.ts";
import type { Group } from "../streams/groups.ts";
import { isTerminal } from "../streams/record.ts";
import { resolveId, type StopTargets } from "./agents-command.ts";

/** What a stop was about, and what it came to for each agent, a line each. */
export function stopReport(targets: StopTargets, reports: readonly StopReport[], groups: readonly Group[]): string {
	return [...scopeLines(targets, reports.length, groups), ...reports.map(reportLine)].join("\n");
}

/** The scope, where it is more than the agents that were named. */
function scopeLines(targets: StopTargets, count: number, groups: readonly Group[]): string[] {
	const agents = `${count} ${count === 1 ? "agent" : "agents"}`;
	if (targets === "all") return [`All agents of this session: ${agents}.`];
	if (targets === "background") return [`All agents in the background: ${agents}. Those in the foreground go on.`];
	const known = groups.map(({ groupId }) => groupId);
	return targets.ids.flatMap((given) => {
		const resolved = resolveId(given, known);
		return resolved.ok ? [`The members of ${resolved.id}:`] : [];
	});
}

function reportLine({ agentId: id, result, record }: StopReport): string {
	const agentId = record.parent === undefined ? id : `${id}, started by ${record.parent}`;
	if (result === "not_live") return `${agentId} had ended before: ${record.status}.`;
	if (isTerminal(record) && record.outcome.verdict.status !== "stopped") {
		return `${agentId} came to its own end first: ${record.status}.`;
	}
	if (result === "unverified") {
		return `Told ${agentId} to stop, but its session has not come to rest: it may still be working.`;
	}
	if (!("startedAt" in record)) return `Stopped ${agentId}: it had not started.`;
	return `Stopped ${agentId}: its session has come to rest.`;
}
