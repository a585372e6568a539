import { takeUntil, timer } from "rxjs";
import type { Reading } from "../streams/agents.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { aboutAnswer, publishedLine, snapshotAnswer, terminalAnswer, verboseText, withSpend } from "./answers.ts";
import { depsOfCall } from "./deps-of-call.ts";
import { readTarget } from "./find-target.ts";
import { foldArguments } from "./fold-arguments.ts";
import { oneShotLine } from "./one-shot-line.ts";
import { type ResultParams, resultParameters } from "./parameters.ts";
import type { ProtocolTool, ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { readGroup } from "./read-group.ts";
import { structuredAnswerSchema } from "./structured.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { waitSeconds } from "./wait-seconds.ts";

const description = [
	"Reads a subagent, or a whole group by group_id.",
	"Without wait: at once; a snapshot while it is queued or running.",
	"wait: blocks until it has ended, queued time included; after timeout_s a snapshot, and the subagent goes on. Aborting ends only the wait.",
	"Reading a finished result consumes it: it does not come as a message any more.",
].join(" ");

const itGoes = "Its result goes to the call that started it.";

/** The tool that reads a subagent, and waits for it when asked to. */
export function createGetSubagentResultTool(deps: ToolDeps): ProtocolTool<typeof resultParameters> {
	return {
		name: "get_subagent_result",
		label: "Subagent result",
		description,
		promptSnippet: "Read or await a subagent",
		parameters: resultParameters,
		prepareArguments: (raw) => foldArguments(resultParameters, raw) as ResultParams,
		outputSchema: structuredAnswerSchema,
		run: async (call) => readResult(depsOfCall(deps), call),
	};
}

async function readResult(deps: ToolDeps, call: ToolCall<ResultParams>): Promise<ToolAnswer> {
	const read = readTarget(deps, call, resultParameters, "nothing was read");
	if (!read.ok) return read.answer;
	const { target } = read;
	if (target.kind === "group") return readGroup(deps, call, target.group);
	if (isTerminal(target.record) || call.params.wait === true) return claimResult(deps, call, target.record);
	return withSpend(deps, await snapshot(deps, call, target.record, []));
}

/** Nothing is awaited before the claim stands: a result that comes meanwhile would go out a second time. */
async function claimResult(deps: ToolDeps, call: ToolCall<ResultParams>, asked: AgentRecord): Promise<ToolAnswer> {
	const { agents, scheduler } = deps;
	// A result that is there is had at once, or else it is just being published, and waiting here could hold that up.
	const seconds = isTerminal(asked) ? 0 : waitSeconds(deps, call.params);
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
	return aboutAnswer(deps, record, [publishedLine], { published, isError: false });
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
	const next = record.background ? (oneShot ? oneShotLine : itComes(deps, record)) : itGoes;
	const more = call.params.verbose === true ? [await verboseText(deps, record)] : [];
	return snapshotAnswer(deps, record, [...lines, next, ...more]);
}

function itComes({ groups }: ToolDeps, { agentId, run }: AgentRecord): string {
	const group = groups.of(agentId);
	const together =
		group?.join === "group" && group.members.some(({ record }) => record.agentId === agentId && record.run === run);
	const when = together
		? `with those of its group, ${group.groupId}, when all members have ended`
		: "when it has ended";
	return `Its result comes by itself as a message ${when}; wait: true waits for it here.`;
}
