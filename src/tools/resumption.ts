import type { CallOverrides, ConfigSources, EffectiveConfig } from "../profiles/effective-config.ts";
import { parseAgentId } from "../streams/ids.ts";
import { oneLine } from "../streams/plain-text.ts";
import { isTerminal, type TerminalRecord } from "../streams/record.ts";
import type { ParamProblem } from "./check-params.ts";
import { unknownTarget } from "./find-target.ts";
import type { AgentParams } from "./parameters.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** The agent that a call goes on with, or what is wrong with that. */
export interface Resumption {
	readonly record?: TerminalRecord;
	readonly problems: readonly ParamProblem[];
}

/** Reads whom a call is to go on with; nothing at all when it starts a new agent. `bad` names what is wrong in itself. */
export function readResumption(deps: ToolDeps, params: AgentParams, bad: ReadonlySet<string>): Resumption {
	const { resume, subagent_type: type } = params;
	if (resume === undefined || bad.has("resume")) return { problems: [] };
	const agentId = parseAgentId(resume);
	const record = agentId === undefined ? undefined : deps.agents.get(agentId);
	if (record === undefined) return problem(unknown(deps, resume));
	if (!isTerminal(record)) {
		return problem(`agent ${resume} is ${record.status}: send it a message with steer_subagent instead`);
	}
	const own = record.config.subagentType;
	if (type !== undefined && !bad.has("subagent_type") && type.trim().toLowerCase() !== own.toLowerCase()) {
		return problem(`agent ${resume} is of type ${own}, and goes on as that: leave subagent_type out`);
	}
	return { record, problems: [] };
}

/**
 * What a resumed agent gets where the call, which is `shared`, says nothing else: first all that it had, and then, where
 * that cannot be had any more, what it cannot do without. The rest comes from its profile, like that of a new agent.
 */
export function configureResumed(
	{ config }: TerminalRecord,
	shared: CallOverrides,
	configure: (call: CallOverrides) => EffectiveConfig,
): EffectiveConfig {
	const { subagentType, model, thinking, isolated, isolation, inheritContext } = config;
	const bound: CallOverrides = {
		subagentType,
		...(isolated ? { isolated } : {}),
		...(isolation === undefined ? {} : { isolation }),
	};
	// Only one that never began starts from a conversation, and then from that of today.
	const inherits = inheritContext === undefined ? {} : { inheritContext };
	const all: CallOverrides = { ...bound, model, thinking, ...inherits };
	const whole = configure({ ...all, ...shared });
	const effective = whole.ok ? whole : configure({ ...bound, ...shared });
	if (!effective.ok) return effective;
	return { ...effective, sources: keptSources(effective.sources, whole.ok ? all : bound, shared) };
}

/** What the call has not said itself does not come from it. */
function keptSources(sources: ConfigSources, kept: CallOverrides, shared: CallOverrides): ConfigSources {
	const names = (["model", "thinking", "isolated", "isolation", "inheritContext"] as const).filter(
		(name) => kept[name] !== undefined && shared[name] === undefined,
	);
	return { ...sources, ...Object.fromEntries(names.map((name) => [name, "kept"])) };
}

function unknown(deps: ToolDeps, id: string): string {
	const group = deps.groups.list().find(({ groupId }) => groupId === id);
	if (group === undefined) return unknownTarget(deps, id);
	const members = group.members.map(({ name, agentId }) => `${agentId} (${oneLine(name, 64)})`);
	return `${id} is a group, whose members are resumed one by one: ${members.join(", ")}`;
}

function problem(text: string): Resumption {
	return { problems: [{ parameter: "resume", text }] };
}
