import { Type } from "@sinclair/typebox";
import type { AgentRecord } from "../streams/record.ts";
import { type AgentFacts, agentFacts } from "./details.ts";

/** The answer for programs: the facts of the header and the text that the model was shown. */
export interface StructuredAnswer extends AgentFacts {
	readonly text: string;
}

/** The schema of `StructuredAnswer`, for hosts that declare what their tools return. */
export const structuredAnswerSchema = Type.Object({
	agent_id: Type.String(),
	status: Type.String(),
	reason: Type.Union([Type.String(), Type.Null()]),
	type: Type.String(),
	model: Type.String(),
	text: Type.String(),
	output_path: Type.Optional(Type.String()),
	turns: Type.Integer(),
	tool_uses: Type.Integer(),
	tokens: Type.Object({
		input: Type.Number(),
		output: Type.Number(),
		cache_read: Type.Number(),
		cache_write: Type.Number(),
	}),
	cost_usd: Type.Number(),
	duration_ms: Type.Number(),
});

export function structuredAnswer(
	record: AgentRecord,
	now: number,
	text: string,
	outputPath?: string,
): StructuredAnswer {
	return { ...agentFacts(record, now, outputPath), text };
}
