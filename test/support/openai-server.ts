import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatExchange, createExchange, type ExchangeState } from "./chat-exchange.ts";
import { type ChatReply, failure } from "./chat-reply.ts";
import type { ChatRequest } from "./chat-request.ts";
import { createWatcher } from "./watcher.ts";

/**
 * Decides the answer to one request by looking at it. It may return a reply, or write to the exchange by itself and
 * return nothing. What it throws is answered with a 400 (which Pi does not retry) and fails `close`.
 */
export type ChatHandler = (
	request: ChatRequest,
	exchange: ChatExchange,
) => ChatReply | undefined | Promise<ChatReply | undefined>;

/** What happened, in time order. */
export interface ServerEvent {
	readonly type: "request" | Exclude<ExchangeState, "open">;
	readonly exchange: ChatExchange;
}

/** A scripted model behind the OpenAI chat-completions protocol, on a free port of the loopback. */
export interface OpenAiServer {
	/** Ends in `/v1`. */
	readonly baseUrl: string;
	/** Every exchange, in order of arrival. */
	readonly exchanges: readonly ChatExchange[];
	/** Every request's body, in order of arrival. */
	readonly requests: readonly ChatRequest[];
	readonly log: readonly ServerEvent[];
	/** The requests whose body names that model. */
	requestsOf(model: string): ChatRequest[];
	/** How many exchanges are open now, of all models or of one. */
	openNow(model?: string): number;
	/** The most that were ever open at once, of all models or of one. */
	mostOpen(model?: string): number;
	/** Replaces the handler for the requests to come. */
	answer(handler: ChatHandler): void;
	/** The first truthy answer of `condition`, asked now and whenever the log grows. */
	until<T>(condition: () => T | undefined | null | false, what?: string): Promise<T>;
	/** The first exchange that satisfies `predicate` among those that come after this call. */
	nextRequest(predicate?: (request: ChatRequest) => boolean): Promise<ChatExchange>;
	/** The first exchange that satisfies `predicate`, past or to come. */
	anyRequest(predicate: (request: ChatRequest) => boolean): Promise<ChatExchange>;
	/** Waits until no exchange is open. Rejects as `close` does. */
	atRest(): Promise<void>;
	/** Forgets everything that has come. */
	forget(): void;
	/** Destroys all connections and stops listening. Rejects when a handler threw or a request was not understood. */
	close(): Promise<void>;
}

/** Starts a server and leaves closing it to the caller; in a test, use `useOpenAiServer`. */
export async function startOpenAiServer(initialHandler: ChatHandler): Promise<OpenAiServer> {
	const watcher = createWatcher();
	const exchanges: ChatExchange[] = [];
	const log: ServerEvent[] = [];
	const errors: unknown[] = [];
	const most = new Map<string | undefined, number>();
	let handler = initialHandler;

	function openNow(model?: string): number {
		return exchanges.filter(
			(exchange) => exchange.state === "open" && (model === undefined || exchange.request.model === model),
		).length;
	}

	function record(event: ServerEvent): void {
		log.push(event);
		for (const key of [undefined, event.exchange.request.model]) {
			most.set(key, Math.max(most.get(key) ?? 0, openNow(key)));
		}
		watcher.notify();
	}

	async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await readChatRequest(message);
		const exchange: ChatExchange = createExchange({
			index: exchanges.length,
			request,
			headers: message.headers,
			response,
			onEnd: (type) => record({ type, exchange }),
		});
		exchanges.push(exchange);
		record({ type: "request", exchange });
		try {
			const reply = await handler(request, exchange);
			if (reply) {
				exchange.play(reply);
			}
		} catch (error) {
			errors.push(error);
			if (response.headersSent) {
				exchange.cut();
			} else {
				exchange.play(failure(400, `the scripted model failed: ${String(error)}`));
			}
		}
	}

	const server = createServer((message, response) => {
		serve(message, response).catch((error: unknown) => {
			// A client that was killed while it sent its body asked nothing.
			if (message.complete) {
				errors.push(error);
				response.writeHead(400).end(String(error));
			}
		});
	});
	// A client that a busy machine has slowed down must not find a kept connection closed under its next request.
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});

	async function close(): Promise<void> {
		exchanges.forEach((exchange) => {
			if (exchange.state === "open") {
				exchange.cut();
			}
		});
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
		watcher.close("the model server was closed");
		throwErrors();
	}

	async function atRest(): Promise<void> {
		await watcher.until(() => openNow() === 0, "every request to end");
		throwErrors();
	}

	function forget(): void {
		exchanges.length = 0;
		log.length = 0;
		most.clear();
	}

	function throwErrors(): void {
		const found = errors.splice(0);
		if (found.length > 0) {
			throw new AggregateError(found, `the scripted model failed: ${found.map(String).join("; ")}`);
		}
	}

	function find(from: number, predicate: (request: ChatRequest) => boolean): Promise<ChatExchange> {
		return watcher.until(
			() => exchanges.slice(from).find((exchange) => predicate(exchange.request)),
			`a request that satisfies ${predicate}`,
		);
	}

	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		exchanges,
		get requests() {
			return exchanges.map((exchange) => exchange.request);
		},
		log,
		requestsOf: (model) => exchanges.map((exchange) => exchange.request).filter((request) => request.model === model),
		openNow,
		mostOpen: (model) => most.get(model) ?? 0,
		answer(next) {
			handler = next;
		},
		until: watcher.until,
		nextRequest: (predicate = () => true) => find(exchanges.length, predicate),
		anyRequest: (predicate) => find(0, predicate),
		atRest,
		forget,
		close,
	};
}

async function readChatRequest(message: IncomingMessage): Promise<ChatRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) {
		chunks.push(chunk as Buffer);
	}
	if (message.method !== "POST" || message.url !== "/v1/chat/completions") {
		throw new Error(`unexpected request ${message.method} ${message.url}`);
	}
	const request = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest;
	if (request.stream !== true) {
		throw new Error("only streaming requests are served");
	}
	return request;
}
