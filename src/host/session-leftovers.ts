import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { isTerminal } from "../streams/index.ts";
import { hasUi, whileActive } from "./host-features.ts";
import type { ParentSession } from "./parent-session.ts";

/** How many agents are named; the others are counted. */
const named = 5;

/**
 * What an ending session takes with it, in words: agents that are stopped now, and results that nobody has read.
 * `undefined` when nothing is left.
 */
export function leftovers({ agents, outbox }: Pick<ParentSession, "agents" | "outbox">): string | undefined {
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
	return lines.length === 0 ? undefined : `Agents ${lines.join("; ")}.`;
}

/** Says so where a person may see it: on the screen, or else on the error stream. */
export function reportLeftovers(ctx: ExtensionContext, session: ParentSession): void {
	const text = leftovers(session);
	if (text === undefined) return;
	if (hasUi(ctx)) whileActive(() => ctx.ui.notify(text, "warning"), undefined);
	else process.stderr.write(`${text}\n`);
}

function describe(what: string, ids: readonly string[]): string[] {
	if (ids.length === 0) return [];
	const more = ids.length > named ? ` and ${ids.length - named} more` : "";
	return [`${what}: ${ids.slice(0, named).join(", ")}${more}`];
}
