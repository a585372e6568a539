import { type ChatReply, type ReplyToolCall, text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, textOf, toolResults } from "../support/chat-request.ts";
import type { ChatHandler, OpenAiServer } from "../support/openai-server.ts";
import type { Pi, PiOptions } from "../support/pi.ts";
import { customMessages, type PiCustomMessage, type PiRecord } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";

/** What a model says, or how it finds out what to say. */
export type Say = ChatReply | ChatHandler;

export interface Delegation {
	readonly server: OpenAiServer;
	readonly pi: Pi;
}

/** A real `pi` with this extension, whose parent model and child model say what the test wants. */
export async function useDelegation(
	{ parent, child }: { readonly parent: Say; readonly child: Say },
	options: PiOptions = {},
): Promise<Delegation> {
	const server = await useOpenAiServer((request, exchange) => {
		const say = request.model === "parent" ? parent : child;
		return typeof say === "function" ? say(request, exchange) : say;
	});
	return { server, pi: usePi({ baseUrl: server.baseUrl, ...options }) };
}

/**
 * A parent that has something to say to each prompt. To tool results it says "noted", and to results of agents that come
 * by themselves "received".
 */
export function answering(script: Readonly<Record<string, Say>>): ChatHandler {
	return (request, exchange) => {
		const news = newUserTexts(request);
		const prompt = news.find((message) => script[message] !== undefined);
		const say = prompt === undefined ? undefined : script[prompt];
		if (say !== undefined) return typeof say === "function" ? say(request, exchange) : say;
		if (news.length === 0) return text("noted");
		if (news.every(isNote)) return text("received");
		throw new Error(`the script has nothing to say to ${JSON.stringify(news)}`);
	};
}

/** The texts of the user-role messages that stand at the request's end. None when it ends in tool results. */
export function newUserTexts(request: ChatRequest): string[] {
	const last = request.messages.findLastIndex((message) => message.role !== "user");
	return request.messages.slice(last + 1).map(textOf);
}

const isNote = (message: string): boolean => /^(?:agent|group)_id: /.test(message);

/** A call of `Agent` whose child is served by the child's model. */
export function agentCall(prompt: string, more: Readonly<Record<string, unknown>> = {}): ReplyToolCall {
	return { name: "Agent", args: { prompt, description: `about ${prompt}`, model: "local/child", ...more } };
}

/** The parent starts agents for these tasks, in the foreground. */
export const delegate = (...tasks: readonly string[]): ChatReply => toolCalls(tasks.map((task) => agentCall(task)));

/** The parent starts agents for these tasks, in the background. */
export const launch = (...tasks: readonly string[]): ChatReply =>
	toolCalls(tasks.map((task) => agentCall(task, { run_in_background: true })));

/** The parent reads its agents, those at these places in the order in which they were started. */
export function read(places: readonly number[], more: Readonly<Record<string, unknown>> = {}): ChatHandler {
	return (request) =>
		toolCalls(
			places.map((place) => ({ name: "get_subagent_result", args: { agent_id: startedIds(request)[place], ...more } })),
		);
}

/** The parent sends its first agent a message. */
export function steer(message: string): ChatHandler {
	return (request) => toolCalls([{ name: "steer_subagent", args: { agent_id: startedIds(request)[0], message } }]);
}

/** The ids of the agents that the conversation tells to have been started, in order. */
export function startedIds(request: ChatRequest): string[] {
	return toolResults(request)
		.filter(({ name }) => name === "Agent")
		.flatMap((result) => agentIdIn(result.text) ?? []);
}

/** The agent that a result or a note is about. */
export function agentIdIn(message: string): string | undefined {
	return /^agent_id: ([\w-]{4,64})$/m.exec(message)?.[1];
}

/** Whether it is the child's first request about this task. */
export function isTask(task: string): (request: ChatRequest) => boolean {
	return (request) => request.model === "child" && newUserTexts(request)[0] === task;
}

/** The results that came to the parent by themselves, in order. */
export function notes(records: readonly PiRecord[]): PiCustomMessage[] {
	return customMessages(records, "subagent-result");
}

/** What a note delivers: `<agent>#<run>` of each of its results. */
export function deliveries(note: PiCustomMessage): readonly string[] {
	return (note.details as { delivery: readonly string[] }).delivery;
}

/** The test itself writes the answers, to the exchanges it gets from the server. */
export const leftToTest: ChatHandler = () => undefined;

/** Waits until that many results have come by themselves, and the session has settled after the last of them. */
export async function untilPublished(rpc: PiRpc, count = 1): Promise<readonly PiCustomMessage[]> {
	await rpc.untilHolds(() => {
		const last = rpc.events.findLastIndex((record) => notes([record]).length > 0);
		const settled = rpc.events.slice(last).some((record) => record.type === "agent_settled");
		return settled && notes(rpc.events).flatMap(deliveries).length >= count;
	}, `${count} published results`);
	return notes(rpc.events);
}

/** What the footer has said about live agents, in order; `undefined` for nothing. */
const footer = (rpc: PiRpc): unknown[] =>
	rpc.events
		.filter((record) => record.method === "setStatus" && record.statusKey === "agents")
		.map((record) => record.statusText);

/** Waits until the footer says that agents are live. */
export async function untilLive(rpc: PiRpc): Promise<void> {
	await rpc.untilHolds(() => footer(rpc).at(-1) !== undefined, "the footer to say that agents are live");
}

/** Waits until the footer says that no agent is live any more. Only after `untilLive`: it does not say so twice. */
export async function untilNoneLive(rpc: PiRpc): Promise<void> {
	await rpc.untilHolds(() => footer(rpc).at(-1) === undefined, "the footer to say that no agent is live");
}

/** Prompts without waiting for the answer, and resolves once the tool has been called. */
export async function promptUntilCall(rpc: PiRpc, message: string, toolName: string): Promise<void> {
	const called = rpc.untilNext(
		(record) => record.type === "tool_execution_start" && record.toolName === toolName,
		`a call of ${toolName}`,
	);
	await rpc.request({ type: "prompt", message });
	await called;
}
