import { toToolCallId } from "../streams/ids.ts";
import type { AgentRecord } from "../streams/record.ts";
import { readAgentPlan, resumeRequest } from "./agent-plan.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessRefused } from "./unless-refused.ts";

/** What an agent is told that a person resumes without a word of their own. */
export const goOn = "Go on where you left off.";

/** Resumes an agent for a person: in the background, by the rules of a call of `Agent`. Gives its record, or why not. */
export function resumeAgent(
	deps: ToolDeps,
	agentId: string,
	prompt: string,
): { readonly ok: true; readonly value: AgentRecord } | { readonly ok: false; readonly problem: string } {
	const params = { prompt, description: "resumed by a person", resume: agentId, run_in_background: true };
	const read = readAgentPlan(deps, { toolCallId: toToolCallId("none"), params });
	if (!read.ok) return { ok: false, problem: read.problems.join("; ") };
	const { plan } = read;
	if (plan.resume === undefined) return { ok: false, problem: `there is no agent ${agentId}` };
	const { resume } = plan;
	// No call has asked for it.
	const { toolCallId: _, ...request } = resumeRequest(plan);
	return unlessRefused(() => deps.agents.resume(resume, request));
}
