import { listWords } from "./wording.ts";

/** The host's own tools, on every system it runs on. */
export const builtInTools: readonly string[] = ["read", "bash", "powershell", "edit", "write", "grep", "find", "ls"];

/** Our own tools. A child has them only where its profile has `subagents`: see `delegationOf`. */
export const orchestrationTools: readonly string[] = ["Agent", "get_subagent_result", "steer_subagent"];

export interface ToolRequest {
	readonly wanted: readonly string[] | "inherit";
	/** The parent's active tools: the most that a child can get. */
	readonly active: readonly string[];
	/** Built-in tools only, whatever else is wanted. */
	readonly isolated: boolean;
	/** Tools that are not given whatever else is wanted; the case of their letters does not matter. */
	readonly denied?: readonly string[];
	/** Whose tools may be given beside the built-in ones: every extension's where it is absent. */
	readonly extensions?: readonly string[] | "inherit" | "none";
}

export interface ChildTools {
	readonly tools: readonly string[];
	/** Which wanted tools were not given, and why. */
	readonly notes: readonly string[];
}

/** Why a tool that is wanted is not given. The first reason that applies is the one that is said. */
const refusals: readonly {
	readonly applies: (tool: string, request: ToolRequest) => boolean;
	readonly reason: string;
}[] = [
	{
		applies: (tool) => isOneOf(tool, orchestrationTools),
		reason: "only an agent whose profile has subagents starts agents",
	},
	{ applies: (tool, { active }) => !active.includes(tool), reason: "not active in this session" },
	{
		applies: (tool, { isolated }) => isolated && !isBuiltIn(tool),
		reason: "an isolated agent has built-in tools only",
	},
	{
		applies: (tool, { extensions }) => extensions === "none" && !isBuiltIn(tool),
		reason: "the profile has extensions: none",
	},
	{
		// Which extension a tool is from is not known here. As long as that is so, a list of them lets none through.
		applies: (tool, { extensions }) => Array.isArray(extensions) && !isBuiltIn(tool),
		reason: "a list of extensions is not in effect yet",
	},
	{ applies: (tool, { denied = [] }) => isOneOf(tool, denied), reason: "the profile has it in disallowed_tools" },
];

/**
 * The tools of a child, in the order in which they are wanted, and never one that its parent does not have active.
 * `inherit` means the parent's built-in tools: an extension's tool often needs state that its extension keeps for the
 * parent's session alone, so a child gets one only where a profile names it.
 */
export function childTools(request: ToolRequest): ChildTools {
	const inherits = request.wanted === "inherit";
	const wanted =
		request.wanted === "inherit"
			? request.active.filter(isBuiltIn)
			: request.wanted.map((tool) => spelt(tool, request.active));
	const tools: string[] = [];
	const refused = new Map<string, string[]>();
	for (const tool of new Set(wanted)) {
		const refusal = refusals.find(({ applies }) => applies(tool, request));
		if (refusal === undefined) tools.push(tool);
		// Who wants "all but these" has asked for nothing that is missing.
		else if (!inherits) refused.set(refusal.reason, [...(refused.get(refusal.reason) ?? []), tool]);
	}
	return { tools, notes: [...refused].map(([reason, names]) => `tools not given: ${listWords(names)} (${reason})`) };
}

/** The tool as the host spells it: other harnesses write `Read` and `Bash`. */
function spelt(tool: string, active: readonly string[]): string {
	return active.includes(tool) ? tool : (active.find((name) => isOneOf(name, [tool])) ?? tool);
}

function isBuiltIn(tool: string): boolean {
	return builtInTools.includes(tool);
}

function isOneOf(tool: string, names: readonly string[]): boolean {
	return names.some((name) => name.toLowerCase() === tool.toLowerCase());
}
