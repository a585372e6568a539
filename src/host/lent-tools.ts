import type { ExtensionToolContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "@sinclair/typebox";
import { whileActive } from "./host-features.ts";

/** A tool as the host runs it, in the session that has it. */
type HostTool = ExtensionToolContext["tools"][number];

/** The parent's own instances of tools, for its agents to call. */
export interface LentTools {
	/** Takes notice of the context of a call: through it, and in no other way, the host shows the instances. */
	see(context: object): void;
	/** The tool that the parent can call by that name at this moment, as one of an agent. */
	find(name: string): ToolDefinition | undefined;
}

/**
 * Lends a session's tools. An agent that calls one runs the parent's instance of it: there is one connection to an MCP
 * server however many agents use it, and what the tool remembers it remembers once. Hooks see the call where it is made,
 * in the agent's session. Hosts as old as 0.81 show no instances; nor is there one before the first call.
 */
export function createLentTools(): LentTools {
	let seen: { readonly tools?: readonly HostTool[] } | undefined;
	return {
		see: (context) => {
			seen = context;
		},
		find: (name) => {
			// Asked anew each time: tools come and go. A context whose session is over throws.
			const tool = whileActive(() => seen?.tools?.find((one) => one.name === name), undefined);
			return tool && lend(tool);
		},
	};
}

function lend(tool: HostTool): ToolDefinition {
	const { name, label, description, parameters, prepareArguments, executionMode } = tool;
	return {
		name,
		label,
		description,
		parameters: parameters as TSchema,
		...(prepareArguments === undefined ? {} : { prepareArguments }),
		...(executionMode === undefined ? {} : { executionMode }),
		execute: (toolCallId, params, signal, onUpdate) => tool.execute(toolCallId, params as object, signal, onUpdate),
	} as ToolDefinition;
}
