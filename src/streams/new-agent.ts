import type { SpawnRequest } from "./agents.ts";
import type { NewRecord } from "./record.ts";

/** What a request says of its agent. */
export function newAgent({
	description,
	config,
	background,
	toolCallId,
	parent,
}: SpawnRequest): Omit<NewRecord, "agentId" | "correlationId"> {
	return {
		description,
		config,
		background,
		...(parent === undefined ? {} : { parent }),
		...(toolCallId === undefined ? {} : { toolCallId }),
	};
}
