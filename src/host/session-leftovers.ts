import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { isTerminal } from "../streams/index.ts";
import { hasUi, whileActive } from "./host-features.ts";
import type { ParentSession } from "./parent-session.ts";

/** How many agents are named; the others are counted. */
const named = 5;

/**
 * Says what an ending session takes with it: agents that are stopped now, and results that nobody has read. On the error
 * stream where there is no person to show it to. Nothing is said when nothing is left.
 */
export function reportLeftovers(ctx: ExtensionContext, { agents, outbox }: ParentSession): void {
	const live = agents.list().filter((record) => !isTerminal(record));
	const lines = [
		...describe(
			"stopped with the session",
			live.map(({ agentId }) => agentId),
		),
		...describe(
			"ended unread",
			outbox.keys.map((key) => key.replace(/#1$/, "")),
		),
	];
	if (lines.length === 0) return;
	const text = `Agents ${lines.join("; ")}.`;
	if (hasUi(ctx)) whileActive(() => ctx.ui.notify(text, "warning"), undefined);
	else process.stderr.write(`${text}\n`);
}

function describe(what: string, ids: readonly string[]): string[] {
	if (ids.length === 0) return [];
	const more = ids.length > named ? ` and ${ids.length - named} more` : "";
	return [`${what}: ${ids.slice(0, named).join(", ")}${more}`];
}
