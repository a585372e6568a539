import { lastValueFrom } from "rxjs";
import { isSuccess } from "../streams/outcome.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { type AgentPlan, originsText, resumeRequest, spawnRequest } from "./agent-plan.ts";
import { aboutAnswer, problemAnswer, snapshotAnswer, terminalAnswer, withSpend } from "./answers.ts";
import { foregroundHandle } from "./foreground-handle.ts";
import { oneShotLine } from "./one-shot-line.ts";
import type { AgentParams } from "./parameters.ts";
import type { ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { unlessRefused } from "./unless-refused.ts";

/** Starts the one agent of a plan, or goes on with it, and stays with it when that is in the foreground. */
export async function startAgent(deps: ToolDeps, call: ToolCall<AgentParams>, plan: AgentPlan): Promise<ToolAnswer> {
	const spawned = unlessRefused(() => spawnOrResume(deps, plan));
	if (!spawned.ok) return problemAnswer(call.toolCallId, "Nothing was started", [spawned.problem]);
	if (!plan.background) return runForeground(deps, call, plan, spawned.value);
	// An agent that has a slot starts when it is on record: a receipt before that would tell of a line it is not in.
	if (deps.recorded) await deps.recorded();
	return receipt(deps, plan, spawned.value);
}

function spawnOrResume({ agents }: ToolDeps, plan: AgentPlan): AgentRecord {
	return plan.resume === undefined ? agents.spawn(spawnRequest(plan)) : agents.resume(plan.resume, resumeRequest(plan));
}

const itComes =
	"Its result comes by itself as a message when it has ended: do other work or end your turn, and do not sleep or poll. get_subagent_result reads it, and waits with wait: true; steer_subagent sends it a message.";

/** What a background call returns at once. It keeps nothing of the call, its signal least of all. */
function receipt(deps: ToolDeps, plan: AgentPlan, spawned: AgentRecord): ToolAnswer {
	const { effective } = plan.runs[0];
	const record = deps.agents.get(spawned.agentId) ?? spawned;
	const placeInLine = deps.agents.placeInLine(record.agentId);
	const lines = [
		...(placeInLine === undefined ? [] : [`place in line: ${placeInLine}`]),
		...effective.notes.map((note) => `note: ${note}`),
		`set by: ${originsText(effective)}`,
		deps.oneShot?.() ? `${oneShotLine} steer_subagent sends it a message.` : itComes,
	];
	return withSpend(deps, aboutAnswer(deps, record, lines, { placeInLine, notes: effective.notes, isError: false }));
}

async function runForeground(
	deps: ToolDeps,
	call: ToolCall<AgentParams>,
	plan: AgentPlan,
	spawned: AgentRecord,
): Promise<ToolAnswer> {
	const { agents, scheduler } = deps;
	const { agentId } = spawned;
	const { notes } = plan.runs[0].effective;
	// Of this run: by the time that an abort has been heard here, a person may have resumed the agent.
	const completion$ = agents.completion(agentId);
	const show = (record: AgentRecord) => {
		if (!isTerminal(record)) call.update(snapshotAnswer(deps, record, [], { notes }));
	};
	// Once a signal has aborted, nothing is subscribed to any more; should it have happened while the agent was spawned,
	// nobody would stop it. Taking the handle and letting go of it does.
	if (call.signal?.aborted)
		agents
			.foreground(agentId)
			.subscribe({ error: () => undefined })
			.unsubscribe();
	const handle$ = foregroundHandle(agents.foreground(agentId), isTerminal, show, scheduler);
	const ended = await unlessAborted(handle$, call.signal);
	// Letting go of the handle has stopped an aborted run. Its stop is bounded, and what it had written comes with its end.
	const terminal = ended.aborted ? await lastValueFrom(completion$, { defaultValue: undefined }) : ended.value;
	const isError = ended.aborted || terminal === undefined || !isSuccess(terminal.outcome.verdict);
	const answer = terminal
		? await terminalAnswer(deps, terminal, { isError, notes })
		: aboutAnswer(deps, agents.get(agentId) ?? spawned, ["The session ended before the agent did."], {
				notes,
				isError,
			});
	if (ended.aborted) throw new ToolCallAborted(ended.reason, answer.text, answer.details);
	return withSpend(deps, answer);
}
