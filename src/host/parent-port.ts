import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Note, type ParentPort, type RunKey, resultMessageType } from "../streams/index.ts";
import { whileActive } from "./host-features.ts";

/** A note in the form in which the host takes messages. */
export function noteMessage(note: Note) {
	return { customType: resultMessageType, content: note.text, display: true, details: note.details };
}

/** The parent's conversation, for as long as `ctx` is alive; after that it takes and shows nothing. */
export function createParentPort(pi: ExtensionAPI, ctx: ExtensionContext): ParentPort {
	return {
		wake: (note) =>
			whileActive(() => {
				// The host's own word at this instant: its queues count too, which `isIdle` leaves out.
				if (!ctx.isIdle() || ctx.hasPendingMessages()) return false;
				pi.sendMessage(noteMessage(note), { triggerTurn: true });
				return true;
			}, false),
		committed: () => whileActive(() => committedDeliveries(ctx), new Set<RunKey>()),
		notify: (text) => {
			whileActive(() => ctx.ui.notify(text, "warning"), undefined);
		},
	};
}

/** Every delivery that stands on the session's current branch. */
function committedDeliveries(ctx: ExtensionContext): ReadonlySet<RunKey> {
	const deliveries = new Set<RunKey>();
	for (const entry of ctx.sessionManager.getBranch()) {
		if (entry.type !== "custom_message" || entry.customType !== resultMessageType) continue;
		for (const key of deliveryOf(entry.details)) deliveries.add(key);
	}
	return deliveries;
}

function deliveryOf(details: unknown): readonly RunKey[] {
	if (typeof details !== "object" || details === null || !("delivery" in details)) return [];
	return Array.isArray(details.delivery) ? details.delivery : [];
}
