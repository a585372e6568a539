import { type Static, Type } from "@sinclair/typebox";

// Only builders that TypeBox 0.34 and 1.x have in common. `Type.Unsafe` writes an enum as one short array, where a union
// of literals repeats `const` and `type` for each value in every request.
const thinking = Type.Unsafe<"off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max">({
	type: "string",
	enum: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
});

const worktree = Type.Unsafe<"worktree">({
	type: "string",
	enum: ["worktree"],
	description: "Own git worktree: its work is left on a branch",
});

const member = Type.Object(
	{
		name: Type.String(),
		prompt: Type.String(),
		description: Type.Optional(Type.String()),
		subagent_type: Type.Optional(Type.String()),
		model: Type.Optional(Type.String()),
		after: Type.Optional(Type.Array(Type.String(), { description: "Waits for these, gets their results" })),
	},
	{ additionalProperties: false },
);

export const agentParameters = Type.Object(
	{
		prompt: Type.String({ description: "The whole task; with members, a brief for all" }),
		description: Type.String({ description: "3-6 words, for the user" }),
		subagent_type: Type.Optional(Type.String({ description: "Default: general-purpose" })),
		model: Type.Optional(Type.String({ description: "provider/id or a unique part" })),
		thinking: Type.Optional(thinking),
		max_turns: Type.Optional(Type.Integer({ minimum: 1, description: "Then asked to wrap up" })),
		run_in_background: Type.Optional(Type.Boolean()),
		resume: Type.Optional(Type.String({ description: "agent_id to continue" })),
		inherit_context: Type.Optional(Type.Boolean({ description: "Start from a copy of this conversation" })),
		isolated: Type.Optional(Type.Boolean({ description: "Built-in tools only, no skills" })),
		isolation: Type.Optional(worktree),
		swarm: Type.Optional(Type.Integer({ minimum: 2, maximum: 8, description: "That many on the same task" })),
		members: Type.Optional(
			Type.Array(member, { minItems: 2, maxItems: 16, description: "A crew, one agent each. Not with swarm" }),
		),
		schedule: Type.Optional(Type.String({ description: "Start later: cron, 5m (every), +10m (once), ISO time" })),
		estimate_only: Type.Optional(Type.Boolean({ description: "Only tell the cost" })),
	},
	{ additionalProperties: false },
);

export const resultParameters = Type.Object(
	{
		agent_id: Type.String({ description: "Or a group_id" }),
		wait: Type.Optional(Type.Boolean({ description: "Block until it has ended" })),
		timeout_s: Type.Optional(Type.Integer({ minimum: 1 })),
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
export type MemberParams = Static<typeof member>;
export type ResultParams = Static<typeof resultParameters>;
export type SteerParams = Static<typeof steerParameters>;
