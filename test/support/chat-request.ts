/** A message as the OpenAI chat-completions protocol carries it. */
export interface ChatMessage {
	readonly role: "system" | "developer" | "user" | "assistant" | "tool";
	readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[];
	readonly tool_calls?: readonly ChatToolCall[];
	readonly tool_call_id?: string;
}

export interface ChatToolCall {
	readonly id: string;
	readonly function: { readonly name: string; readonly arguments: string };
}

/** The body of a request, as Pi's `openai-completions` API sends it. */
export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly ChatMessage[];
	readonly tools?: readonly {
		readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
	}[];
	readonly stream?: boolean;
	readonly [other: string]: unknown;
}

/** A tool result in a request, with the call that it answers. */
export interface ChatToolResult {
	readonly id: string;
	readonly name: string;
	readonly args: unknown;
	readonly text: string;
}

/** A message's text, its parts joined. */
export function textOf(message: ChatMessage | undefined): string {
	const content = message?.content ?? "";
	return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

/** The text of the last message of that role, or "" where there is none. */
export function lastText(request: ChatRequest, role: ChatMessage["role"]): string {
	return textOf(request.messages.findLast((message) => message.role === role));
}

/** The texts of all user-role messages, in order. Custom messages of extensions are among them. */
export function userTexts(request: ChatRequest): string[] {
	return request.messages.filter((message) => message.role === "user").map(textOf);
}

/** The system prompt, whichever role carries it. */
export function systemText(request: ChatRequest): string {
	return request.messages
		.filter((message) => message.role === "system" || message.role === "developer")
		.map(textOf)
		.join("\n");
}

/** All tool results of the conversation, in order, each with its call's name and arguments. */
export function toolResults(request: ChatRequest): ChatToolResult[] {
	const calls = new Map(
		request.messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function]),
	);
	return request.messages
		.filter((message) => message.role === "tool")
		.map((message) => {
			const id = message.tool_call_id ?? "";
			const call = calls.get(id);
			return { id, name: call?.name ?? "", args: call && JSON.parse(call.arguments), text: textOf(message) };
		});
}

/**
 * The tool results since the last assistant message. A user message may stand behind them: one that steered, or the
 * next prompt after an abort.
 */
export function freshToolResults(request: ChatRequest): ChatToolResult[] {
	const lastAssistant = request.messages.findLastIndex((message) => message.role === "assistant");
	const fresh = new Set(request.messages.slice(lastAssistant + 1).map((message) => message.tool_call_id));
	return toolResults(request).filter((result) => fresh.has(result.id));
}

/** The names of the tools that the model is offered, in order. */
export function toolNames(request: ChatRequest): string[] {
	return (request.tools ?? []).map((tool) => tool.function.name);
}
