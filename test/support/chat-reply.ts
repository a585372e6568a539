/** Tokens that a reply reports. What is read from the cache is counted apart from `input`, as Pi does. */
export interface ReplyUsage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead?: number;
}

export interface ReplyToolCall {
	readonly name: string;
	readonly args: unknown;
	/** Made up, and unique within the server, where it is left out. */
	readonly id?: string;
}

/** A streamed answer. `finish: undefined` leaves the stream open: it hangs until the client goes or the test ends it. */
export interface StreamReply {
	readonly kind: "stream";
	readonly chunks: readonly string[];
	readonly calls: readonly ReplyToolCall[];
	readonly finish: "stop" | "tool_calls" | "length" | undefined;
	readonly usage?: ReplyUsage;
}

/** An HTTP error in place of a stream. */
export interface ErrorReply {
	readonly kind: "error";
	readonly status: number;
	readonly message: string;
	readonly headers: Readonly<Record<string, string>>;
}

export type ChatReply = StreamReply | ErrorReply;

interface ReplyOptions {
	readonly usage?: ReplyUsage;
	/** Text that goes before tool calls. */
	readonly text?: string;
}

function stream(
	finish: StreamReply["finish"],
	chunks: readonly string[],
	calls: readonly ReplyToolCall[],
	usage: ReplyUsage | undefined,
): StreamReply {
	return { kind: "stream", chunks, calls, finish, ...(usage && { usage }) };
}

/** A whole answer in text; several strings are sent as several chunks. */
export function text(content: string | readonly string[], options: ReplyOptions = {}): StreamReply {
	return stream("stop", typeof content === "string" ? [content] : content, [], options.usage);
}

/** One tool call. */
export function toolCall(
	name: string,
	args: unknown,
	options: ReplyOptions & { readonly id?: string } = {},
): StreamReply {
	return toolCalls([{ name, args, ...(options.id !== undefined && { id: options.id }) }], options);
}

/** Several tool calls in one message. */
export function toolCalls(calls: readonly ReplyToolCall[], options: ReplyOptions = {}): StreamReply {
	return stream("tool_calls", options.text === undefined ? [] : [options.text], calls, options.usage);
}

/** An answer that stops without a word. */
export function empty(options: ReplyOptions = {}): StreamReply {
	return stream("stop", [], [], options.usage);
}

/** An answer cut off at the model's output limit. */
export function truncated(content: string, options: ReplyOptions = {}): StreamReply {
	return stream("length", [content], [], options.usage);
}

/** A stream that says `content` and then stays open. The test ends it with `exchange.finish()`, or the client goes. */
export function hang(content?: string): StreamReply {
	return stream(undefined, content === undefined ? [] : [content], [], undefined);
}

/** An HTTP error. `retryAfter` is in seconds. */
export function failure(status: number, message: string, options: { readonly retryAfter?: number } = {}): ErrorReply {
	const headers = options.retryAfter === undefined ? {} : { "retry-after": String(options.retryAfter) };
	return { kind: "error", status, message, headers };
}
