import { SteerRefused } from "../streams/agents.ts";
import type { Group } from "../streams/groups.ts";
import { oneLine } from "../streams/plain-text.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { aboutAnswer, problemAnswer, withSpend } from "./answers.ts";
import { depsOfCall } from "./deps-of-call.ts";
import { readTarget } from "./find-target.ts";
import { foldArguments } from "./fold-arguments.ts";
import { statusWithReason } from "./header.ts";
import { type SteerParams, steerParameters } from "./parameters.ts";
import type { ProtocolTool, ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { structuredAnswerSchema } from "./structured.ts";
import type { ToolDeps } from "./tool-deps.ts";

const description = [
	"Queues a message for a running subagent and returns at once.",
	"It is read after its current tool calls, before its next model request; nothing is interrupted.",
	"Refused unless it is running. A result names messages that were never read.",
].join(" ");

const receipts = {
	held: "Held: its session is still starting. It gets the message before its first chance to go on.",
	queued: "Queued: it reads the message at its next turn boundary. Nothing is interrupted.",
} as const;

/** The tool that sends a message to a subagent under way. */
export function createSteerSubagentTool(deps: ToolDeps): ProtocolTool<typeof steerParameters> {
	return {
		name: "steer_subagent",
		label: "Steer subagent",
		description,
		promptSnippet: "Message a running subagent",
		parameters: steerParameters,
		prepareArguments: (raw) => foldArguments(steerParameters, raw) as SteerParams,
		outputSchema: structuredAnswerSchema,
		run: async (call) => steer(depsOfCall(deps), call),
	};
}

async function steer(deps: ToolDeps, call: ToolCall<SteerParams>): Promise<ToolAnswer> {
	const read = readTarget(deps, call, steerParameters, "no message was sent");
	if (!read.ok) return read.answer;
	const { target } = read;
	if (target.kind === "group") return problemAnswer(call.toolCallId, "No message was sent", [notOne(target.group)]);
	const { record } = target;
	if (record.status !== "running") return refused(deps, record, whyNot(deps, record));
	try {
		const receipt = deps.agents.steer(record.agentId, call.params.message);
		return withSpend(deps, aboutAnswer(deps, record, [receipts[receipt]], { isError: false }));
	} catch (error) {
		if (!(error instanceof SteerRefused)) throw error;
		return refused(deps, deps.agents.get(record.agentId) ?? record, error.message);
	}
}

function refused(deps: ToolDeps, record: AgentRecord, why: string): ToolAnswer {
	return withSpend(deps, aboutAnswer(deps, record, [`No message was sent: ${why}`], { isError: true }));
}

/** A message has one reader: several that got the same would each act on it. */
function notOne(group: Group): string {
	const running = group.members.filter(({ record }) => record.status === "running");
	const names = running.map(({ name, agentId }) => `${agentId} (${oneLine(name, 64)})`).join(", ");
	const who = names === "" ? "none of its members is running." : `send it to one of its members that run: ${names}.`;
	return `${group.groupId} is a ${group.kind} of several agents; ${who}`;
}

function whyNot(deps: ToolDeps, record: AgentRecord): string {
	if (isTerminal(record)) {
		return `the agent has ended (${statusWithReason(record)}). get_subagent_result reads its result; Agent starts a new one.`;
	}
	const place = deps.agents.placeInLine(record.agentId);
	const where = place === undefined ? "" : `, at place ${place} in line`;
	return `the agent is ${record.status}${where}, and only a running one can be steered. get_subagent_result with wait: true waits for its end.`;
}
