import type { Static, TSchema } from "@sinclair/typebox";
import { type AgentId, type Groups, type OwnAgents, runKey, toToolCallId } from "../../src/streams/index.ts";
import type { ProtocolTool, ToolAnswer } from "../../src/tools/index.ts";
import type { CallBook, CallFacts } from "./call-book.ts";
import { paramsOf } from "./call-params.ts";
import type { Call } from "./script.ts";
import type { SimulatedSession } from "./simulated-session.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What a host knows when the model asks for a tool. */
export interface CallingHost {
	readonly clock: VirtualClock;
	readonly calls: CallBook;
	readonly tools: Readonly<Record<Call["tool"], ProtocolTool<TSchema>>>;
	/** Says which call is being made, for as long as `act` runs. */
	during(facts: CallFacts, act: () => void): void;
}

/** Who calls: the session itself, or an agent of it, with the agents and groups that it has started. */
export interface Caller {
	readonly session: SimulatedSession;
	readonly by: AgentId | undefined;
	readonly agents: OwnAgents;
	readonly groups: Groups;
}

/** The agent that a call means, counted back from the newest; one that does not exist when there is none. */
export function meantAgent(agents: Pick<OwnAgents, "list">, back: number): string {
	const records = agents.list();
	return records[records.length - 1 - (back % records.length)]?.agentId ?? "nobody";
}

/** Makes one call as the host does, and tells when it has ended. */
export function makeCall(
	host: CallingHost,
	caller: Caller,
	call: Call,
	number: number,
	aborted: boolean,
	done: () => void,
): void {
	const { clock, calls } = host;
	const { session, by } = caller;
	const id = `call${number}`;
	const agentId = call.tool === "Agent" ? "" : meantAgent(caller.agents, call.agent);
	const known = session.book.current(agentId);
	const group =
		call.tool === "get_subagent_result" && call.group && known ? caller.groups.of(known.agentId) : undefined;
	const asked = group ? group.members.map((member) => session.book.runs.get(runKey(member.agentId, 1))) : [known];
	const facts: CallFacts = {
		id,
		call: aborted ? { ...call, abort: "before" } : call,
		session,
		by,
		controller: new AbortController(),
		begunAt: clock.scheduler.now(),
		runs: [],
		publishedBefore: new Set(
			asked.flatMap((one) => (one?.publishable?.claim.state.kind === "committed" ? [one.key] : [])),
		),
		abortedAfterEnd: false,
		claimedEarly: false,
		lastUpdate: Number.NEGATIVE_INFINITY,
		ended: false,
	};
	calls.begin(facts);
	if (facts.call.abort === "before") calls.abort(facts);
	else if (typeof call.abort === "number") clock.after(call.abort, () => calls.abort(facts));

	const tool = host.tools[call.tool];
	const params = prepare(tool, paramsOf(call, id, group?.groupId ?? agentId, number));
	const end = (answer: ToolAnswer | undefined, error?: unknown): void => {
		if (answer === undefined) calls.rejected(facts, error);
		else calls.answered(facts, answer);
		done();
	};
	const update = (): void => {
		calls.update(facts);
		if (call.abort === "update") calls.abort(facts);
		if (call.tool === "Agent" && call.updates === "throw") throw new Error("the host does not draw");
	};
	host.during(facts, () => {
		const promise = tool.run({ toolCallId: toToolCallId(id), params, signal: facts.controller.signal, update });
		promise.then(
			(answer) => end(answer),
			(error: unknown) => end(undefined, error),
		);
	});
}

function prepare(tool: ProtocolTool<TSchema>, raw: unknown): Static<TSchema> {
	return tool.prepareArguments === undefined ? raw : tool.prepareArguments(raw);
}
