import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Note, Offer, Outbox } from "../streams/index.ts";
import { type HostFeatures, whileActive } from "./host-features.ts";
import { onSettled, stopReason } from "./parent-events.ts";
import { noteMessage } from "./parent-port.ts";

/** What keeps a run from settling while something may still come. */
export interface Holding {
	/**
	 * What the run that is about to settle goes on with. Resolves when there is something, and with `undefined` when
	 * nothing is left to come, or the session is to end. Never rejects.
	 */
	next(): Promise<Pick<Offer, "note"> | undefined>;
	/** A run of the session has settled. */
	runSettled(): void;
}

/**
 * Offers the outbox at each moment at which the host takes messages, and settles afterwards what has arrived. Registered
 * once per load; `outbox` gives the current session's, or `undefined` between sessions. Where `holding` gives one, a
 * run settles only when it says that nothing is left to come.
 */
export function publishResults(
	pi: ExtensionAPI,
	features: HostFeatures,
	outbox: () => Outbox | undefined,
	holding: () => Holding | undefined,
): void {
	const followUp = (note: Note | undefined): void => {
		if (note) pi.sendMessage(noteMessage(note), { deliverAs: "followUp", triggerTurn: true });
	};
	const sendNext = async (hold: Holding): Promise<void> => {
		const offer = await hold.next();
		// The session may have been ended meanwhile.
		whileActive(() => followUp(offer?.note), undefined);
	};

	if (features.boundary) {
		pi.on("agent_before_settle", async (event) => {
			// Another request of a parent whose provider has just failed would fail too, and cost.
			if (event.outcome !== "completed") return undefined;
			const hold = holding();
			if (hold) {
				await sendNext(hold);
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
			const hold = holding();
			if (hold) await sendNext(hold);
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
		holding()?.runSettled();
		outbox()?.reconcile("past_start");
	});
}
