import { type Static, Type } from "@sinclair/typebox";

// Only builders that TypeBox 0.34 and 1.x have in common. `Type.Unsafe` writes an enum as one short array, where a union
// of literals repeats `const` and `type` for each value in every request.
const thinking = Type.Unsafe<"off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max">({
	type: "string",
	enum: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
	description: "Default: the type's, else yours",
});

export const agentParameters = Type.Object(
	{
		prompt: Type.String({ description: "The whole task" }),
		description: Type.String({ description: "3-6 words, for the user" }),
		subagent_type: Type.Optional(Type.String({ description: "Default: general-purpose" })),
		model: Type.Optional(Type.String({ description: "provider/id or a unique part. Default: the type's, else yours" })),
		thinking: Type.Optional(thinking),
		max_turns: Type.Optional(Type.Integer({ minimum: 1, description: "Then it is asked to wrap up" })),
		run_in_background: Type.Optional(Type.Boolean({ description: "Return at once with the agent_id" })),
		isolated: Type.Optional(Type.Boolean({ description: "Built-in tools only, no skills" })),
	},
	{ additionalProperties: false },
);

export const resultParameters = Type.Object(
	{
		agent_id: Type.String(),
		wait: Type.Optional(Type.Boolean({ description: "Block until it has ended" })),
		timeout_s: Type.Optional(Type.Integer({ minimum: 1, description: "Seconds to wait" })),
		verbose: Type.Optional(Type.Boolean({ description: "Add details; repeat a published text" })),
	},
	{ additionalProperties: false },
);

export const steerParameters = Type.Object(
	{
		agent_id: Type.String(),
		message: Type.String(),
	},
	{ additionalProperties: false },
);

export type AgentParams = Static<typeof agentParameters>;
export type ResultParams = Static<typeof resultParameters>;
export type SteerParams = Static<typeof steerParameters>;
