import {
	addSpend,
	noSpend,
	type Outcome,
	parseAgentId,
	type QueuedRecord,
	type RunConfig,
	type RunningRecord,
	type TerminalRecord,
	toCorrelationId,
	toToolCallId,
} from "../../src/streams/index.ts";
import { newRecord } from "../../src/streams/record.ts";

export const config: RunConfig = {
	subagentType: "explore",
	systemPrompt: "Look around.",
	model: "local/parent",
	thinking: "off",
	tools: ["read", "grep"],
	limits: { graceTurns: 3 },
	isolated: false,
};

/** A record in line, with a name that is its id. */
export function queued(name = "agent1", over: Partial<QueuedRecord> = {}): QueuedRecord {
	const agentId = parseAgentId(name);
	if (agentId === undefined) throw new Error("a test id that the protocol would not take");
	const record = newRecord(
		{
			agentId,
			correlationId: toCorrelationId(`correlation-${name}`),
			toolCallId: toToolCallId("call-0"),
			description: "look around",
			config,
			background: true,
		},
		0,
	);
	return { ...record, ...over };
}

export function running(name = "agent1", over: Partial<RunningRecord> = {}): RunningRecord {
	return {
		...queued(name),
		status: "running",
		startedAt: 1_000,
		lastEventAt: 1_000,
		activeTools: [],
		textTail: "",
		wrapUpAsked: false,
		sessionReady: true,
		...over,
	};
}

/** A record that ended after 2.5 seconds, 3 turns and 2 tools. */
export function ended(
	name = "agent1",
	outcome: Partial<Outcome> = {},
	over: Partial<TerminalRecord> = {},
): TerminalRecord {
	const whole: Outcome = { verdict: { status: "completed", reason: "done" }, text: "found it", unread: [], ...outcome };
	return {
		...queued(name),
		status: whole.verdict.status,
		outcome: whole,
		startedAt: 1_000,
		endedAt: 3_500,
		turns: 3,
		toolsStarted: 2,
		toolUses: 2,
		spend: addSpend(noSpend, { input: 1200, output: 345, cacheRead: 10, cacheWrite: 20, cost: 0.0123 }),
		...over,
	};
}
