import {
	type AssistantMessage,
	fauxAssistantMessage,
	fauxToolCall,
	type TranscriptContext,
} from "@earendil-works/pi-ai";

/** The messages of a request to a model. */
export type Conversation = TranscriptContext["messages"];

/** A tool call that has its result. */
export interface AnsweredCall {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly text: string;
	readonly isError: boolean;
}

/** The texts of the user-role messages, in order. What extensions put into the conversation is among them. */
export function userTexts(conversation: Conversation): string[] {
	return conversation.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : []));
}

/** The tool calls that have a result, in the order of the results. */
export function answeredCalls(conversation: Conversation): AnsweredCall[] {
	const args = new Map<string, Record<string, unknown>>();
	const answered: AnsweredCall[] = [];
	for (const message of conversation) {
		if (message.role === "assistant") {
			for (const part of message.content) {
				if (part.type === "toolCall") {
					args.set(part.id, part.arguments);
				}
			}
		} else if (message.role === "toolResult") {
			answered.push({
				tool: message.toolName,
				args: args.get(message.toolCallId) ?? {},
				text: textOf(message.content),
				isError: message.isError,
			});
		}
	}
	return answered;
}

export interface PlannedCall {
	readonly tool: string;
	readonly args: Parameters<typeof fauxToolCall>[1];
}

/** An answer that calls tools. */
export function callTools(...calls: readonly PlannedCall[]): AssistantMessage {
	return fauxAssistantMessage(
		calls.map(({ tool, args }) => fauxToolCall(tool, args)),
		{ stopReason: "toolUse" },
	);
}

/** An answer in words. */
export function say(text: string): AssistantMessage {
	return fauxAssistantMessage(text);
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
	return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}
