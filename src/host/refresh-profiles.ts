import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { whileActive } from "./host-features.ts";
import type { ParentSession } from "./parent-session.ts";
import { tell } from "./tell.ts";

/**
 * Reads the profiles again where it matters what they are: before a turn, whose model is told which there are, and before
 * a call that may start an agent. Nothing ticks in between. What has gone wrong since is told once. `tellTools` lets the
 * model know which types there are now.
 */
export function refreshProfiles(
	pi: ExtensionAPI,
	session: () => ParentSession | undefined,
	tellTools: () => void,
): void {
	const refresh = async (ctx: ExtensionContext): Promise<undefined> => {
		const current = session();
		await current?.profiles.refresh();
		const news = current?.problems.news();
		// The session may have been replaced meanwhile, and its context with it.
		whileActive(() => {
			tellTools();
			if (news !== undefined) tell(ctx, news, "warning");
		}, undefined);
	};
	pi.on("before_agent_start", (_event, ctx) => refresh(ctx));
	pi.on("tool_call", ({ toolName }, ctx) => (toolName === "Agent" ? refresh(ctx) : undefined));
}
