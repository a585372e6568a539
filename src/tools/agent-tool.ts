import { lastValueFrom } from "rxjs";
import { SpawnRefused } from "../streams/agents.ts";
import { isSuccess } from "../streams/outcome.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { agentDescription } from "./agent-description.ts";
import { type AgentRequest, readAgentRequest } from "./agent-request.ts";
import { aboutAnswer, problemAnswer, snapshotAnswer, terminalAnswer, withSpend } from "./answers.ts";
import { depsOfCall } from "./deps-of-call.ts";
import { foldArguments } from "./fold-arguments.ts";
import { foregroundHandle } from "./foreground-handle.ts";
import { oneShotLine } from "./one-shot-line.ts";
import { type AgentParams, agentParameters } from "./parameters.ts";
import type { ProtocolTool, ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { refuseAborted } from "./refuse-aborted.ts";
import { structuredAnswerSchema } from "./structured.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";

type Accepted = Extract<AgentRequest, { ok: true }>;

/** The tool that starts a subagent, in the foreground or in the background. */
export function createAgentTool(deps: ToolDeps): ProtocolTool<typeof agentParameters> {
	return {
		name: "Agent",
		label: "Agent",
		// Asked for at each reading: profiles and settings change while a session lasts.
		get description() {
			return agentDescription(deps.profiles(), deps.settings().backgroundByDefault);
		},
		promptSnippet: "Delegate a task to a subagent",
		promptGuidelines: ["Agent: results of background agents come by themselves; never sleep or poll for them."],
		parameters: agentParameters,
		prepareArguments: (raw) => foldArguments(agentParameters, raw) as AgentParams,
		executionMode: "sequential",
		outputSchema: structuredAnswerSchema,
		run: async (call) => runAgentCall(depsOfCall(deps), call),
	};
}

async function runAgentCall(deps: ToolDeps, call: ToolCall<AgentParams>): Promise<ToolAnswer> {
	refuseAborted(call, "nothing was started");
	const asked = readAgentRequest(deps, call);
	if (!asked.ok) return problemAnswer(call.toolCallId, "Nothing was started", asked.problems);
	const record = spawn(deps, asked);
	if (record instanceof SpawnRefused) return problemAnswer(call.toolCallId, "Nothing was started", [record.message]);
	return asked.request.background ? receipt(deps, asked, record) : runForeground(deps, call, asked, record);
}

function spawn(deps: ToolDeps, asked: Accepted): AgentRecord | SpawnRefused {
	try {
		return deps.agents.spawn(asked.request);
	} catch (error) {
		if (error instanceof SpawnRefused) return error;
		throw error;
	}
}

const itComes =
	"Its result comes by itself as a message when it has ended: do other work or end your turn, and do not sleep or poll. get_subagent_result reads it, and waits with wait: true; steer_subagent sends it a message.";

/** What a background call returns at once. It keeps nothing of the call, its signal least of all. */
function receipt(deps: ToolDeps, asked: Accepted, spawned: AgentRecord): ToolAnswer {
	const record = deps.agents.get(spawned.agentId) ?? spawned;
	const placeInLine = deps.agents.placeInLine(record.agentId);
	const lines = [
		...(placeInLine === undefined ? [] : [`place in line: ${placeInLine}`]),
		...asked.notes.map((note) => `note: ${note}`),
		`set by: ${asked.origins}`,
		deps.oneShot?.() ? `${oneShotLine} steer_subagent sends it a message.` : itComes,
	];
	return withSpend(deps, aboutAnswer(deps, record, lines, { placeInLine, notes: asked.notes, isError: false }));
}

async function runForeground(
	deps: ToolDeps,
	call: ToolCall<AgentParams>,
	asked: Accepted,
	spawned: AgentRecord,
): Promise<ToolAnswer> {
	const { agents, scheduler } = deps;
	const { agentId } = spawned;
	const { notes } = asked;
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
	const ended = await unlessAborted(foregroundHandle(agents, agentId, show, scheduler), call.signal);
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
