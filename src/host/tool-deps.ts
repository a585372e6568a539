import { asyncScheduler } from "rxjs";
import { builtInProfiles, defaultSettings } from "../profiles/index.ts";
import type { ToolDeps } from "../tools/index.ts";
import { readConversation } from "./child-conversation.ts";
import type { ParentSession } from "./parent-session.ts";

/**
 * What the tools need, asked of whatever session is current when they need it: tools are registered once, sessions come
 * and go. Between sessions there is nothing to run, and a call says so.
 */
export function toolDeps(session: () => ParentSession | undefined): ToolDeps {
	const current = (): ParentSession => {
		const open = session();
		if (!open)
			throw new Error(
				"There is no session for agents: it has ended, or could not be opened (Pi says why at its start).",
			);
		return open;
	};
	return {
		get agents() {
			return current().own.agents;
		},
		get groups() {
			return current().own.groups;
		},
		get schedules() {
			return current().schedules;
		},
		settings: () => session()?.settings ?? defaultSettings,
		oneShot: () => session()?.oneShot ?? false,
		profiles: () => session()?.profiles.profiles() ?? builtInProfiles,
		parent: () => current().facts(),
		fullTextPath: (record) => current().fullTextPath(record),
		conversation: (agentId) => readConversation(current().own.agents.get(agentId)),
		takeSpend: () => current().takeSpend(),
		recorded: async () => session()?.recorded(),
		scheduler: asyncScheduler,
	};
}
