import type { RunConfig } from "../streams/ports.ts";
import type { ParentFacts } from "./parent-facts.ts";
import type { Profile } from "./profile.ts";
import { quote } from "./wording.ts";

export type RunPrompts = Pick<RunConfig, "systemPrompt" | "parentPrompt" | "projectContext">;

/** What the system prompt of a run is made of; a problem where the parent's is to stand in it and is not known. */
export function runPrompts(
	profile: Profile,
	parent: ParentFacts,
): { readonly prompts: RunPrompts; readonly problems: readonly string[] } {
	const { systemPrompt, projectContext } = profile;
	if (profile.promptMode !== "append") {
		return {
			prompts: { systemPrompt, ...(projectContext === undefined ? {} : { projectContext }) },
			problems: [],
		};
	}
	const parentPrompt = parent.systemPrompt?.();
	if (parentPrompt !== undefined) return { prompts: { systemPrompt, parentPrompt }, problems: [] };
	return {
		prompts: { systemPrompt },
		problems: [`agent type "${quote(profile.name)}" has prompt_mode: append, and this session's prompt is not known`],
	};
}
