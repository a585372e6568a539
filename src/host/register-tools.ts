import type { AgentToolResult, ExtensionAPI, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "@sinclair/typebox";
import { type Spend, toToolCallId } from "../streams/index.ts";
import { type ProtocolTool, type ToolAnswer, ToolCallAborted, type ToolDetails } from "../tools/index.ts";
import type { HostFeatures } from "./host-features.ts";
import { onSettled } from "./parent-events.ts";

/** How the host draws calls and results. */
export type ToolRendering = Pick<ToolDefinition<TSchema, ToolDetails>, "renderCall" | "renderResult">;

/** What the host would lose of a result and its `tool_result` hook gives back. */
interface Repair {
	readonly isError: true;
	readonly details: ToolDetails;
	readonly usage?: HostUsage;
}

type HostUsage = NonNullable<AgentToolResult<ToolDetails>["usage"]>;

/**
 * Registers the protocol's tools with the host. A failed answer is returned with `isError`; hosts that do not honour
 * that, and every host for a call that throws, drop the flag or the details, so both are put back by call id in the
 * `tool_result` hook, which runs for either. No answer leaves before `recorded()` has resolved. `seen` gets the context of
 * each call.
 *
 * The host copies a description when a tool is registered, and asks no more. The function that is returned registers
 * again the tools whose description has changed since: which types of agents there are is known only when a session has
 * begun, and changes with their files.
 */
export function registerTools(
	pi: ExtensionAPI,
	features: HostFeatures,
	tools: readonly ProtocolTool<TSchema>[],
	rendering: (tool: string) => ToolRendering,
	recorded: () => Promise<void> | undefined,
	seen: (context: object) => void = () => undefined,
): () => void {
	const repairs = new Map<string, Repair>();
	const told = new Map<string, string>();
	const register = (): void => {
		for (const tool of tools) {
			const { name, description } = tool;
			if (told.get(name) === description) continue;
			told.set(name, description);
			pi.registerTool(toDefinition(tool, rendering(name), features, repairs, { recorded, seen }));
		}
	};
	register();
	pi.on("tool_result", (event) => {
		const repair = repairs.get(event.toolCallId);
		repairs.delete(event.toolCallId);
		return repair;
	});
	// A call that the host never finalized keeps nothing here.
	onSettled(pi, () => repairs.clear());
	return register;
}

function toDefinition(
	tool: ProtocolTool<TSchema>,
	rendering: ToolRendering,
	features: HostFeatures,
	repairs: Map<string, Repair>,
	{ recorded, seen }: { recorded(): Promise<void> | undefined; seen(context: object): void },
): ToolDefinition<TSchema, ToolDetails> {
	return {
		name: tool.name,
		label: tool.label,
		description: tool.description,
		parameters: tool.parameters,
		...(tool.promptSnippet === undefined ? {} : { promptSnippet: tool.promptSnippet }),
		...(tool.promptGuidelines === undefined ? {} : { promptGuidelines: [...tool.promptGuidelines] }),
		...(tool.prepareArguments === undefined ? {} : { prepareArguments: (raw) => tool.prepareArguments?.(raw) }),
		...(tool.executionMode === undefined ? {} : { executionMode: tool.executionMode }),
		...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
		...rendering,
		async execute(toolCallId, params, signal, onUpdate, context) {
			seen(context);
			try {
				const answer = await tool.run({
					toolCallId: toToolCallId(toolCallId),
					params,
					signal,
					update: (partial) => onUpdate?.(toResult(partial)),
				});
				// What the conversation knows of is on record: no crash makes it forgotten.
				await recorded();
				const result = toResult(answer);
				if (answer.isError && !features.returnedIsError) repairs.set(toolCallId, toRepair(answer));
				return result;
			} catch (error) {
				// The host keeps an error's message and nothing else of it.
				if (error instanceof ToolCallAborted) repairs.set(toolCallId, { isError: true, details: error.details });
				throw error;
			}
		},
	};
}

function toResult(answer: ToolAnswer): AgentToolResult<ToolDetails> {
	return {
		content: [{ type: "text", text: answer.text }],
		details: answer.details,
		...(answer.structured === undefined ? {} : { structuredContent: toJson(answer.structured) }),
		...(answer.spend === undefined ? {} : { usage: toHostUsage(answer.spend) }),
		...(answer.isError ? { isError: true } : {}),
	};
}

/** A copy without the keys that JSON has no word for: the host's type takes nothing else. */
function toJson(value: object): NonNullable<AgentToolResult<ToolDetails>["structuredContent"]> {
	return JSON.parse(JSON.stringify(value));
}

function toRepair(answer: ToolAnswer): Repair {
	return {
		isError: true,
		details: answer.details,
		...(answer.spend === undefined ? {} : { usage: toHostUsage(answer.spend) }),
	};
}

/** The host wants the money split by kind of token, which is not known here: the whole stands in `total`. */
function toHostUsage(spend: Spend): HostUsage {
	const { input, output, cacheRead, cacheWrite, cost } = spend;
	return {
		input,
		output,
		cacheRead,
		cacheWrite,
		totalTokens: input + output + cacheRead + cacheWrite,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
	};
}
