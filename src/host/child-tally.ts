import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import { type AssistantMessage, textOf } from "./child-events.ts";

/**
 * What the messages of one run have come to so far. Kept from the run's own events, because the session's state also
 * has the messages of earlier runs, and loses some to compaction.
 */
export interface RunTally {
	/** Whether the host began a run at all. */
	readonly started: boolean;
	/** Whether the host has said that nothing more will happen. */
	readonly settled: boolean;
	/** The last message of the assistant that came to its end. */
	readonly last?: Pick<AssistantMessage, "stopReason" | "errorMessage"> & { readonly text: string };
	/** The last text of the run that was not empty. */
	readonly lastText: string;
	/** The text so far of the message that is being written. */
	readonly writing: string;
	/** Whether a shell command was run, which may leave processes. */
	readonly usedShell?: boolean;
}

const shells: ReadonlySet<string> = new Set(["bash", "powershell"]);

export const emptyTally: RunTally = { started: false, settled: false, lastText: "", writing: "" };

/** The tally after an event. Pure. */
export function tallyEvent(tally: RunTally, event: AgentSessionEvent): RunTally {
	switch (event.type) {
		case "agent_start":
			return { ...tally, started: true, settled: false };
		case "agent_settled":
			return { ...tally, settled: true };
		case "message_start":
		case "message_update":
			return event.message.role === "assistant" ? { ...tally, writing: textOf(event.message) } : tally;
		case "message_end":
			return event.message.role === "assistant" ? endMessage(tally, event.message) : tally;
		case "tool_execution_start":
			return shells.has(event.toolName) ? { ...tally, usedShell: true } : tally;
		default:
			return tally;
	}
}

function endMessage(tally: RunTally, message: AssistantMessage): RunTally {
	const text = textOf(message);
	const { stopReason, errorMessage } = message;
	return {
		...tally,
		last: { text, stopReason, ...(errorMessage === undefined ? {} : { errorMessage }) },
		lastText: hasText(text) ? text : tally.lastText,
		writing: "",
	};
}

export function hasText(text: string): boolean {
	return text.trim() !== "";
}
