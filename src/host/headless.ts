import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
	asyncScheduler,
	delay,
	firstValueFrom,
	ignoreElements,
	lastValueFrom,
	NEVER,
	type Observable,
	ReplaySubject,
	takeUntil,
	timer,
} from "rxjs";
import { createSettleHold, isTerminal, type Offer, type Route } from "../streams/index.ts";
import { showProgress } from "./headless-progress.ts";
import { handleSignals } from "./headless-signals.ts";
import { whileActive } from "./host-features.ts";
import type { ParentSession } from "./parent-session.ts";
import type { Holding } from "./publication.ts";
import { leftovers } from "./session-leftovers.ts";

/** What a session of print and json mode has beside that of the others: the host ends with its answer. */
export interface Headless extends Holding {
	/** Stops what remains, says what is left, and ends the session. Doing it twice is doing it once. Never rejects. */
	end(): Promise<void>;
}

/** After a signal this many milliseconds are left to agents, and to the session as a whole, to come to rest. */
const signalTime = 4000;

/**
 * After an interrupt the process is dead, unless a listener of somebody else's has kept it. That one gets so many
 * milliseconds: a host that settled right away would answer, and be gone with the answer's exit code.
 */
const survival = 1000;

/** Takes over the end of a session of print or json mode. Its signal listeners go with `end()`. */
export function openHeadless(pi: ExtensionAPI, ctx: ExtensionContext, session: ParentSession): Headless {
	const { agents, outbox, settings } = session;
	/** From its emission on no result goes to the model any more. */
	const halt$ = new ReplaySubject<void>(1);
	/** From its emission on the host may settle what was held when the session was told to end. */
	const release$ = new ReplaySubject<void>(1);
	let halted = false;
	let signalled: "terminate" | "interrupt" | undefined;
	let ending: Promise<void> | undefined;

	const hold = createSettleHold({
		agents,
		outbox,
		routes: holdRoutes,
		holdTime: settings.headlessHold * 1000,
		onOverdue: () => {
			fail(`Agents were waited for ${settings.headlessHold} s (headlessHold); what remains is stopped.`);
		},
		scheduler: asyncScheduler,
	});
	session.attach(showProgress(pi, ctx, agents));

	const finish = async (): Promise<void> => {
		const live = agents.list().filter((record) => !isTerminal(record));
		const text = leftovers(session);
		const givingUp$: Observable<unknown> = signalled ? timer(new Date(asyncScheduler.now() + signalTime)) : NEVER;
		const stopped$ = agents.stop(
			live.map(({ agentId }) => agentId),
			{ status: "stopped", reason: "parent_shutdown" },
		);
		await settled(stopped$.pipe(takeUntil(givingUp$)));
		if (text !== undefined) {
			// No request is made any more: whoever started this gets the words that the model did not.
			const note = outbox.take("prompt");
			fail(note ? `${text}\n\n${note.text}` : text);
		}
		await session.end(givingUp$);
	};
	const halt = (): void => {
		halted = true;
		halt$.next();
	};
	const end = (): Promise<void> => {
		halt();
		ending ??= finish().finally(() => {
			stopListening();
			release$.next();
		});
		return ending;
	};
	const stopListening = handleSignals({
		onTerminate: () => {
			signalled = "terminate";
			// The host ends the session, and some hosts wait for this before they do.
			halt();
			release$.next();
		},
		onInterrupt: () => {
			if (leftovers(session) === undefined) return undefined;
			signalled = "interrupt";
			whileActive(() => ctx.abort(), undefined);
			return end();
		},
	});

	return {
		next: async () => {
			const offer = await firstValueFrom(hold.next$.pipe(takeUntil(halt$)), { defaultValue: undefined });
			if (offer) return withLastWord(offer);
			// The hold stays until all is ended: the host would be gone before the agents are.
			const released$ = signalled === "interrupt" ? release$.pipe(delay(survival)) : release$;
			if (halted) await firstValueFrom(released$, { defaultValue: undefined });
			return undefined;
		},
		runSettled: () => hold.settled(),
		end,
	};
}

/**
 * Into the host's queue, on every host: no call can claim a result while the run is about to settle, and what other
 * extensions return at the boundary neither drops a queued message nor lets the run end before it.
 */
export const holdRoutes: readonly Route[] = ["follow_up", "wake"];

/** Says on the error stream why the process does not end with code 0. */
function fail(text: string): void {
	process.stderr.write(`${text}\n`);
	process.exitCode = 1;
}

function withLastWord(offer: Offer): Offer {
	if (!offer.last) return offer;
	const text = `${offer.note.text}\n\nThe time for subagents is over. Give your final answer now; agents that you start now are stopped.`;
	return { ...offer, note: { ...offer.note, text } };
}

/** Waits for the end of a stream, however it comes. */
function settled(source$: Observable<unknown>): Promise<unknown> {
	return lastValueFrom(source$.pipe(ignoreElements()), { defaultValue: undefined }).catch(() => undefined);
}
