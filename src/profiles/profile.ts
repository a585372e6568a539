/** A field of a profile that a call may set for itself, unless the profile locks it. Spelt as in files and calls. */
export type OverridableField =
	| "model"
	| "thinking"
	| "max_turns"
	| "isolated"
	| "run_in_background"
	| "isolation"
	| "inherit_context";

/** What kind of agent a call can ask for: a name, a prompt and what it may use. Pure data, wherever it was read from. */
export interface Profile {
	readonly name: string;
	/** One line for the model that chooses between profiles. */
	readonly description: string;
	readonly systemPrompt: string;
	/** Names of tools, of which an agent gets those that its parent has active; `inherit`: the parent's built-in ones. */
	readonly tools: readonly string[] | "inherit";
	/** Tools that the agent does not get, whatever else is said; in any case of letters. */
	readonly disallowedTools?: readonly string[];
	/** Whose tools may be among `tools`: those of every extension, of none, or of the named ones. Hooks are not meant. */
	readonly extensions?: readonly string[] | "inherit" | "none";
	/** Skills by name. Without it the agent has those of its parent. */
	readonly skills?: readonly string[] | "inherit" | "none";
	/** `provider/id`, or a part of one that names exactly one available model. */
	readonly model?: string;
	readonly thinking?: string;
	/** Turns after which the agent is asked to wrap up. */
	readonly maxTurns?: number;
	/** Tool calls that the agent may start in one run. */
	readonly maxTools?: number;
	/** Input and output tokens of one run. */
	readonly maxTokens?: number;
	/** Seconds that one run may take. */
	readonly timeout?: number;
	/** `append`: the prompt comes after the parent's own, and not in its place. */
	readonly promptMode?: "replace" | "append";
	/** Whether it has what the project and the user have written for every session. Of built-in profiles only. */
	readonly projectContext?: true;
	readonly inheritContext?: boolean;
	readonly runInBackground?: boolean;
	/** Built-in tools only, and no skills. */
	readonly isolated?: boolean;
	readonly isolation?: "worktree";
	/** Profiles to which the agent may delegate. */
	readonly subagents?: readonly string[];
	/** Groups of agents that see each other; the main session is in all of them. */
	readonly partitions?: readonly string[];
	/** Fields that no call may set. */
	readonly lock?: readonly OverridableField[];
	/** `false`: the name is taken, and nothing can be started under it. */
	readonly enabled?: boolean;
	readonly color?: string;
	/** Why nothing can be started under this name though a file has it, with the place and the reason. */
	readonly broken?: string;
	/** The file that it was read from, as messages name it. */
	readonly file?: string;
	readonly source: "built-in" | "user" | "project";
}

/** The profile of a name, whatever its case. Profiles stand in order of precedence: the first match wins. */
export function findProfile(profiles: readonly Profile[], name: string): Profile | undefined {
	const wanted = name.toLowerCase();
	return profiles.find((profile) => profile.name.toLowerCase() === wanted);
}

/** The profiles that a call can start: the first of each name, without those that are switched off or broken. */
export function usableProfiles(profiles: readonly Profile[]): readonly Profile[] {
	const first = new Map<string, Profile>();
	for (const profile of profiles) {
		const key = profile.name.toLowerCase();
		if (!first.has(key)) first.set(key, profile);
	}
	return [...first.values()].filter((profile) => profile.enabled !== false && profile.broken === undefined);
}
