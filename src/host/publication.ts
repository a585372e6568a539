import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Note, Outbox } from "../streams/index.ts";
import type { Headless } from "./headless.ts";
import { type HostFeatures, whileActive } from "./host-features.ts";
import { onSettled, stopReason } from "./parent-events.ts";
import { noteMessage } from "./parent-port.ts";

/**
 * Offers the outbox at each moment at which the host takes messages, and settles afterwards what has arrived. Registered
 * once per load; `outbox` gives the current session's, or `undefined` between sessions. Where `headless` gives one, a
 * run settles only when it says that nothing is left to come.
 */
export function publishResults(
	pi: ExtensionAPI,
	features: HostFeatures,
	outbox: () => Outbox | undefined,
	headless: () => Headless | undefined,
): void {
	const followUp = (note: Note | undefined): void => {
		if (note) pi.sendMessage(noteMessage(note), { deliverAs: "followUp", triggerTurn: true });
	};
	const sendNext = async (holding: Headless): Promise<void> => {
		const offer = await holding.next();
		// The session may have been ended meanwhile.
		whileActive(() => followUp(offer?.note), undefined);
	};

	if (features.boundary) {
		pi.on("agent_before_settle", async (event) => {
			// Another request of a parent whose provider has just failed would fail too, and cost.
			if (event.outcome !== "completed") return undefined;
			const holding = headless();
			if (holding) {
				await sendNext(holding);
				return undefined;
			}
			const note = outbox()?.take("boundary");
			if (!note) return undefined;
			return { entries: [...event.entries, { type: "custom_message", ...noteMessage(note) }], continue: true };
		});
	} else {
		pi.on("agent_end", async (event) => {
			const reason = stopReason(event.messages);
			// A follow-up queued behind an aborted run would start another right after the Esc.
			if (reason === "aborted" || reason === "error") return;
			const holding = headless();
			if (holding) await sendNext(holding);
			else followUp(outbox()?.take("follow_up"));
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
	onSettled(pi, () => {
		headless()?.runSettled();
		outbox()?.reconcile("past_start");
	});
}
