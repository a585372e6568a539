import type { SettingKind, ValueRule } from "./setting-kind.ts";
import type { SettingKey, Settings } from "./settings.ts";
import type { ProjectRule } from "./tightening.ts";

/** All there is to know about one setting: parsing, merging, the documentation and the JSON schema follow from it. */
export interface SettingRule extends ValueRule {
	readonly key: SettingKey;
	readonly default: Settings[SettingKey] | undefined;
	readonly project: ProjectRule;
	readonly unit?: string;
	/** `false`: the setting is read and checked, and nothing acts on it yet. Goes with the first reader. */
	readonly inEffect?: false;
	/** One or two sentences for people. */
	readonly meaning: string;
}

type RuleBody = Omit<SettingRule, "key" | "optional">;

const many = 1_000_000;
const year = 366 * 24 * 60 * 60;

const count: SettingKind = { type: "integer", min: 1, max: many };
const wholeSeconds: SettingKind = { type: "integer", min: 1, max: year };
const seconds: SettingKind = { type: "number", min: 0, max: year };
const someSeconds: SettingKind = { ...seconds, above: true };

const bodies: { readonly [K in SettingKey]-?: RuleBody } = {
	maxConcurrent: {
		kind: count,
		default: 4,
		project: "lower",
		unit: "agents",
		meaning: "Background agents of one parent, the session or an agent, that run at once. Others stand in line.",
	},
	maxAgents: {
		kind: count,
		default: 64,
		project: "lower",
		unit: "agents",
		meaning: "Agents that are running or queued at once, over the whole tree. Beyond it nothing new is started.",
	},
	maxDepth: {
		kind: count,
		default: 2,
		project: "lower",
		unit: "levels",
		meaning:
			"Levels of agents. 1: only the session itself starts agents; 2: those may, where their profiles have `subagents`.",
	},
	maxZombies: {
		kind: count,
		default: 8,
		project: "lower",
		unit: "sessions",
		meaning: "Sessions of ended agents that have not come to rest. At this number nothing new is started.",
	},
	maxTurns: {
		kind: count,
		default: undefined,
		project: "lower",
		unit: "turns",
		meaning: "Turns after which an agent is asked to wrap up, where neither the call nor the profile says.",
	},
	graceTurns: {
		kind: { type: "integer", min: 0, max: many },
		default: 3,
		project: "lower",
		unit: "turns",
		meaning: "Turns an agent then still has before it is stopped.",
	},
	maxTools: {
		kind: count,
		default: undefined,
		project: "lower",
		unit: "tool calls",
		meaning: "Tool calls of one run, counted at their start, after which an agent is asked to wrap up.",
	},
	maxTokens: {
		kind: { type: "integer", min: 1, max: 1_000_000_000_000 },
		default: undefined,
		project: "lower",
		unit: "tokens",
		meaning:
			"Input and output tokens an agent may use in one run. At four fifths of them it is asked to wrap up, at them it is stopped.",
	},
	maxCostUsd: {
		kind: { type: "number", min: 0, max: many, above: true },
		default: undefined,
		project: "lower",
		unit: "US dollars",
		meaning:
			"What the whole tree of agents may cost. At four fifths of it they are asked to wrap up, at it they are stopped and nothing new is started.",
	},
	runTimeout: {
		kind: someSeconds,
		default: undefined,
		project: "lower",
		unit: "seconds",
		meaning:
			"How long one run may take, its time in line left out. At four fifths of it an agent is asked to wrap up, at it it is stopped.",
	},
	idleTimeout: {
		kind: someSeconds,
		default: undefined,
		project: "lower",
		unit: "seconds",
		meaning: "How long a run may say nothing at all before it is stopped.",
	},
	stopGrace: {
		kind: seconds,
		default: 5,
		project: "lower",
		unit: "seconds",
		meaning: "How long a stopped agent may take to come to rest before its slot is freed all the same.",
	},
	waitTimeoutSeconds: {
		kind: wholeSeconds,
		default: 600,
		project: "lower",
		unit: "seconds",
		meaning: "How long `get_subagent_result` waits when the call does not say. The agent goes on afterwards.",
	},
	headlessHold: {
		kind: seconds,
		default: 3600,
		project: "lower",
		unit: "seconds",
		meaning: "How long print and json mode wait for background agents before what remains is stopped.",
	},
	backgroundByDefault: {
		kind: { type: "boolean" },
		default: false,
		project: "free",
		meaning: "Whether a call that does not say so runs in the background.",
	},
	join: {
		kind: { type: "choice", of: ["group", "each"] },
		default: "group",
		project: "free",
		meaning: "Whether a background group is published when all are done, or each member by itself.",
	},
	childExtensions: {
		kind: { type: "names", words: ["inherit", "none"] },
		default: "inherit",
		project: "gates",
		meaning: "Which of the session's extensions a child loads for their hooks: all, none, or those named.",
	},
	missedSchedules: {
		kind: { type: "choice", of: ["skip", "once"] },
		default: "skip",
		project: "free",
		meaning: "What becomes of a schedule whose time passed while nothing ran.",
	},
	retentionDays: {
		kind: { type: "number", min: 0, max: 36_500, above: true },
		default: 30,
		project: "user",
		unit: "days",
		inEffect: false,
		meaning: "How long the sessions and full texts of agents are kept.",
	},
	worktreeSetup: {
		kind: { type: "text" },
		default: undefined,
		project: "free",
		meaning:
			"A shell command that makes a fresh git worktree ready. A project's own counts once the project is trusted.",
	},
	widget: {
		kind: { type: "choice", of: ["on", "off"] },
		default: "on",
		project: "free",
		inEffect: false,
		meaning: "Whether the terminal shows what agents are doing.",
	},
	tracing: {
		kind: { type: "choice", of: ["off", "otlp", "console", "file"] },
		default: "off",
		project: "off",
		inEffect: false,
		meaning: "Where spans of agents and their tool calls go.",
	},
	captureContent: {
		kind: { type: "boolean" },
		default: false,
		project: "off",
		inEffect: false,
		meaning: "Whether spans carry prompts and answers.",
	},
};

/** The keys of all settings, in the order in which they are documented. */
export const settingKeys = Object.keys(bodies) as readonly SettingKey[];

/** The rule of each setting. A setting without a default may be absent. */
export const settingRules = Object.fromEntries(
	settingKeys.map((key) => [key, { ...bodies[key], key, optional: bodies[key].default === undefined }]),
) as { readonly [K in SettingKey]: SettingRule };

/** The rule of a key from a file, which may be any word, `__proto__` too. */
export function ruleOf(key: string): SettingRule | undefined {
	return Object.hasOwn(settingRules, key) ? settingRules[key as SettingKey] : undefined;
}
