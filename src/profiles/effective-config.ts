import type { RunConfig } from "../streams/ports.ts";
import { defaultProfileName } from "./built-in-profiles.ts";
import { checkIsolation } from "./check-isolation.ts";
import { childTools } from "./child-tools.ts";
import { byCloseness } from "./closest.ts";
import { delegationOf, withoutOurs } from "./delegation.ts";
import { chooseModel, type ModelChoice } from "./model-choice.ts";
import type { ParentFacts } from "./parent-facts.ts";
import { findProfile, type Profile, usableProfiles } from "./profile.ts";
import { lockProblems, whyUnusable } from "./profile-problems.ts";
import { runBeginning } from "./run-beginning.ts";
import { type LimitSources, runLimits } from "./run-limits.ts";
import type { Settings } from "./settings.ts";
import { clampThinking, thinkingLevels } from "./thinking.ts";
import { listWords, quote } from "./wording.ts";

/** What the call itself asks for; it beats everything else. */
export interface CallOverrides {
	readonly subagentType?: string;
	readonly model?: string;
	readonly thinking?: string;
	readonly maxTurns?: number;
	readonly isolated?: boolean;
	readonly isolation?: "worktree";
	readonly runInBackground?: boolean;
	readonly inheritContext?: boolean;
}

export interface ConfigInput {
	/** In order of precedence: of two with one name, the first counts. */
	readonly profiles: readonly Profile[];
	readonly call: CallOverrides;
	readonly settings: Settings;
	readonly parent: ParentFacts;
}

/** Where a value of the configuration came from. `kept`: a resumed agent had it before. */
export type ValueSource = "call" | "kept" | "profile" | "settings" | "parent" | "default";

export interface ConfigSources extends LimitSources {
	readonly model: ValueSource;
	readonly thinking: ValueSource;
	/** Absent where nothing limits the turns. */
	readonly maxTurns?: ValueSource;
	/** `parent`: the profile takes what the parent has. */
	readonly tools: ValueSource;
	readonly isolated: ValueSource;
	/** Absent where the agent works in the parent's own folder. */
	readonly isolation?: ValueSource;
	/** Absent where the agent starts from nothing. */
	readonly inheritContext?: ValueSource;
	readonly background: ValueSource;
}

export type EffectiveConfig =
	| {
			readonly ok: true;
			readonly config: RunConfig;
			/** Whether the run goes on beside the call that starts it. */
			readonly background: boolean;
			/** What differs from what was asked for, in words for the model. */
			readonly notes: readonly string[];
			readonly sources: ConfigSources;
	  }
	/** Everything that is wrong, not only the first thing. Nothing has been started. */
	| { readonly ok: false; readonly problems: readonly string[] };

/**
 * What a run gets: the call beats the profile, which beats the settings, which beat the parent; then the parent bounds
 * what that came to. Pure, and complete before anything starts: a model, profile or number that cannot be had is a
 * problem here and not a failure later.
 */
export function effectiveConfig(input: ConfigInput): EffectiveConfig {
	const { profiles, call, settings, parent } = input;
	const name = (call.subagentType ?? defaultProfileName).trim();
	const profile = findProfile(profiles, name);
	// Without a profile nothing else can be judged: it may have been the one to bring the model.
	if (profile === undefined) return { ok: false, problems: [unknownProfile(name, profiles)] };
	const unusable = whyUnusable(profile);
	if (unusable.length > 0) return { ok: false, problems: unusable };

	const model = resolveModel(
		firstOf([
			["call", call.model],
			["profile", profile.model],
			["parent", parent.model],
		]),
		parent,
	);
	const thinking = firstOf([
		["call", call.thinking],
		["profile", profile.thinking],
		["parent", parent.thinking],
	]);
	const maxTurns = firstOf([
		["call", call.maxTurns],
		["profile", profile.maxTurns],
		["settings", settings.maxTurns],
	]);
	const isolated = firstOf([
		["call", call.isolated],
		["profile", profile.isolated],
	]);
	const isolation = firstOf([
		["call", call.isolation],
		["profile", profile.isolation],
	]);
	const background = firstOf([
		["call", call.runInBackground],
		["profile", profile.runInBackground],
	]);
	const inherits = firstOf([
		["call", call.inheritContext],
		["profile", profile.inheritContext],
	]);
	const { beginning, problems: unknown } = runBeginning(profile, inherits?.value ?? false, parent);
	const { tools, notes, problems: missing } = resolveTools(profile, isolated?.value ?? false, parent);
	const delegation = delegationOf(profile, {
		parent,
		maxDepth: settings.maxDepth,
		isolated: isolated?.value ?? false,
	});
	const problems = [
		...lockProblems(profile, call),
		...(model.ok ? [] : [model.problem]),
		...checkThinking(thinking),
		...checkTurns(maxTurns),
		...checkIsolation(isolation, parent),
		...missing,
		...unknown,
	];
	if (!model.ok || problems.length > 0) return { ok: false, problems };

	const limits = runLimits(profile, settings);
	const given = fitThinking(thinking?.value ?? "off", model.id, parent);
	return {
		ok: true,
		config: {
			subagentType: profile.name,
			...beginning,
			model: model.id,
			thinking: given.level,
			tools: [...tools, ...delegation.tools],
			...delegation.config,
			...skillsOf(profile),
			limits: {
				...(maxTurns === undefined ? {} : { maxTurns: maxTurns.value }),
				...limits.limits,
			},
			isolated: isolated?.value ?? false,
			...(isolation === undefined ? {} : { isolation: isolation.value }),
		},
		background: background?.value ?? settings.backgroundByDefault,
		notes: [...given.notes, ...notes, ...delegation.notes],
		sources: {
			model: model.source,
			thinking: thinking?.source ?? "parent",
			...(maxTurns === undefined ? {} : { maxTurns: maxTurns.source }),
			...limits.sources,
			tools: profile.tools === "inherit" ? "parent" : "profile",
			isolated: isolated?.source ?? "default",
			...(isolation === undefined ? {} : { isolation: isolation.source }),
			...(inherits?.value === true ? { inheritContext: inherits.source } : {}),
			background: background?.source ?? "settings",
		},
	};
}

/** The tools of the run; a problem where a profile names tools and none of them can be had. */
function resolveTools(profile: Profile, isolated: boolean, parent: ParentFacts) {
	const given = childTools({
		wanted: withoutOurs(profile),
		active: parent.activeTools,
		isolated,
		...(profile.disallowedTools === undefined ? {} : { denied: profile.disallowedTools }),
		...(profile.extensions === undefined ? {} : { extensions: profile.extensions }),
		known: parent.extensionTools?.() ?? [],
	});
	const type = `agent type "${quote(profile.name)}"`;
	if (given.problems.length > 0) return { ...given, problems: given.problems.map((problem) => `${type}: ${problem}`) };
	const isWithout = profile.tools !== "inherit" && profile.tools.length > 0 && given.tools.length === 0;
	return { ...given, problems: isWithout ? [`${type} can have none of its tools: ${given.notes.join("; ")}`] : [] };
}

function skillsOf({ skills = "inherit" }: Profile): Pick<RunConfig, "skills"> {
	if (skills === "inherit") return {};
	return { skills: skills === "none" ? [] : skills };
}

interface Sourced<T> {
	readonly source: ValueSource;
	readonly value: T;
}

/** The first value that is there, in the order of who beats whom. */
function firstOf<T>(values: readonly (readonly [ValueSource, T | undefined])[]): Sourced<T> | undefined {
	for (const [source, value] of values) {
		if (value !== undefined) return { source, value };
	}
	return undefined;
}

function unknownProfile(name: string, profiles: readonly Profile[]): string {
	const names = usableProfiles(profiles).map((profile) => profile.name);
	return `no agent type "${quote(name)}"; there are: ${listWords(byCloseness(name, names))}`;
}

function resolveModel(
	wanted: Sourced<string> | undefined,
	parent: ParentFacts,
): (ModelChoice & { ok: false }) | (ModelChoice & { ok: true; source: ValueSource }) {
	const listed = parent.models.map((model) => model.id);
	// The parent runs on its model, so it can be had, whether or not the host lists it (some cannot be listed).
	const available = parent.model === undefined || listed.includes(parent.model) ? listed : [parent.model, ...listed];
	if (wanted === undefined) {
		return {
			ok: false,
			problem: `this session has no model, so one must be named with "model"; there are: ${listWords(available)}`,
		};
	}
	const choice = chooseModel(wanted.value, available, parent.modelsOutOfScope);
	return choice.ok ? { ...choice, source: wanted.source } : choice;
}

/** The parent's own level is taken as it is: a host may know levels that we do not. */
function checkThinking(wanted: Sourced<string> | undefined): readonly string[] {
	if (wanted === undefined || wanted.source === "parent" || thinkingLevels.includes(wanted.value)) return [];
	return [`no thinking level "${quote(wanted.value)}" (${wanted.source}); there are: ${listWords(thinkingLevels)}`];
}

function checkTurns(wanted: Sourced<number> | undefined): readonly string[] {
	if (wanted === undefined || (Number.isInteger(wanted.value) && wanted.value >= 1)) return [];
	return [`max turns must be a whole number from 1, not ${wanted.value} (${wanted.source})`];
}

function fitThinking(
	level: string,
	model: string,
	parent: ParentFacts,
): { readonly level: string; readonly notes: readonly string[] } {
	const facts = parent.models.find((candidate) => candidate.id === model);
	if (facts === undefined) return { level, notes: [] };
	const given = clampThinking(level, facts.thinkingLevels);
	if (given === level) return { level, notes: [] };
	return { level: given, notes: [`thinking: ${given}, because ${model} does not have "${quote(level)}"`] };
}
