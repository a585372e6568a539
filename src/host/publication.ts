import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Outbox } from "../streams/index.ts";
import type { HostFeatures } from "./host-features.ts";
import { onSettled, stopReason } from "./parent-events.ts";
import { noteMessage } from "./parent-port.ts";

/**
 * Offers the outbox at each moment at which the host takes messages, and settles afterwards what has arrived. Registered
 * once per load; `outbox` gives the current session's, or `undefined` between sessions.
 */
export function publishResults(pi: ExtensionAPI, features: HostFeatures, outbox: () => Outbox | undefined): void {
	if (features.boundary) {
		pi.on("agent_before_settle", (event) => {
			// Another request of a parent whose provider has just failed would fail too, and cost.
			if (event.outcome !== "completed") return undefined;
			const note = outbox()?.take("boundary");
			if (!note) return undefined;
			return { entries: [...event.entries, { type: "custom_message", ...noteMessage(note) }], continue: true };
		});
	} else {
		pi.on("agent_end", (event) => {
			const reason = stopReason(event.messages);
			// A follow-up queued behind an aborted run would start another right after the Esc.
			if (reason === "aborted" || reason === "error") return;
			const note = outbox()?.take("follow_up");
			if (note) pi.sendMessage(noteMessage(note), { deliverAs: "followUp", triggerTurn: true });
		});
	}

	pi.on("before_agent_start", (event) => {
		if ("messageType" in event && event.messageType === "custom") return undefined;
		const note = outbox()?.take("prompt");
		return note ? { message: noteMessage(note) } : undefined;
	});

	// What a boundary appended is in the session when the next run starts; a message only once the model has been asked,
	// which its first answer shows. Waiting longer would keep a call that claims the result waiting for its own run.
	pi.on("agent_start", () => outbox()?.reconcile("run_started"));
	pi.on("message_start", (event) => {
		if (event.message.role === "assistant") outbox()?.reconcile("past_start");
	});
	onSettled(pi, () => outbox()?.reconcile("past_start"));
}
