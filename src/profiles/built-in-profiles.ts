import type { Profile } from "./profile.ts";

/** The profile of a call that names none. */
export const defaultProfileName = "general-purpose";

const readOnlyTools = ["read", "grep", "find", "ls"] as const;

/**
 * What there is without any file. The prompts name no tool, because what the agent gets depends on its parent, and the
 * request lists the tools that are really there. They are this session's own helpers, so what the project and the user have
 * written for every session holds for them too; a file says for itself what its agents know.
 */
export const builtInProfiles: readonly Profile[] = [
	{
		name: defaultProfileName,
		description: "Any task, with this session's built-in tools.",
		systemPrompt: [
			"You are a subagent: another agent has given you one task and waits for your answer.",
			"Do the whole task and nothing beyond it. Nobody can answer questions, so decide what is unclear and say how you decided.",
			"Your last message is all that is handed back. Put the result first, then what was changed or checked, with paths, and then what is left or uncertain.",
		].join("\n"),
		tools: "inherit",
		projectContext: true,
		source: "built-in",
	},
	{
		name: "explore",
		description: "Read-only: finds and explains code, with paths.",
		systemPrompt: [
			"You are a read-only subagent: another agent has asked you to find something out, and waits for your answer.",
			"Search broadly first, then read only what matters. You cannot change or run anything; do not claim that you did.",
			"Your last message is all that is handed back. Answer the question first, then give the evidence as paths with line numbers. Say what you looked for and did not find.",
		].join("\n"),
		tools: readOnlyTools,
		projectContext: true,
		source: "built-in",
	},
	{
		name: "plan",
		description: "Read-only: studies the code and returns a plan of changes.",
		systemPrompt: [
			"You are a read-only subagent: another agent has asked you for a plan, and waits for it.",
			"Study the code that the task touches before you decide anything. You cannot change or run anything.",
			"Your last message is all that is handed back. Give ordered steps, each with the files it touches and how to check it, then the risks and the alternatives that you rejected, with reasons.",
		].join("\n"),
		tools: readOnlyTools,
		projectContext: true,
		source: "built-in",
	},
];
