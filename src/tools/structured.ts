import { Type } from "@sinclair/typebox";
import type { Group } from "../streams/groups.ts";
import type { AgentRecord } from "../streams/record.ts";
import { type AgentFacts, agentFacts } from "./details.ts";
import { type GroupFacts, groupFacts } from "./group-details.ts";

/** The answer for programs: the facts of the header and the text that the model was shown. */
export interface StructuredAnswer extends AgentFacts {
	readonly text: string;
	/** There for a group: each member in the given order. Its own facts are their sums, and `agent_id` is the group's id. */
	readonly members?: readonly StructuredMember[];
}

/** One member of a group, by its name. */
export interface StructuredMember extends AgentFacts {
	readonly name: string;
	readonly text: string;
}

const facts = {
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
};

/** The schema of `StructuredAnswer`, for hosts that declare what their tools return. */
export const structuredAnswerSchema = Type.Object({
	...facts,
	members: Type.Optional(Type.Array(Type.Object({ name: Type.String(), ...facts }))),
});

export function structuredAnswer(
	record: AgentRecord,
	now: number,
	text: string,
	outputPath?: string,
): StructuredAnswer {
	return { ...agentFacts(record, now, outputPath), text };
}

/** What a group has come to, and each member with what the model was shown of it. */
export function structuredGroup(
	group: Group,
	now: number,
	told: readonly { readonly text: string; readonly outputPath?: string | undefined }[],
): StructuredAnswer {
	const whole: GroupFacts = groupFacts(group, now);
	return {
		agent_id: group.groupId,
		...whole,
		text: "",
		members: group.members.map(({ name, record }, index) => ({
			name,
			...agentFacts(record, now, told[index]?.outputPath),
			text: told[index]?.text ?? "",
		})),
	};
}
