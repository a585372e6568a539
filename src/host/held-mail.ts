import { NEVER, type Observable } from "rxjs";

/** Messages to an agent that has finished its turn, and is held for agents of its own, and whether it may read them. */
export interface HeldMail {
	/** Emits when some wait to be handed over: at once where some do, and at each that comes. */
	readonly waiting$: Observable<unknown>;
	/** Puts them into the queue of the agent's session, as the end of a turn does. */
	handOver(): void;
	/** Whether its limits leave it another turn. */
	mayGoOn(): boolean;
}

/** For an agent to which nothing is sent. */
export const noMail: HeldMail = { waiting$: NEVER, handOver: () => undefined, mayGoOn: () => true };
