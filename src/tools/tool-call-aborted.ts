import type { ToolDetails } from "./details.ts";

/**
 * A call that was aborted, as its host sees it. `cause` is the signal's own reason, the same object; the message is what
 * a result would have said, so that an Esc loses no work.
 */
export class ToolCallAborted extends Error {
	override readonly name = "AbortError";
	readonly details: ToolDetails;

	constructor(reason: unknown, message: string, details: ToolDetails) {
		super(message, { cause: reason });
		this.details = details;
	}
}
