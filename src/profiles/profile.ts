/** What kind of agent a call can ask for: a name, a prompt and what it may use. Pure data, wherever it was read from. */
export interface Profile {
	readonly name: string;
	/** One line for the model that chooses between profiles. */
	readonly description: string;
	readonly systemPrompt: string;
	/** Names of tools, of which an agent gets those that its parent has active; `inherit`: the parent's built-in ones. */
	readonly tools: readonly string[] | "inherit";
	/** `provider/id`, or a part of one that names exactly one available model. */
	readonly model?: string;
	readonly thinking?: string;
	/** Turns after which the agent is asked to wrap up. */
	readonly maxTurns?: number;
	readonly source: "built-in" | "user" | "project";
}

/** The profile of a name, whatever its case. Profiles stand in order of precedence: the first match wins. */
export function findProfile(profiles: readonly Profile[], name: string): Profile | undefined {
	const wanted = name.toLowerCase();
	return profiles.find((profile) => profile.name.toLowerCase() === wanted);
}
