import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ChatReply, ReplyToolCall, ReplyUsage } from "./chat-reply.ts";
import { type ChatRequest, textOf } from "./chat-request.ts";
import { createGate } from "./gate.ts";

/** How an exchange stands: `open` until one of the three ends. */
export type ExchangeState = "open" | "finished" | "closed by client" | "closed by server";

/** One request and the answer to it. A handler may write by hand instead of returning a whole reply. */
export interface ChatExchange {
	/** The place of this request among all, from 0, in order of arrival. */
	readonly index: number;
	readonly request: ChatRequest;
	readonly headers: IncomingHttpHeaders;
	readonly state: ExchangeState;
	/** The state in which it ended. */
	readonly ended: Promise<Exclude<ExchangeState, "open">>;
	/** Aborts when the client leaves before the end, and when the server is closed. */
	readonly signal: AbortSignal;
	/** Sends the headers and an opening chunk, so that the client has seen the first byte. */
	open(): void;
	/** Sends a chunk of text. Ignored once the exchange has ended. */
	write(content: string): void;
	/** Sends a whole tool call. */
	writeToolCall(call: ReplyToolCall): void;
	/** Ends the stream; by default with `tool_calls` where some were written, else `stop`. Ignored once it has ended. */
	finish(reason?: "stop" | "tool_calls" | "length", usage?: ReplyUsage): void;
	/** Plays a reply. */
	play(reply: ChatReply): void;
	/** Cuts the connection, as a crashing provider does. */
	cut(): void;
}

export interface ExchangeInput {
	readonly index: number;
	readonly request: ChatRequest;
	readonly headers: IncomingHttpHeaders;
	readonly response: ServerResponse;
	readonly onEnd: (state: Exclude<ExchangeState, "open">) => void;
}

/** Serves one request over `response`, in server-sent events. */
export function createExchange({ index, request, headers, response, onEnd }: ExchangeInput): ChatExchange {
	const ending = createGate<Exclude<ExchangeState, "open">>();
	const controller = new AbortController();
	let state: ExchangeState = "open";
	let callsWritten = 0;
	let charactersWritten = 0;

	function end(next: Exclude<ExchangeState, "open">): void {
		if (state !== "open") {
			return;
		}
		state = next;
		if (next !== "finished") {
			controller.abort(new Error(next));
		}
		onEnd(next);
		ending.open(next);
	}
	// `close` comes after `finish` as well; then the state is already "finished".
	response.on("close", () => end("closed by client"));

	function send(fields: Record<string, unknown>): void {
		const chunk = { id: `chat-${index}`, object: "chat.completion.chunk", created: 0, model: request.model, ...fields };
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	}

	function delta(content: Record<string, unknown>): void {
		if (state === "open") {
			open();
			send({ choices: [{ index: 0, delta: content, finish_reason: null }] });
		}
	}

	function open(): void {
		if (state === "open" && !response.headersSent) {
			response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
			send({ choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }] });
		}
	}

	function write(content: string): void {
		charactersWritten += content.length;
		delta({ content });
	}

	function writeToolCall({ name, args, id = `call_${index}_${callsWritten}` }: ReplyToolCall): void {
		const body = typeof args === "string" ? args : JSON.stringify(args);
		charactersWritten += body.length;
		delta({ tool_calls: [{ index: callsWritten, id, type: "function", function: { name, arguments: body } }] });
		callsWritten += 1;
	}

	function finish(
		reason: "stop" | "tool_calls" | "length" = callsWritten > 0 ? "tool_calls" : "stop",
		usage?: ReplyUsage,
	) {
		if (state !== "open") {
			return;
		}
		open();
		send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
		send({ choices: [], usage: wireUsage(usage ?? estimate(request, charactersWritten)) });
		// Before the last byte leaves: what a test does on this event cannot come after the client's next request.
		end("finished");
		response.end("data: [DONE]\n\n");
	}

	function play(reply: ChatReply): void {
		if (state !== "open") {
			return;
		}
		if (reply.kind === "error") {
			end("finished");
			response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
			response.end(JSON.stringify({ error: { message: reply.message, type: "server_error", code: reply.status } }));
			return;
		}
		open();
		reply.chunks.forEach(write);
		reply.calls.forEach(writeToolCall);
		if (reply.finish) {
			finish(reply.finish, reply.usage);
		}
	}

	function cut(): void {
		end("closed by server");
		response.destroy();
	}

	return {
		index,
		request,
		headers,
		get state() {
			return state;
		},
		ended: ending.opened,
		signal: controller.signal,
		open,
		write,
		writeToolCall,
		finish,
		play,
		cut,
	};
}

/** Four characters to a token, as a rough model would count. */
function estimate(request: ChatRequest, written: number): ReplyUsage {
	const read = request.messages.reduce((sum, message) => sum + textOf(message).length, 0);
	return { input: Math.ceil(read / 4), output: Math.ceil(written / 4) };
}

function wireUsage({ input, output, cacheRead = 0 }: ReplyUsage): Record<string, unknown> {
	return {
		prompt_tokens: input + cacheRead,
		completion_tokens: output,
		total_tokens: input + cacheRead + output,
		prompt_tokens_details: { cached_tokens: cacheRead },
	};
}
