import { type CallOverrides, type EffectiveConfig, effectiveConfig } from "../profiles/effective-config.ts";
import type { ResumeRequest, SpawnRequest } from "../streams/agents.ts";
import type { GroupKind, GroupRequest } from "../streams/groups.ts";
import type { AgentId, ToolCallId } from "../streams/ids.ts";
import type { TerminalRecord } from "../streams/record.ts";
import { checkMembers, crewProblems } from "./check-members.ts";
import { checkParams, type ParamProblem } from "./check-params.ts";
import { checkTogether } from "./check-together.ts";
import { crewPrompt, swarmPrompt } from "./member-prompt.ts";
import { type AgentParams, agentParameters, type MemberParams } from "./parameters.ts";
import { configureResumed, readResumption } from "./resumption.ts";
import type { ToolDeps } from "./tool-deps.ts";

export type Configured = EffectiveConfig & { readonly ok: true };

/** One agent that a call would start, with everything decided. */
export interface PlannedRun {
	/** Unique among the plan's runs. */
	readonly name: string;
	readonly description: string;
	readonly prompt: string;
	/** Names of the runs whose results it needs first. */
	readonly after: readonly string[];
	readonly effective: Configured;
	/** Where its type comes from. */
	readonly typeSource: "call" | "default";
	/** The values that stand in the member itself, not in the call: keys of `CallOverrides`. */
	readonly own: ReadonlySet<string>;
}

/** What a call of `Agent` asks for. Nothing has been started. */
export interface AgentPlan {
	readonly kind: "agent" | GroupKind;
	readonly description: string;
	readonly background: boolean;
	readonly toolCallId: ToolCallId;
	/** The agent that goes on, where it is no new one. */
	readonly resume?: AgentId;
	/** One for `agent`, several otherwise, in the order in which they are told. */
	readonly runs: readonly [PlannedRun, ...PlannedRun[]];
}

export type ReadPlan =
	| { readonly ok: true; readonly plan: AgentPlan }
	/** Everything that is wrong, each thing once. */
	| { readonly ok: false; readonly problems: readonly string[] };

/** What is read of a call: the identity of the call, and its parameters as they came. */
export interface PlannedCall {
	readonly toolCallId: ToolCallId;
	readonly params: AgentParams;
}

/** What a call of `Agent` asks for, or everything that is wrong with it. Nothing is started. */
export function readAgentPlan(deps: ToolDeps, call: PlannedCall): ReadPlan {
	const { params, toolCallId } = call;
	const wrong = checkParams(agentParameters, params);
	// Nothing more can be said of what is no object at all.
	if (typeof params !== "object" || params === null || Array.isArray(params)) return refused(wrong);
	const found = new Set(wrong.flatMap((problem) => problem.parameter ?? []));
	const { record, problems: about } = readResumption(deps, params, found);
	const problems = [...wrong, ...checkTogether(params), ...crewProblems(params, found), ...about];
	const bad = new Set(problems.flatMap((problem) => problem.parameter ?? []));
	// Of an agent that is not known, or may not go on, the type is not either; the default one is none of its faults.
	if (params.resume !== undefined && record === undefined && params.subagent_type === undefined)
		return refused(problems);
	const runs = planRuns(deps, params, bad, record);
	if (!runs.ok || problems.length > 0) return refused(problems, runs.ok ? [] : runs.problems);
	return {
		ok: true,
		plan: {
			kind: params.members ? "crew" : params.swarm === undefined ? "agent" : "swarm",
			description: params.description,
			background: isInBackground(deps, params, runs.runs),
			toolCallId,
			...(record === undefined ? {} : { resume: record.agentId }),
			runs: runs.runs,
		},
	};
}

/** A profile may say so for an agent; for agents that belong together only the call can, or the settings. */
function isInBackground(deps: ToolDeps, params: AgentParams, [run]: AgentPlan["runs"]): boolean {
	const together = params.members !== undefined || params.swarm !== undefined;
	return together ? (params.run_in_background ?? deps.settings().backgroundByDefault) : run.effective.background;
}

function refused(problems: readonly ParamProblem[], more: readonly string[] = []): ReadPlan {
	return { ok: false, problems: [...problems.map((problem) => problem.text), ...more] };
}

/** The request for the one agent of a plan. */
export function spawnRequest(plan: AgentPlan): SpawnRequest {
	const [{ prompt, description, effective }] = plan.runs;
	return { prompt, description, config: effective.config, background: plan.background, toolCallId: plan.toolCallId };
}

/** The request for the agent of a plan to go on. */
export function resumeRequest(plan: AgentPlan): ResumeRequest {
	const [{ prompt, effective }] = plan.runs;
	return { prompt, config: effective.config, background: plan.background, toolCallId: plan.toolCallId };
}

/** The request for the agents of a plan that belong together. */
export function groupRequest(plan: AgentPlan, kind: GroupKind, join: GroupRequest["join"]): GroupRequest {
	const { description, background, toolCallId } = plan;
	const members = plan.runs.map(({ name, after, prompt, description, effective }) => ({
		name,
		after,
		spawn: { prompt, description, config: effective.config },
	}));
	return { kind, description, members, background, join, toolCallId };
}

type PlannedRuns =
	| { readonly ok: true; readonly runs: AgentPlan["runs"] }
	| { readonly ok: false; readonly problems: readonly string[] };

function planRuns(
	deps: ToolDeps,
	params: AgentParams,
	bad: ReadonlySet<string>,
	resumed: TerminalRecord | undefined,
): PlannedRuns {
	const configure = (call: CallOverrides): EffectiveConfig =>
		effectiveConfig({ profiles: deps.profiles(), call, settings: deps.settings(), parent: deps.parent() });
	const shared = overridesOf(params, bad);
	// What `members` would be cannot be said while it is wrong in itself; the call's own values are judged all the same.
	if (params.members !== undefined && !bad.has("members"))
		return planCrew(params, params.members, shared, bad, configure);
	const effective = resumed === undefined ? configure(shared) : configureResumed(resumed, shared, configure);
	if (!effective.ok) return effective;
	const one: PlannedRun = {
		name: "1",
		description: params.description,
		prompt: params.prompt,
		after: [],
		effective,
		typeSource: shared.subagentType === undefined ? "default" : "call",
		own: new Set(),
	};
	const { swarm } = params;
	if (swarm === undefined || bad.has("swarm")) return { ok: true, runs: [one] };
	const others = Array.from({ length: swarm - 1 }, (_, index) => swarmRun(one, index + 2, swarm));
	return { ok: true, runs: [swarmRun(one, 1, swarm), ...others] };
}

function swarmRun(one: PlannedRun, number: number, count: number): PlannedRun {
	return {
		...one,
		name: String(number),
		description: `${one.description} (${number} of ${count})`,
		prompt: swarmPrompt(one.prompt, number, count),
	};
}

function planCrew(
	params: AgentParams,
	members: readonly MemberParams[],
	shared: CallOverrides,
	bad: ReadonlySet<string>,
	configure: (call: CallOverrides) => EffectiveConfig,
): PlannedRuns {
	const configured = Array.from(members, (member, index) => {
		// A hook may have put anything into the list: what is no object has been named, and asks for nothing.
		const known = bad.has(`members[${index}]`) ? undefined : member;
		const own = known === undefined ? {} : overridesOf(known, bad, `members[${index}].`);
		return { index, member, own: new Set(Object.keys(own)), effective: configure({ ...shared, ...own }) };
	});
	const problems = checkMembers(configured);
	const [first, ...rest] = configured.flatMap(({ member, own, effective }) =>
		effective.ok ? [crewRun(params, member, own, effective)] : [],
	);
	if (first === undefined || problems.length > 0) return { ok: false, problems };
	return { ok: true, runs: [first, ...rest] };
}

function crewRun(
	params: AgentParams,
	member: MemberParams,
	own: ReadonlySet<string>,
	effective: Configured,
): PlannedRun {
	const { name, prompt, description, after } = member ?? {};
	return {
		name,
		description: description ?? name,
		prompt: crewPrompt(params.prompt, name, prompt),
		after: after ?? [],
		effective,
		typeSource: params.subagent_type === undefined ? "default" : "call",
		own,
	};
}

/** Without the values that are wrong in themselves, so that the rest is judged in the same message. */
function overridesOf(params: Partial<AgentParams>, bad: ReadonlySet<string>, prefix = ""): CallOverrides {
	const { subagent_type, model, thinking, max_turns, isolated, isolation, run_in_background, inherit_context } = params;
	const has = (name: string, value: unknown): boolean => value !== undefined && !bad.has(prefix + name);
	return {
		...(has("subagent_type", subagent_type) ? { subagentType: subagent_type } : {}),
		...(has("model", model) ? { model } : {}),
		...(has("thinking", thinking) ? { thinking } : {}),
		...(has("max_turns", max_turns) ? { maxTurns: max_turns } : {}),
		...(has("isolated", isolated) ? { isolated } : {}),
		...(has("isolation", isolation) ? { isolation } : {}),
		...(has("run_in_background", run_in_background) ? { runInBackground: run_in_background } : {}),
		...(has("inherit_context", inherit_context) ? { inheritContext: inherit_context } : {}),
	} as CallOverrides;
}

/** Which value came from where, for the receipt of a call. */
export function originsText({ config, sources }: Configured): string {
	const turns = sources.maxTurns === undefined ? [] : [`max_turns ${config.limits.maxTurns} (${sources.maxTurns})`];
	const { maxTools, maxTokens, runTimeout, idleTimeout } = config.limits;
	const limits = [
		...(maxTools === undefined ? [] : [`max_tools ${maxTools} (${sources.maxTools})`]),
		...(maxTokens === undefined ? [] : [`max_tokens ${maxTokens} (${sources.maxTokens})`]),
		...(runTimeout === undefined ? [] : [`timeout ${runTimeout}s (${sources.runTimeout})`]),
		...(idleTimeout === undefined ? [] : [`idle timeout ${idleTimeout}s (${sources.idleTimeout})`]),
	];
	const thinking = `thinking ${config.thinking} (${sources.thinking})`;
	return [`model (${sources.model})`, thinking, ...turns, ...limits].join(", ");
}
