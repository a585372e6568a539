import type { ExtensionTool } from "./extension-tools.ts";
import type { ModelRates } from "./model-rates.ts";

/** A model that the parent has credentials for. */
export interface ModelFacts {
	/** `provider/id`. */
	readonly id: string;
	readonly thinkingLevels: readonly string[];
	/** Absent where the host does not know. */
	readonly rates?: ModelRates;
}

/** What the parent session is like when the call is made. */
export interface ParentFacts {
	/** `provider/id`; `undefined` while no model is chosen. */
	readonly model: string | undefined;
	readonly thinking: string;
	readonly activeTools: readonly string[];
	/** Every tool of an extension that it has, active or not. */
	readonly extensionTools?: () => readonly ExtensionTool[];
	/** How deep it is itself: the level of an agent, or 0 for the session, as where it is absent. */
	readonly depth?: number;
	/** Set where it works in a worktree itself. */
	readonly isolation?: "worktree";
	/** Only models with credentials, and of those only the session's scope, where it has one; its own always. */
	readonly models: readonly ModelFacts[];
	/** Models with credentials that are out of the session's scope, by id. */
	readonly modelsOutOfScope?: readonly string[];
	/** How many characters a tool takes in each request; `undefined` where that is not known. Asked for estimates only. */
	readonly toolSize?: (tool: string) => number | undefined;
	/** Its system prompt now, word for word. Asked where an agent's comes after it. */
	readonly systemPrompt?: () => string;
	/** Its conversation now, as `RunConfig.inherited` takes it. Asked where an agent starts from it. */
	readonly conversation?: () => readonly unknown[];
	/** About how many tokens that has; `undefined` where it is not known. Asked for estimates only. */
	readonly conversationTokens?: () => number | undefined;
	/** Absent where the host does not tell. */
	readonly projectTrusted?: boolean;
}
