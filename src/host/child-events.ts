import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import type { RunEvent } from "../streams/run-event.ts";
import { noSpend, type Spend } from "../streams/usage.ts";

/** What a run says while it is under way: all but its end. */
export type LiveEvent = Exclude<RunEvent, { type: "settled" | "closed" }>;

/** A message of a session, the assistant's among them. */
export type ChildMessage = Extract<AgentSessionEvent, { type: "message_end" }>["message"];
export type AssistantMessage = Extract<ChildMessage, { role: "assistant" }>;

/** What a session's event means to the run. Most events mean nothing. Pure. */
export function toRunEvents(event: AgentSessionEvent): readonly LiveEvent[] {
	switch (event.type) {
		case "turn_start":
			return [{ type: "turn_started" }];
		case "turn_end":
			return [{ type: "turn_ended", continues: asksForTools(event.message) }];
		case "message_update": {
			const { assistantMessageEvent: update } = event;
			return [update.type === "text_delta" ? { type: "text_delta", delta: update.delta } : { type: "stirred" }];
		}
		case "tool_execution_update":
			return [{ type: "stirred" }];
		case "message_end":
			return event.message.role === "assistant"
				? [{ type: "message_ended", text: textOf(event.message), spend: toSpend(event.message.usage) }]
				: [];
		case "tool_execution_start":
			return [{ type: "tool_started", toolCallId: event.toolCallId, toolName: event.toolName }];
		case "tool_execution_end": {
			const { toolCallId, toolName, isError } = event;
			// Agents of its own are not counted here: their results carry nothing in an agent's session.
			const usage: AssistantMessage["usage"] | undefined = event.result?.usage;
			const spend = usage === undefined ? {} : { spend: toSpend(usage) };
			return [{ type: "tool_ended", toolCallId, toolName, isError, ...spend }];
		}
		case "auto_retry_start":
			return [{ type: "retrying", attempt: event.attempt, message: event.errorMessage }];
		case "compaction_end":
			return event.result === undefined ? [] : [{ type: "compacted", spend: toSpend(event.result.usage) }];
		default:
			return [];
	}
}

/** The text of an assistant's message, without thinking and tool calls. */
export function textOf(message: AssistantMessage): string {
	return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Whether a message ended because of an error or an abort: the host does not go on from it to another turn. */
export function isBroken(message: ChildMessage): boolean {
	return message.role === "assistant" && (message.stopReason === "error" || message.stopReason === "aborted");
}

function asksForTools(message: ChildMessage): boolean {
	return message.role === "assistant" && !isBroken(message) && message.content.some((part) => part.type === "toolCall");
}

function toSpend(usage: AssistantMessage["usage"] | undefined): Spend {
	if (usage === undefined) {
		return noSpend;
	}
	const { input, output, cacheRead, cacheWrite, cost } = usage;
	return { input, output, cacheRead, cacheWrite, cost: cost.total };
}
