import { closest } from "../profiles/closest.ts";
import type { Group } from "../streams/groups.ts";
import { parseAgentId } from "../streams/ids.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { AgentRecord } from "../streams/record.ts";
import { problemAnswer } from "./answers.ts";
import { checkParams } from "./check-params.ts";
import { statusWithReason } from "./header.ts";
import type { ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { refuseAborted } from "./refuse-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** How many agents and groups a complaint names. */
const named = 10;

/** What a call is about: an agent, or agents that were started together. */
export type Target =
	| { readonly kind: "agent"; readonly record: AgentRecord }
	| { readonly kind: "group"; readonly group: Group };

/**
 * The beginning of a call that is about an agent or a group there is: the target of its `agent_id`, or the answer to a
 * call that comes to nothing. Throws when the call had been aborted before. `nothing` says what then has not happened.
 */
export function readTarget(
	deps: ToolDeps,
	call: ToolCall<{ readonly agent_id: string }>,
	schema: object,
	nothing: string,
): { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly answer: ToolAnswer } {
	refuseAborted(call, nothing);
	const refuse = (problems: readonly string[]) => ({
		ok: false as const,
		answer: problemAnswer(call.toolCallId, capitalized(nothing), problems),
	});
	const wrong = checkParams(schema, call.params).map((problem) => problem.text);
	if (wrong.length > 0) return refuse(wrong);
	const target = findTarget(deps, call.params.agent_id);
	return target === undefined ? refuse([unknownTarget(deps, call.params.agent_id)]) : { ok: true, target };
}

function findTarget(deps: ToolDeps, given: string): Target | undefined {
	const id = given.trim();
	const agentId = parseAgentId(id);
	const record = agentId === undefined ? undefined : deps.agents.get(agentId);
	if (record !== undefined) return { kind: "agent", record };
	const group = deps.groups.list().find((one) => one.groupId === id);
	return group === undefined ? undefined : { kind: "group", group };
}

/** What to say when there is neither: the ids that exist, the latest first. */
export function unknownTarget({ agents, groups }: ToolDeps, id: string): string {
	const problem = `there is no agent "${oneLine(id, 64)}".`;
	const records = agents.list();
	if (records.length === 0) return `${problem} No agent has been started in this session; the Agent tool starts one.`;
	const meant = closest(id, [
		...records.map((record) => record.agentId),
		...groups.list().map((group) => group.groupId),
	]);
	const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
	const known = listed(records, (record) =>
		[record.agentId, `(${statusWithReason(record)}, ${oneLine(record.description, 60)})`].join(" "),
	);
	const together = listed(
		groups.list(),
		(group) => `${group.groupId} (${group.kind}, ${oneLine(group.description, 60)})`,
	);
	return `${problem}${guess} Known agents: ${known}.${together === "" ? "" : ` Known groups: ${together}.`}`;
}

function listed<T>(all: readonly T[], words: (one: T) => string): string {
	const more = all.length - named;
	const latest = all.slice(-named).reverse().map(words).join("; ");
	return more > 0 ? `${latest}; and ${more} older` : latest;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
