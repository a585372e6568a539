import { setTimeout as delay } from "node:timers/promises";
import type { AgentSession, ResourceLoader, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { builtInTools, listWords } from "../profiles/index.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { StartupFailure } from "./child-startup-failure.ts";

/** What the child's extensions have registered while they were loaded. */
export function toolsOfExtensions(loader: ResourceLoader): ReadonlySet<string> {
	return new Set(loader.getExtensions().extensions.flatMap(({ tools }) => [...tools.keys()]));
}

/**
 * The tools that a child uses of its parent's. What one of its own extensions registers while it is loaded is its own, with
 * the child's folder and session. All else it is lent: what the host's MCP client has, what is registered only once
 * something has connected or a turn has begun, and what belongs to extensions that are not loaded in a child.
 */
export function lentTools(
	{ lend }: Pick<ChildEnvironment, "lend">,
	tools: readonly string[],
	loader: ResourceLoader,
): ToolDefinition[] {
	const own = toolsOfExtensions(loader);
	return tools.flatMap((tool) => (builtInTools.includes(tool) || own.has(tool) ? [] : (lend?.(tool) ?? [])));
}

const pause = 50;

/**
 * Waits for tools that could not be lent and that the child's own extensions may be about to register. Rejects with a
 * `StartupFailure` when they have not within that time: an agent without a tool that it was given is not the one that was
 * asked for.
 */
export async function untilRegistered(
	session: AgentSession,
	tools: readonly string[],
	{ seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<void> {
	for (let left = seconds * 1000; ; left -= pause) {
		const there = new Set(session.getAllTools().map(({ name }) => name));
		const missing = tools.filter((tool) => !there.has(tool));
		if (missing.length === 0) return;
		if (left <= 0) {
			throw new StartupFailure(
				`The agent's session does not have the tool ${listWords(missing)}: its extension has not registered it there, and this session's own cannot be lent.`,
			);
		}
		// The host does not say when a tool is registered.
		await delay(pause, undefined, { signal });
	}
}
