import { type CallOverrides, type EffectiveConfig, effectiveConfig } from "../profiles/effective-config.ts";
import type { SpawnRequest } from "../streams/agents.ts";
import { checkParams } from "./check-params.ts";
import { type AgentParams, agentParameters } from "./parameters.ts";
import type { ToolCall } from "./protocol-tool.ts";
import type { ToolDeps } from "./tool-deps.ts";

export type AgentRequest =
	| {
			readonly ok: true;
			readonly request: SpawnRequest;
			/** What the run gets other than what was asked for. */
			readonly notes: readonly string[];
			/** Which value came from where. */
			readonly origins: string;
	  }
	| { readonly ok: false; readonly problems: readonly string[] };

/** What a call of `Agent` asks for, or everything that is wrong with it. Nothing is started. */
export function readAgentRequest(deps: ToolDeps, call: ToolCall<AgentParams>): AgentRequest {
	const { params, toolCallId } = call;
	const wrong = checkParams(agentParameters, params);
	const bad = new Set(wrong.flatMap((problem) => problem.parameter ?? []));
	const settings = deps.settings();
	const effective = effectiveConfig({
		profiles: deps.profiles(),
		call: typeof params === "object" && params !== null ? overridesOf(params, bad) : {},
		settings,
		parent: deps.parent(),
	});
	const problems = [...wrong.map((problem) => problem.text), ...(effective.ok ? [] : effective.problems)];
	if (!effective.ok || problems.length > 0) return { ok: false, problems };
	return {
		ok: true,
		request: {
			prompt: params.prompt,
			description: params.description,
			config: effective.config,
			background: params.run_in_background ?? settings.backgroundByDefault,
			toolCallId,
		},
		notes: effective.notes,
		origins: originsText(effective),
	};
}

/** Without the values that are wrong in themselves, so that the rest is judged in the same message. */
function overridesOf(params: AgentParams, bad: ReadonlySet<string>): CallOverrides {
	const { subagent_type, model, thinking, max_turns, isolated } = params;
	return {
		...(subagent_type === undefined || bad.has("subagent_type") ? {} : { subagentType: subagent_type }),
		...(model === undefined || bad.has("model") ? {} : { model }),
		...(thinking === undefined || bad.has("thinking") ? {} : { thinking }),
		...(max_turns === undefined || bad.has("max_turns") ? {} : { maxTurns: max_turns }),
		...(isolated === undefined || bad.has("isolated") ? {} : { isolated }),
	};
}

function originsText(effective: EffectiveConfig & { readonly ok: true }): string {
	const { config, sources } = effective;
	const turns = sources.maxTurns === undefined ? [] : [`max_turns ${config.limits.maxTurns} (${sources.maxTurns})`];
	return [`model (${sources.model})`, `thinking ${config.thinking} (${sources.thinking})`, ...turns].join(", ");
}
