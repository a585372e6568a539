import type { RunConfig } from "../streams/ports.ts";
import { orchestrationTools } from "./child-tools.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { ParentFacts } from "./parent-facts.ts";
import { findProfile, type Profile, usableProfiles } from "./profile.ts";
import { listWords, quote } from "./wording.ts";

/** What bounds an agent that may delegate. */
export interface DelegationBounds {
	readonly parent: Pick<ParentFacts, "activeTools" | "depth">;
	readonly maxDepth: number;
	readonly isolated: boolean;
}

/** What an agent gets for agents of its own. */
export interface Delegation {
	/** Our own tools; none where it may not delegate. */
	readonly tools: readonly string[];
	readonly config: Pick<RunConfig, "subagents" | "partitions">;
	/** Why it may not, where its profile says that it may. */
	readonly notes: readonly string[];
}

/**
 * Whether an agent of this profile may start agents, which needs `subagents` in the profile and a level below it. What its
 * parent cannot call or its profile denies it does not get; and without `Agent` the other two are of no use.
 */
export function delegationOf(profile: Profile, bounds: DelegationBounds): Delegation {
	const { subagents = [], partitions = [] } = profile;
	const belongs = partitions.length === 0 ? {} : { partitions };
	if (subagents.length === 0) return { tools: [], config: belongs, notes: [] };
	const denied = new Set(profile.disallowedTools?.map((tool) => tool.toLowerCase()));
	const tools = orchestrationTools.filter(
		(tool) => bounds.parent.activeTools.includes(tool) && !denied.has(tool.toLowerCase()),
	);
	const why = refusal(bounds, tools);
	if (why === undefined) return { tools, config: { ...belongs, subagents }, notes: [] };
	return { tools: [], config: belongs, notes: [`it starts no agents: ${listWords(subagents)} (${why})`] };
}

/** Of a profile that may delegate, without our own tools: it gets those for itself, whether or not it lists them. */
export function withoutOurs({ tools, subagents = [] }: Profile): Profile["tools"] {
	if (tools === "inherit" || subagents.length === 0) return tools;
	return tools.filter((tool) => !orchestrationTools.some((ours) => ours.toLowerCase() === tool.toLowerCase()));
}

function refusal({ parent, maxDepth, isolated }: DelegationBounds, tools: readonly string[]): string | undefined {
	if (isolated) return "an isolated agent has built-in tools only";
	if ((parent.depth ?? 0) + 1 >= maxDepth) return `it is at the last of the levels of agents, maxDepth ${maxDepth}`;
	return tools.includes("Agent") ? undefined : "the tool Agent is not active here, or denied to it";
}

/**
 * The profiles that an agent sees: of those that it may delegate to, the ones that name no partition and the ones that
 * share one with it.
 */
export function profilesOf(
	profiles: readonly Profile[],
	{ subagents = [], partitions = [] }: Pick<RunConfig, "subagents" | "partitions">,
): readonly Profile[] {
	const names = new Set(subagents.map((name) => name.toLowerCase()));
	return usableProfiles(profiles).filter(
		(profile) => names.has(profile.name.toLowerCase()) && sharesPartition(profile, partitions),
	);
}

/** What profiles name in `subagents` and can never start. */
export function delegationProblems(profiles: readonly Profile[]): readonly Diagnostic[] {
	const usable = usableProfiles(profiles);
	return usable.flatMap((profile) => {
		const { file = profile.name, subagents = [], partitions = [] } = profile;
		return subagents.flatMap((name) => {
			const why = neverStarted(name, findProfile(profiles, name), partitions);
			return why === undefined ? [] : [{ file, key: "subagents", message: `${why}; it starts none` }];
		});
	});
}

function neverStarted(name: string, meant: Profile | undefined, partitions: readonly string[]): string | undefined {
	const type = `"${quote(name)}"`;
	if (meant === undefined) return `there is no agent type ${type}`;
	if (meant.broken !== undefined) return `${type} cannot be used until its file is repaired`;
	if (meant.enabled === false) return `${type} is switched off`;
	if (sharesPartition(meant, partitions)) return undefined;
	return `${type} is in the partitions ${listWords(meant.partitions ?? [])}, and this profile in none of them`;
}

function sharesPartition({ partitions = [] }: Profile, own: readonly string[]): boolean {
	return partitions.length === 0 || partitions.some((partition) => own.includes(partition));
}
