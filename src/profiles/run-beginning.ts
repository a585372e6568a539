import type { RunConfig } from "../streams/ports.ts";
import type { ParentFacts } from "./parent-facts.ts";
import type { Profile } from "./profile.ts";
import { quote } from "./wording.ts";

/** What a run starts from, beside its task. */
export type RunBeginning = Pick<
	RunConfig,
	"systemPrompt" | "parentPrompt" | "projectContext" | "inheritContext" | "inherited"
>;

/** What a run of this profile starts from; problems where something of the parent's belongs to it and is not known. */
export function runBeginning(
	profile: Profile,
	inheritContext: boolean,
	parent: ParentFacts,
): { readonly beginning: RunBeginning; readonly problems: readonly string[] } {
	const { systemPrompt, projectContext, promptMode, name } = profile;
	const appends = promptMode === "append";
	const parentPrompt = appends ? parent.systemPrompt?.() : undefined;
	const inherited = inheritContext ? parent.conversation?.() : undefined;
	return {
		beginning: {
			systemPrompt,
			...(parentPrompt === undefined ? {} : { parentPrompt }),
			...(appends || projectContext === undefined ? {} : { projectContext }),
			...(inherited === undefined ? {} : { inheritContext: true, inherited }),
		},
		problems: [
			...(appends && parentPrompt === undefined
				? [`agent type "${quote(name)}" has prompt_mode: append, and this session's prompt is not known`]
				: []),
			...(inheritContext && inherited === undefined
				? ["inherit_context: this session's conversation is not known"]
				: []),
		],
	};
}
