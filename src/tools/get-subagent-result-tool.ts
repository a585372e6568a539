import { takeUntil, timer } from "rxjs";
import type { Reading } from "../streams/agents.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { aboutAnswer, problemAnswer, snapshotAnswer, terminalAnswer, verboseText, withSpend } from "./answers.ts";
import { checkParams } from "./check-params.ts";
import { depsOfCall } from "./deps-of-call.ts";
import { findAgent } from "./find-agent.ts";
import { foldArguments } from "./fold-arguments.ts";
import { oneShotLine } from "./one-shot-line.ts";
import { type ResultParams, resultParameters } from "./parameters.ts";
import type { ProtocolTool, ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { refuseAborted } from "./refuse-aborted.ts";
import { structuredAnswerSchema } from "./structured.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";

const description = [
	"Reads a subagent by agent_id, whatever its status.",
	"Without wait: at once; while it is queued or running a snapshot (place in line, or current tool, seconds silent, last text).",
	"wait: blocks until it has ended, queued time included; after timeout_s returns a snapshot and the subagent goes on. Aborting ends only the wait.",
	"A finished result is consumed by reading: it does not come as a message any more.",
].join(" ");

const itComes = "Its result comes by itself as a message when it has ended; wait: true waits for it here.";

/** A timer of 2 ** 31 milliseconds or more fires at once; nobody waits for 24 days. */
const longestWait = Math.floor((2 ** 31 - 1) / 1_000);

/** The tool that reads a subagent, and waits for it when asked to. */
export function createGetSubagentResultTool(deps: ToolDeps): ProtocolTool<typeof resultParameters> {
	return {
		name: "get_subagent_result",
		label: "Subagent result",
		description,
		promptSnippet: "Read a subagent's status or result",
		parameters: resultParameters,
		prepareArguments: (raw) => foldArguments(resultParameters, raw) as ResultParams,
		outputSchema: structuredAnswerSchema,
		run: async (call) => readResult(depsOfCall(deps), call),
	};
}

async function readResult(deps: ToolDeps, call: ToolCall<ResultParams>): Promise<ToolAnswer> {
	refuseAborted(call, "nothing was read");
	const problems = checkParams(resultParameters, call.params).map((problem) => problem.text);
	if (problems.length > 0) return problemAnswer(call.toolCallId, "Nothing was read", problems);
	const found = findAgent(deps.agents, call.params.agent_id);
	if (!found.ok) return problemAnswer(call.toolCallId, "Nothing was read", [found.problem]);
	if (isTerminal(found.record) || call.params.wait === true) return claimResult(deps, call, found.record);
	return withSpend(deps, await snapshot(deps, call, found.record, []));
}

/** Nothing is awaited before the claim stands: a result that comes meanwhile would go out a second time. */
async function claimResult(deps: ToolDeps, call: ToolCall<ResultParams>, asked: AgentRecord): Promise<ToolAnswer> {
	const { agents, scheduler } = deps;
	// A result that is there is had at once, or else it is just being published, and waiting here could hold that up.
	const wanted = isTerminal(asked) ? 0 : (call.params.timeout_s ?? deps.settings().waitTimeoutSeconds);
	const seconds = Math.min(wanted, longestWait);
	const timeout$ = timer(seconds * 1_000, scheduler);
	const reading$ = agents.claim(asked.agentId).pipe(takeUntil(timeout$));
	const read = await unlessAborted(reading$, call.signal);
	if (!read.aborted && read.value !== undefined) return withSpend(deps, await reading(deps, call, read.value));
	const record = agents.get(asked.agentId) ?? asked;
	if (read.aborted) {
		const line = "The wait was aborted. That did not stop the agent.";
		const { text, details } = await snapshot(deps, call, record, [line]);
		throw new ToolCallAborted(read.reason, text, details);
	}
	// A result that was there and could not be had; of the run that was asked about, whatever the agent does now.
	if (isTerminal(asked)) return withSpend(deps, await reading(deps, call, { record: asked, published: true }));
	// It ended in the instant in which the time was over: a result that is still there is read all the same.
	if (isTerminal(record)) return claimResult(deps, call, record);
	const over = `The wait was over after ${seconds}s. The agent goes on.`;
	return withSpend(deps, await snapshot(deps, call, record, [over]));
}

/** A result that this call has consumed. Reading is a normal answer, whatever came of the agent. */
async function reading(deps: ToolDeps, call: ToolCall<ResultParams>, read: Reading): Promise<ToolAnswer> {
	const { record, published } = read;
	if (call.params.verbose === true) {
		const verbose = await verboseText(deps, record);
		return terminalAnswer(deps, record, { isError: false, published, verbose });
	}
	if (!published) return terminalAnswer(deps, record, { isError: false, published });
	const lines = [
		"This result is published: it stands in the conversation, or comes next, as a subagent-result message with this agent_id. verbose: true repeats it here.",
	];
	return aboutAnswer(deps, record, lines, { published, isError: false });
}

async function snapshot(
	deps: ToolDeps,
	call: ToolCall<ResultParams>,
	record: AgentRecord,
	lines: readonly string[],
): Promise<ToolAnswer> {
	const oneShot = deps.oneShot?.() ?? false;
	if (isTerminal(record)) {
		const otherwise = oneShot ? " before you answer." : ", or it comes by itself.";
		const ended = `It has ended meanwhile, and its result is not lost: read it again${otherwise}`;
		return aboutAnswer(deps, record, [...lines, ended], { isError: false });
	}
	const next = record.background ? (oneShot ? oneShotLine : itComes) : "Its result goes to the call that started it.";
	const more = call.params.verbose === true ? [await verboseText(deps, record)] : [];
	return snapshotAnswer(deps, record, [...lines, next, ...more]);
}
