import { firstValueFrom } from "rxjs";
import { agentDescription } from "./agent-description.ts";
import { type AgentPlan, readAgentPlan } from "./agent-plan.ts";
import { problemAnswer } from "./answers.ts";
import { depsOfCall } from "./deps-of-call.ts";
import { estimateAnswer } from "./estimate.ts";
import { foldArguments } from "./fold-arguments.ts";
import { type AgentParams, agentParameters } from "./parameters.ts";
import type { ProtocolTool, ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { refuseAborted } from "./refuse-aborted.ts";
import { makeSchedule, readCallSchedule } from "./schedule-call.ts";
import { startAgent } from "./start-agent.ts";
import { startGroup } from "./start-group.ts";
import { structuredAnswerSchema } from "./structured.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** The tool that starts subagents, in the foreground or in the background, one or several that belong together. */
export function createAgentTool(deps: ToolDeps): ProtocolTool<typeof agentParameters> {
	return {
		name: "Agent",
		label: "Agent",
		// Asked for at each reading: profiles and settings change while a session lasts.
		get description() {
			return agentDescription(deps.profiles(), deps.settings().backgroundByDefault);
		},
		promptSnippet: "Delegate to subagents",
		parameters: agentParameters,
		prepareArguments: (raw) => foldArguments(agentParameters, raw) as AgentParams,
		executionMode: "sequential",
		outputSchema: structuredAnswerSchema,
		run: async (call) => runAgentCall(depsOfCall(deps), call),
	};
}

async function runAgentCall(deps: ToolDeps, call: ToolCall<AgentParams>): Promise<ToolAnswer> {
	refuseAborted(call, "nothing was started");
	const read = readAgentPlan(deps, call);
	const when$ = readCallSchedule(deps, call.params);
	// Nothing is awaited for a call without a schedule: its agents exist when this returns.
	const when = when$ === undefined ? undefined : await firstValueFrom(when$, { defaultValue: undefined });
	const late = when?.ok === false ? [when.problem] : [];
	if (!read.ok) return problemAnswer(call.toolCallId, "Nothing was started", [...read.problems, ...late]);
	if (when?.ok === false) return problemAnswer(call.toolCallId, "Nothing was scheduled", late);
	const { plan } = read;
	if (call.params.estimate_only === true) return estimateAnswer(deps, plan, when);
	if (call.params.schedule !== undefined) return makeSchedule(deps, call, plan);
	return start(deps, call, plan);
}

function start(deps: ToolDeps, call: ToolCall<AgentParams>, plan: AgentPlan): Promise<ToolAnswer> {
	return plan.kind === "agent" ? startAgent(deps, call, plan) : startGroup(deps, call, plan, plan.kind);
}
