import { listWords } from "./wording.ts";

/** The host's own tools, on every system it runs on. */
export const builtInTools: readonly string[] = ["read", "bash", "powershell", "edit", "write", "grep", "find", "ls"];

/** Our own tools. A child never has them: it could start agents that nobody counts. */
export const orchestrationTools: readonly string[] = ["Agent", "get_subagent_result", "steer_subagent"];

export interface ToolRequest {
	readonly wanted: readonly string[] | "inherit";
	/** The parent's active tools: the most that a child can get. */
	readonly active: readonly string[];
	/** Built-in tools only, whatever else is wanted. */
	readonly isolated: boolean;
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
	{ applies: (tool) => orchestrationTools.includes(tool), reason: "agents do not start agents" },
	{ applies: (tool, { active }) => !active.includes(tool), reason: "not active in this session" },
	{
		applies: (tool, { isolated }) => isolated && !builtInTools.includes(tool),
		reason: "an isolated agent has built-in tools only",
	},
];

/**
 * The tools of a child, in the order in which they are wanted, and never one that its parent does not have active.
 * `inherit` means the parent's built-in tools: an extension's tool often needs state that its extension keeps for the
 * parent's session alone, so a child gets one only where a profile names it.
 */
export function childTools(request: ToolRequest): ChildTools {
	const wanted = request.wanted === "inherit" ? request.active.filter(isBuiltIn) : request.wanted;
	const tools: string[] = [];
	const refused = new Map<string, string[]>();
	for (const tool of new Set(wanted)) {
		const refusal = refusals.find(({ applies }) => applies(tool, request));
		if (refusal === undefined) tools.push(tool);
		else refused.set(refusal.reason, [...(refused.get(refusal.reason) ?? []), tool]);
	}
	return { tools, notes: [...refused].map(([reason, names]) => `tools not given: ${listWords(names)} (${reason})`) };
}

function isBuiltIn(tool: string): boolean {
	return builtInTools.includes(tool);
}
