import type { AgentSession } from "@earendil-works/pi-coding-agent";

/**
 * Aborts whatever a session does, now and once more after the current call: the host announces a retry or a compaction
 * before it makes what an abort can take hold of. Awaits nothing, never throws; an idle session is left as it is.
 */
export function quell(session: AgentSession | undefined): void {
	if (session !== undefined) {
		silence(session);
		queueMicrotask(() => silence(session));
	}
}

/** The queue goes first: an abort would leave it for the next prompt, or read it out on the way to the end. */
function silence(session: AgentSession): void {
	const steps = [
		() => session.clearQueue(),
		// Pi 0.81.1 leaves a compaction to itself.
		() => session.abortCompaction(),
		() => void session.abort().catch(() => {}),
	];
	for (const step of steps) {
		try {
			step();
		} catch {
			// Another subscriber of the session has thrown. The next step counts all the same.
		}
	}
}
