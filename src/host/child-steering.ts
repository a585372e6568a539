import type { AgentSession, AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import { defer, filter, NEVER, type Observable, type Subscription, startWith } from "rxjs";
import type { SteeringMessage, SteeringSource } from "../streams/ports.ts";

/** The way of steering messages from the mailbox into a child's session. */
export interface ChildSteering {
	/** Hands over a batch at each emission of `boundary$`, in the same tick. Unsubscribing leaves the rest in the mailbox. */
	attach(session: AgentSession, boundary$: Observable<unknown>): Subscription;
	/** Emits when messages wait to be handed over: at once where some do, and at each that comes. */
	readonly waiting$: Observable<unknown>;
	/** The message that the session takes in with this event, the first time it does. */
	readBy(event: AgentSessionEvent): SteeringMessage | undefined;
	/** What the parent sent and the agent has not read, in the order it was sent. Empties the mailbox. */
	unread(): readonly string[];
}

/**
 * Messages go straight to the agent's own queue. `AgentSession.steer` would first run `input` hooks, which take time and
 * could miss the boundary, and would read a leading slash as a command; and the object that is put into the queue is the
 * one that comes out, so that what was read is known by identity and not by its text.
 */
export function createChildSteering(source: SteeringSource): ChildSteering {
	const handed = new Map<object, SteeringMessage>();
	return {
		attach(session, boundary$) {
			return source.deliver(boundary$).subscribe({
				next(batch) {
					for (const message of batch) {
						const content = [{ type: "text" as const, text: message.text }];
						const queued = { role: "user" as const, content, timestamp: Date.now() };
						handed.set(queued, message);
						session.agent.steer(queued);
					}
				},
				error: () => {
					// A mailbox that failed delivers nothing more; what it still holds is reported as unread.
				},
			});
		},
		waiting$: defer(() => (source.posted$ ?? NEVER).pipe(startWith(undefined))).pipe(
			filter(() => (source.size ?? 0) > 0),
		),
		readBy(event) {
			if (event.type !== "message_start") {
				return undefined;
			}
			const message = handed.get(event.message);
			handed.delete(event.message);
			return message;
		},
		unread() {
			const messages = [...handed.values(), ...source.drain()];
			handed.clear();
			return messages.filter(({ from }) => from === "parent").map(({ text }) => text);
		},
	};
}
