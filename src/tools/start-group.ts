import { lastValueFrom } from "rxjs";
import type { Group, GroupKind } from "../streams/groups.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "../streams/record.ts";
import { type AgentPlan, groupRequest, originsText } from "./agent-plan.ts";
import { problemAnswer, withSpend } from "./answers.ts";
import { foregroundHandle } from "./foreground-handle.ts";
import { groupProgress, groupReceipt, groupResult, groupSnapshot } from "./group-answers.ts";
import { anySucceeded } from "./group-details.ts";
import { oneShotLine } from "./one-shot-line.ts";
import type { AgentParams } from "./parameters.ts";
import type { ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { unlessRefused } from "./unless-refused.ts";

/** Starts the agents of a plan that belong together, and stays with them when that is in the foreground. */
export async function startGroup(
	deps: ToolDeps,
	call: ToolCall<AgentParams>,
	plan: AgentPlan,
	kind: GroupKind,
): Promise<ToolAnswer> {
	const spawned = unlessRefused(() => deps.groups.spawn(groupRequest(plan, kind, deps.settings().join)));
	if (!spawned.ok) return problemAnswer(call.toolCallId, "Nothing was started", [spawned.problem]);
	if (!plan.background) return runForeground(deps, call, plan, spawned.value);
	// An agent that has a slot starts when it is on record: a receipt before that would tell of a line it is not in.
	if (deps.recorded) await deps.recorded();
	return receipt(deps, plan, spawned.value);
}

/** What a background call returns at once. It keeps nothing of the call, its signal least of all. */
function receipt(deps: ToolDeps, plan: AgentPlan, group: Group): ToolAnswer {
	const come =
		group.join === "group"
			? "All results come as one message when every member has ended"
			: "Each result comes as a message when its member has ended";
	const lines = [
		deps.oneShot?.() ? oneShotLine : `${come}: do other work or end your turn, and do not sleep or poll.`,
		"get_subagent_result takes the group_id, or a member's agent_id; steer_subagent takes a member's agent_id.",
	];
	const runs = plan.runs.map(({ effective }) => ({
		notes: effective.notes,
		lines: [...effective.notes.map((note) => `note: ${note}`), `set by: ${originsText(effective)}`],
	}));
	return withSpend(deps, groupReceipt(deps, group, lines, runs));
}

async function runForeground(
	deps: ToolDeps,
	call: ToolCall<AgentParams>,
	plan: AgentPlan,
	group: Group,
): Promise<ToolAnswer> {
	const { completion$, foreground$ } = group;
	const show = () => {
		if (!group.isOver) call.update(groupProgress(deps, group));
	};
	// Once a signal has aborted, nothing is subscribed to any more; should it have happened while the members were
	// spawned, nobody would stop them. Taking the handle and letting go of it does.
	if (call.signal?.aborted) foreground$.subscribe({ error: () => undefined }).unsubscribe();
	const ended = await unlessAborted(foregroundHandle(foreground$, allEnded, show, deps.scheduler), call.signal);
	// Letting go of the handle has stopped every member. Their stops are bounded, and what they had written comes with them.
	const records = ended.aborted ? await lastValueFrom(completion$, { defaultValue: undefined }) : ended.value;
	const notes = plan.runs.map(({ effective }) => effective.notes);
	const isError = ended.aborted || records === undefined || !anySucceeded(records);
	const answer = records
		? await groupResult(deps, group, { isError, notes })
		: { ...(await groupSnapshot(deps, group, ["The session ended before the group did."])), isError };
	if (ended.aborted) throw new ToolCallAborted(ended.reason, answer.text, answer.details);
	return withSpend(deps, answer);
}

function allEnded(records: readonly AgentRecord[]): records is readonly TerminalRecord[] {
	return records.every(isTerminal);
}
