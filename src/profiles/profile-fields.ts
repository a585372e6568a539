import type { OverridableField, Profile } from "./profile.ts";
import type { ValueRule } from "./setting-kind.ts";
import { thinkingLevels } from "./thinking.ts";

/**
 * What becomes of a field that is set.
 * - `used`: it decides what it says.
 * - `said`: nothing acts on it yet, and an agent without it gets no more than meant; the person is told.
 */
export type FieldEffect = "used" | "said";

/** All there is to know about one key of the frontmatter: parsing, refusals and the documentation follow from it. */
export interface ProfileField extends ValueRule {
	readonly key: string;
	readonly property: Exclude<keyof Profile, "systemPrompt" | "projectContext" | "broken" | "file" | "source">;
	/** Whether a misspelt key like this one breaks the file: without it the agent might get more than meant. */
	readonly guards: boolean;
	/** What becomes of a value. */
	readonly effect: (value: unknown) => FieldEffect;
	/** One sentence for people. */
	readonly meaning: string;
}

/** The fields that a call can set for itself, and that `lock` can keep it from setting. */
export const overridableFields: readonly OverridableField[] = [
	"model",
	"thinking",
	"max_turns",
	"isolated",
	"run_in_background",
	"isolation",
	"inherit_context",
];

const many = 1_000_000;
const year = 366 * 24 * 60 * 60;
const text: ValueRule = { kind: { type: "text" }, optional: false };
const flag: ValueRule = { kind: { type: "boolean" }, optional: false };
const count: ValueRule = { kind: { type: "integer", min: 1, max: many }, optional: true };
const namesOr = (...words: string[]): ValueRule => ({ kind: { type: "names", words }, optional: false });

const used = (): FieldEffect => "used";
type Row = readonly [
	key: string,
	property: ProfileField["property"],
	rule: ValueRule,
	guards: boolean,
	effect: ProfileField["effect"],
	meaning: string,
];

const rows: readonly Row[] = [
	["name", "name", text, false, used, "What a call names; without it the file's name."],
	["description", "description", text, false, used, "One line for the model that chooses. Required."],
	[
		"tools",
		"tools",
		namesOr("inherit", "none"),
		true,
		used,
		"Tools by name, of those that the session has active; of an extension also as `ext:name/tool` or `ext:name/*`.",
	],
	[
		"disallowed_tools",
		"disallowedTools",
		namesOr("none"),
		true,
		used,
		"Tools it never gets, in the same words. Applied last.",
	],
	[
		"extensions",
		"extensions",
		namesOr("inherit", "none"),
		true,
		used,
		"Whose tools may be among `tools`. Hooks of extensions are not meant: they stay.",
	],
	["skills", "skills", namesOr("inherit", "none"), true, used, "Skills by name, of those that the session has."],
	["model", "model", text, true, used, "`provider/id`, a part that names one model, or `inherit`."],
	[
		"thinking",
		"thinking",
		{ kind: { type: "choice", of: [...thinkingLevels, "inherit"] }, optional: false },
		false,
		used,
		"How much the model thinks; the nearest level that it has.",
	],
	["max_turns", "maxTurns", count, true, used, "Turns after which it is asked to wrap up."],
	[
		"max_tools",
		"maxTools",
		count,
		true,
		used,
		"Tool calls, counted at their start, after which it is asked to wrap up.",
	],
	[
		"max_tokens",
		"maxTokens",
		{ kind: { type: "integer", min: 1, max: many * many }, optional: true },
		true,
		used,
		"Input and output tokens of one run. Near them it is asked to wrap up, at them it is stopped.",
	],
	[
		"timeout",
		"timeout",
		{ kind: { type: "number", min: 0, max: year, above: true }, optional: true },
		true,
		used,
		"Seconds that one run may take. Near their end it is asked to wrap up, at it it is stopped.",
	],
	[
		"prompt_mode",
		"promptMode",
		{ kind: { type: "choice", of: ["replace", "append"] }, optional: false },
		false,
		used,
		"`append`: the prompt comes after the session's own, word for word. `replace`, as without it: it stands alone.",
	],
	[
		"inherit_context",
		"inheritContext",
		flag,
		false,
		used,
		"Whether it starts from a copy of the session's conversation.",
	],
	[
		"run_in_background",
		"runInBackground",
		flag,
		false,
		used,
		"Whether a call that does not say so is in the background.",
	],
	["isolated", "isolated", flag, true, used, "Built-in tools only, and no skills."],
	[
		"isolation",
		"isolation",
		{ kind: { type: "choice", of: ["worktree"] }, optional: true },
		true,
		used,
		"`worktree`: works in a git worktree of its own.",
	],
	[
		"subagents",
		"subagents",
		namesOr("none"),
		false,
		used,
		"Profiles to which it may delegate: with them it has the three tools, and sees no other types.",
	],
	[
		"partitions",
		"partitions",
		namesOr("none"),
		true,
		used,
		"Agents see a profile with some only where they share one. The session itself is in all.",
	],
	["lock", "lock", namesOr("none"), true, used, "Fields that no call may set."],
	["enabled", "enabled", flag, true, used, "`false` takes the name and starts nothing under it."],
	["color", "color", text, false, () => "said", "A colour for the terminal: a word, or `#rrggbb`."],
];

/** The fields of a profile file, in the order in which they are documented. */
export const profileFields: readonly ProfileField[] = rows.map(([key, property, rule, guards, effect, meaning]) => ({
	...rule,
	key,
	property,
	guards,
	effect,
	meaning,
}));

/** The field of a key from a file, which may be any word. */
export function fieldOf(key: string): ProfileField | undefined {
	return profileFields.find((field) => field.key === key);
}
