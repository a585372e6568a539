import {
	type ExtensionTool,
	isOf,
	parseToolReference,
	referenceProblem,
	refersTo,
	type ToolReference,
} from "./extension-tools.ts";
import { listWords } from "./wording.ts";

/** The host's own tools, on every system it runs on. */
export const builtInTools: readonly string[] = ["read", "bash", "powershell", "edit", "write", "grep", "find", "ls"];

/** Our own tools. A child has them only where its profile has `subagents`: see `delegationOf`. */
export const orchestrationTools: readonly string[] = ["Agent", "get_subagent_result", "steer_subagent"];

export interface ToolRequest {
	/** Names, or references such as `ext:web/search` and `ext:web/*`. */
	readonly wanted: readonly string[] | "inherit";
	/** The parent's active tools: the most that a child can get. */
	readonly active: readonly string[];
	/** Built-in tools only, whatever else is wanted. */
	readonly isolated: boolean;
	/** Tools that are not given whatever else is wanted, in the same words; the case of their letters does not matter. */
	readonly denied?: readonly string[];
	/** Whose tools may be given beside the built-in ones: every extension's where it is absent. */
	readonly extensions?: readonly string[] | "inherit" | "none";
	/** Every tool of an extension that the parent's session has, active or not. */
	readonly known?: readonly ExtensionTool[];
}

export interface ChildTools {
	readonly tools: readonly string[];
	/** Which wanted tools were not given, and why. */
	readonly notes: readonly string[];
	/** References to what does not exist: whoever wrote them meant something else. */
	readonly problems: readonly string[];
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
		applies: (tool, { known = [] }) => known.some(({ name, reaches }) => name === tool && reaches === true),
		reason: "it calls other tools, which the agent might not have",
	},
	{
		applies: (tool, { isolated }) => isolated && !isBuiltIn(tool),
		reason: "an isolated agent has built-in tools only",
	},
	{
		applies: (tool, { extensions }) => extensions === "none" && !isBuiltIn(tool),
		reason: "the profile has extensions: none",
	},
	{
		applies: (tool, { extensions, known = [] }) =>
			Array.isArray(extensions) &&
			!isBuiltIn(tool) &&
			!known.some((one) => one.name === tool && extensions.some((name) => isOf(one, name))),
		reason: "the profile's extensions do not have it",
	},
	{
		applies: (tool, { denied = [], known = [] }) => denied.some((name) => denies(name, tool, known)),
		reason: "the profile has it in disallowed_tools",
	},
];

/**
 * The tools of a child, in the order in which they are wanted, and never one that its parent does not have active.
 * `inherit` means the parent's built-in tools: an extension's tool often needs state that its extension keeps for the
 * parent's session alone, so a child gets one only where a profile names it.
 */
export function childTools(request: ToolRequest): ChildTools {
	const { known = [] } = request;
	const inherits = request.wanted === "inherit";
	const wanted = request.wanted === "inherit" ? request.active.filter(isBuiltIn) : request.wanted;
	const tools = new Set<string>();
	const refused = new Map<string, Set<string>>();
	const problems: string[] = [];
	for (const word of new Set(wanted)) {
		const reference = parseToolReference(word);
		const meant = reference ? referredTo(reference, word, request) : [spelt(word, request.active)];
		if (reference && !known.some((tool) => refersTo(reference, tool))) {
			problems.push(referenceProblem(reference, known));
			continue;
		}
		for (const tool of meant) {
			const refusal = refusals.find(({ applies }) => applies(tool, request));
			if (refusal === undefined) tools.add(tool);
			// Who wants "all but these" has asked for nothing that is missing.
			else if (!inherits) refused.set(refusal.reason, (refused.get(refusal.reason) ?? new Set()).add(tool));
		}
	}
	const notes = [...refused].map(([reason, names]) => `tools not given: ${listWords([...names])} (${reason})`);
	return { tools: [...tools], notes, problems };
}

/** What a reference is to; where all of an extension is meant, those that are active, or it itself where none is. */
function referredTo(reference: ToolReference, word: string, { known = [], active }: ToolRequest): readonly string[] {
	const names = known.filter((tool) => refersTo(reference, tool)).map(({ name }) => name);
	if (reference.tool !== undefined) return names;
	const there = names.filter((name) => active.includes(name));
	return there.length === 0 ? [word] : there;
}

function denies(word: string, tool: string, known: readonly ExtensionTool[]): boolean {
	const reference = parseToolReference(word);
	if (reference === undefined) return isOneOf(tool, [word]);
	return known.some((one) => one.name === tool && refersTo(reference, one));
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
