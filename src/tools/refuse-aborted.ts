import { problemDetails } from "./details.ts";
import type { ToolCall } from "./protocol-tool.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";

/** Throws when a call had been aborted before it began. `nothing` says what therefore did not happen. */
export function refuseAborted(call: ToolCall<unknown>, nothing: string): void {
	if (call.signal?.aborted !== true) return;
	const message = `The call was aborted before it began: ${nothing}.`;
	throw new ToolCallAborted(call.signal.reason, message, problemDetails(call.toolCallId, [message]));
}
