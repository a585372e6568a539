import { concat, defer, ignoreElements, type Observable, of, throwError } from "rxjs";
import { SpawnRefused } from "../streams/agents.ts";
import { toToolCallId } from "../streams/ids.ts";
import { type ScheduleFire, ScheduleRefused } from "../streams/schedules.ts";
import { groupRequest, readAgentPlan, spawnRequest } from "./agent-plan.ts";
import type { AgentParams } from "./parameters.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** What a schedule keeps: the call's parameters, without those that are about the call itself. Plain JSON. */
export type ScheduledJob = Omit<AgentParams, "schedule" | "estimate_only" | "run_in_background">;

/** The job in the parameters of a call that asks for a schedule. */
export function scheduledJob(params: AgentParams): ScheduledJob {
	const { schedule, estimate_only, run_in_background, ...job } = params;
	return job;
}

/**
 * Starts a scheduled job in the background, with the profiles, models and settings of this moment. Emits the id of the
 * agent or the group at once, and completes when all of it has ended. Errors with `ScheduleRefused` when nothing could be
 * started. Cold; unsubscribing stops nothing.
 */
export function startScheduledJob(deps: ToolDeps, job: ScheduledJob, fire: ScheduleFire): Observable<string> {
	return defer(() => {
		const schedule = fire.scheduleId;
		const toolCallId = fire.toolCallId ?? toToolCallId(fire.scheduleId);
		const read = readAgentPlan(deps, { toolCallId, params: { ...job, run_in_background: true } });
		if (!read.ok) return throwError(() => new ScheduleRefused(read.problems.join("; ")));
		const { plan } = read;
		try {
			if (plan.kind === "agent") {
				const { agentId } = deps.agents.spawn({ ...spawnRequest(plan), schedule });
				return concat(of(agentId), deps.agents.completion(agentId).pipe(ignoreElements()));
			}
			const request = groupRequest(plan, plan.kind, deps.settings().join);
			const members = request.members.map((member) => ({ ...member, spawn: { ...member.spawn, schedule } }));
			const group = deps.groups.spawn({ ...request, members });
			return concat(of(group.groupId), group.completion$.pipe(ignoreElements()));
		} catch (error) {
			if (error instanceof SpawnRefused) return throwError(() => new ScheduleRefused(error.message));
			throw error;
		}
	});
}
