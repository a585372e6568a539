import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type AgentId, isTerminal } from "../streams/index.ts";
import { hasUi, whileActive } from "./host-features.ts";
import type { ParentSession } from "./parent-session.ts";

/** How many agents are named; the others are counted. */
const named = 5;

/** What an ending session takes with it: agents that are stopped, and results that nobody has read. */
interface Leftovers {
	readonly live: readonly AgentId[];
	readonly unread: readonly string[];
}

/** Tells a person what the current session takes with it: before the host replaces it, or else when it ends. */
export interface LeftoverReports {
	/** For the end of the session. Says nothing when the same has been said before the replacement. */
	atEnd(ctx: ExtensionContext, session: Ending): void;
}

type Ending = Pick<ParentSession, "agents" | "outbox">;

/**
 * Registers what is said before `/new`, `/resume` and `/fork` replace the session. It only says it: a host without a
 * person would wait for ever for an answer, and whoever comes back to the session can resume its agents.
 */
export function reportLeftovers(pi: ExtensionAPI, session: () => Ending | undefined): LeftoverReports {
	let said: string | undefined;
	const before = (_event: unknown, ctx: ExtensionContext): void => {
		const open = session();
		if (open === undefined) return;
		const left = leftoversOf(open);
		said = JSON.stringify(left);
		show(ctx, textOf(left, "that would stop with this session"));
	};
	pi.on("session_before_switch", before);
	pi.on("session_before_fork", before);
	return {
		atEnd: (ctx, ending) => {
			const left = leftoversOf(ending);
			if (said !== JSON.stringify(left)) show(ctx, textOf(left, atEnd));
			said = undefined;
		},
	};
}

function leftoversOf({ agents, outbox }: Ending): Leftovers {
	const live = agents.list().filter((record) => !isTerminal(record));
	return { live: live.map(({ agentId }) => agentId), unread: outbox.keys.map((key) => key.replace(/#1$/, "")) };
}

/** What the session takes with it when it ends now, in words; `undefined` when that is nothing. */
export function leftovers(ending: Ending): string | undefined {
	return textOf(leftoversOf(ending), atEnd);
}

const atEnd = "stopped with the session";

/** Where a person may see it: on the screen, or else on the error stream. */
function show(ctx: ExtensionContext, text: string | undefined): void {
	if (text === undefined) return;
	if (hasUi(ctx)) whileActive(() => ctx.ui.notify(text, "warning"), undefined);
	else process.stderr.write(`${text}\n`);
}

function textOf({ live, unread }: Leftovers, stopped: string): string | undefined {
	const lines = [...describe(stopped, live), ...describe("ended unread", unread)];
	return lines.length === 0 ? undefined : `Agents ${lines.join("; ")}.`;
}

function describe(what: string, ids: readonly string[]): string[] {
	if (ids.length === 0) return [];
	const more = ids.length > named ? ` and ${ids.length - named} more` : "";
	return [`${what}: ${ids.slice(0, named).join(", ")}${more}`];
}
