import type { SpawnRequest } from "./agents.ts";
import type { NewRecord } from "./record.ts";

/** What a request says of its agent. */
export function newAgent({
	description,
	config,
	background,
	toolCallId,
	parent,
	schedule,
}: SpawnRequest): Omit<NewRecord, "agentId" | "correlationId"> {
	return {
		description,
		config,
		background,
		...(parent === undefined ? {} : { parent }),
		...(schedule === undefined ? {} : { schedule }),
		...(toolCallId === undefined ? {} : { toolCallId }),
	};
}
