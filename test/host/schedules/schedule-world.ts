import type { Prng } from "../../simulation/prng.ts";
import type { ChatExchange } from "../../support/chat-exchange.ts";
import { type ChatRequest, userTexts } from "../../support/chat-request.ts";
import type { OpenAiServer } from "../../support/openai-server.ts";
import type { PiRecord } from "../../support/pi-record.ts";
import type { PiRpc } from "../../support/pi-rpc.ts";

/** A run that a call of `Agent` has started. Each has a prompt of its own, by which its requests are known. */
export interface StartedRun {
	readonly prompt: string;
	readonly agentId: string;
	readonly background: boolean;
}

/** A schedule under way: what it is played on, what it has done, and what can be seen of it now. */
export interface ScheduleWorld {
	readonly rpc: PiRpc;
	readonly server: OpenAiServer;
	readonly prng: Prng;
	/** What was done, a line each, so that a failure can be read. */
	readonly log: string[];
	/** What each run's model said last, by the run's prompt: a text that occurs nowhere else. */
	readonly answers: Map<string, string>;
	/** A name that has not been used yet. */
	fresh(kind: "task" | "again" | "answer" | "word"): string;
	/** The parent's request that waits for an answer. */
	parentAsks(): ChatExchange | undefined;
	/** The requests of agents that wait for an answer. */
	childrenAsk(): readonly ChatExchange[];
	/** Every run that was really started, in order. */
	runs(): readonly StartedRun[];
	idle(): boolean;
	/**
	 * Waits until nothing more happens by itself, as far as that can be seen: the parent's model is asked, the parent is
	 * idle, or all of its calls wait for agents. What happens a step later only makes the next move a race.
	 */
	quiet(): Promise<void>;
}

/** A prompt, behind those that the agent's earlier runs were given and never heard: a resume says them again. */
const runPrompt = /^(?:(?:task|again)-\d{4}\n\n)*((?:task|again)-\d{4})$/;

/** The prompt of the run that this request belongs to. */
export function promptOf(request: ChatRequest): string {
	const prompts = userTexts(request).flatMap((message) => runPrompt.exec(message)?.[1] ?? []);
	return prompts.at(-1) ?? "";
}

export function createScheduleWorld(server: OpenAiServer, rpc: PiRpc, prng: Prng, log: string[]): ScheduleWorld {
	let names = 0;
	const open = (model: string) =>
		server.exchanges.filter((exchange) => exchange.state === "open" && exchange.request.model === model);
	const parentAsks = () => open("parent")[0];
	const idle = () => isIdle(rpc.events);

	function allWait(): boolean {
		const calls = callsUnderWay(rpc.events);
		return calls.length > 0 && calls.every(isBlocking);
	}

	async function quiet(): Promise<void> {
		// Answered behind everything that was sent before.
		await rpc.request({ type: "get_state" });
		const isQuiet = () => parentAsks() !== undefined || idle() || allWait();
		await Promise.race([rpc.untilHolds(isQuiet, "quiet"), server.until(isQuiet, "quiet")]);
	}

	return {
		rpc,
		server,
		prng,
		log,
		answers: new Map(),
		fresh: (kind) => {
			names += 1;
			return `${kind}-${String(names).padStart(4, "0")}`;
		},
		parentAsks,
		childrenAsk: () => open("child"),
		runs: () => startedRuns(rpc.events),
		idle,
		quiet,
	};
}

/** The calls of the latest turn that have begun and not ended. What a turn before left unended is over. */
function callsUnderWay(events: readonly PiRecord[]): PiRecord[] {
	const turn = events.slice(events.findLastIndex(({ type }) => type === "turn_start") + 1);
	const ended = new Set(turn.flatMap((event) => (event.type === "tool_execution_end" ? [event.toolCallId] : [])));
	return turn.filter(({ type, toolCallId }) => type === "tool_execution_start" && !ended.has(toolCallId));
}

/**
 * Whether the last run has settled, and none has begun since the host was last asked: a prompt that was taken shows there
 * before its run begins. The end of a run alone is not enough. When two messages begin their runs at once, the host
 * refuses one and says of it that it has settled, while the other's run goes on.
 */
function isIdle(events: readonly PiRecord[]): boolean {
	const settled = events.findLastIndex(({ type }) => type === "agent_settled");
	const runs = events.slice(0, Math.max(0, settled));
	if (runs.findLast(({ type }) => type === "agent_start" || type === "agent_end")?.type === "agent_start") return false;
	const since = events.slice(settled + 1);
	const asked = since.findLast(({ type, command }) => type === "response" && command === "get_state");
	return argument(asked?.data, "isStreaming") !== true && !since.some(({ type }) => type === "agent_start");
}

function isBlocking({ toolName, args }: PiRecord): boolean {
	if (toolName === "get_subagent_result") return argument(args, "wait") === true;
	return toolName === "Agent" && argument(args, "run_in_background") !== true;
}

function startedRuns(events: readonly PiRecord[]): StartedRun[] {
	const begun = new Map(
		events.flatMap(({ type, toolCallId, args }) => (type === "tool_execution_start" ? [[toolCallId, args]] : [])),
	);
	return events.flatMap(({ type, toolName, toolCallId, result }) => {
		if (type !== "tool_execution_end" || toolName !== "Agent") return [];
		const agentId = argument(result?.details, "agent_id");
		const args = begun.get(toolCallId);
		const prompt = argument(args, "prompt");
		if (typeof agentId !== "string" || typeof prompt !== "string") return [];
		return [{ prompt, agentId, background: argument(args, "run_in_background") === true }];
	});
}

function argument(args: unknown, name: string): unknown {
	return typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
}
