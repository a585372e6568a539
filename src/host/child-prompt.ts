import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import type { RunConfig } from "../streams/ports.ts";

type PromptConfig = Pick<RunConfig, "systemPrompt" | "parentPrompt" | "tools" | "skills" | "isolated">;

/**
 * What stands in a child's system prompt before anything that the host adds: the profile's own words, or, where these come
 * after the parent's prompt, that prompt as it is, what of it does not hold for the child, and then they. The parent's is a
 * prefix to the byte, so that a provider which keeps prompts has it already.
 */
export function childPrompt(config: PromptConfig, cwd: { readonly own: string; readonly parents: string }): string {
	const { parentPrompt, systemPrompt, tools, skills } = config;
	if (parentPrompt === undefined) return systemPrompt;
	const differences = [
		"What stands above is the prompt of the session that has started you. You are an agent of that session: where what follows says otherwise, what follows holds.",
		tools.length === 0
			? "You have none of the tools named above."
			: `Of all tools named above you have only these: ${tools.join(", ")}.`,
		...(knowsSkillsOfParent(config)
			? []
			: [
					config.isolated || skills?.length === 0
						? "You have none of the skills named above."
						: `Of all skills named above you have only these: ${(skills ?? []).join(", ")}.`,
				]),
		...(cwd.own === cwd.parents ? [] : [`Your working directory is ${cwd.own}, and not the one named above.`]),
	];
	return [parentPrompt, differences.join("\n"), systemPrompt].filter((part) => part !== "").join("\n\n");
}

/** Whether the parent's prompt, as a part of the child's, tells of all skills that the child has. */
export function knowsSkillsOfParent({ parentPrompt, skills, isolated }: Omit<PromptConfig, "tools">): boolean {
	return parentPrompt !== undefined && skills === undefined && !isolated;
}

/**
 * Keeps the parent's prompt in front, whatever the child's extensions do to the prompt: what they add behind it stays, and
 * where one puts something before it, `whole` is the prompt. To be loaded as the last extension.
 */
export function keepPromptInFront(prefix: string, whole: string): ExtensionFactory {
	return (pi) => {
		pi.on("before_agent_start", ({ systemPrompt }) =>
			systemPrompt.startsWith(prefix) ? undefined : { systemPrompt: whole },
		);
	};
}

/**
 * Sends the prompt at the head of each request. A conversation that begins with somebody else's messages has the host's
 * own system message behind them, where some providers leave it. To be loaded as the last extension.
 */
export function keepPromptAtHead(): ExtensionFactory {
	return (pi) => {
		pi.on("before_agent_start", ({ systemPrompt }) => ({ systemPrompt }));
	};
}
