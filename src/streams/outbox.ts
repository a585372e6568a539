import { combineLatest, map, mergeMap, type Observable, type SchedulerLike, Subscription, takeWhile } from "rxjs";
import type { ClaimState, HandOver, RefCountClaim } from "../operators/index.ts";
import type { Publishable, Release } from "./agents.ts";
import type { RunKey } from "./ids.ts";
import type { ParentActivity } from "./parent-activity.ts";
import type { Note, ParentPort } from "./ports.ts";
import type { TerminalRecord } from "./record.ts";

/**
 * The ways to the parent's conversation. `boundary`: entries appended before a run settles. `prompt`: beside the
 * person's next message. `wake`: a message that starts a turn. `follow_up`: the queue of a host without the boundary.
 */
export type Route = "boundary" | "prompt" | "wake" | "follow_up";

/** Results that nobody has read, on their way to the parent. Owned by the parent session's scope; `close()` ends it. */
export interface Outbox {
	/**
	 * Hands over everything that is held and released, as one note. `undefined` when there is nothing; ownership is asked
	 * now.
	 */
	take(route: Route): Note | undefined;
	/** The results that are held or handed over, in the order in which they go. */
	readonly keys: readonly RunKey[];
	/**
	 * Compares what was handed over with what stands in the session. Seen: committed. Not seen: held again, in its old
	 * place; but what went as a message is only missing once the run that carries it has got `pastStart`.
	 */
	reconcile(when: "run_started" | "past_start"): void;
	/** Hands over nothing any more; what is held stays held, and can still be read. Leaves no timer. */
	close(): void;
}

/** What an outbox needs from outside. */
export interface OutboxOptions {
	readonly publishable$: Observable<Publishable>;
	readonly activity$: Observable<ParentActivity>;
	readonly port: ParentPort;
	/** The note for these results, in this order. */
	readonly compose: (records: readonly TerminalRecord[]) => Note;
	/** The source of time. */
	readonly scheduler: SchedulerLike;
}

/** After this many losses a result is kept from the boundary and goes as a message of its own. */
export const boundaryLosses = 3;
/** After this many losses in all a result no longer starts turns of its own: it waits for the person's next message. */
export const wakeLosses = 6;
/** How long a host that would not take a note is left alone, in milliseconds. */
export const refusedPause = 1000;

interface Item {
	readonly key: RunKey;
	readonly claim: RefCountClaim<TerminalRecord>;
	/** No reason to start a turn of its own. */
	readonly isQuiet: boolean;
	readonly release: Release | undefined;
	/** Whether it has got its place in line: the members of a group do together, in their order. */
	placed: boolean;
	losses: number;
	/** Present while the result is handed over. */
	handed?: { readonly handOver: HandOver<TerminalRecord>; readonly route: Route };
}

export function createOutbox(options: OutboxOptions): Outbox {
	const line = new Map<RunKey, Item>();
	const lifetime = new Subscription();
	/** Nothing is known of the parent yet, so it is not. */
	let idle = false;
	let flush: Subscription | undefined;

	const held = (): Item[] => [...line.values()].filter((item) => item.claim.state.kind === "held" && isReleased(item));
	const mayTake = (item: Item, route: Route): boolean => {
		if (route === "boundary" || route === "follow_up") return item.losses < boundaryLosses;
		return route === "prompt" || item.losses < wakeLosses;
	};

	const take = (route: Route): Note | undefined => {
		// A session that is ending takes no more turns: what is held then stays with it.
		if (lifetime.closed) return undefined;
		const records: TerminalRecord[] = [];
		for (const item of held()) {
			if (!mayTake(item, route)) continue;
			const handOver = item.claim.handOver();
			if (handOver?.completion.kind !== "value") continue;
			item.handed = { handOver, route };
			records.push(handOver.completion.value);
		}
		return records.length === 0 ? undefined : options.compose(records);
	};

	const giveBack = (item: Item): void => {
		const { handed } = item;
		delete item.handed;
		handed?.handOver.lose();
	};
	const lose = (item: Item): void => {
		item.losses++;
		giveBack(item);
		if (item.losses === boundaryLosses) {
			options.port.notify(
				`The result of ${item.key} was dropped ${item.losses} times by another extension; it is sent as a message instead.`,
			);
		}
	};
	const reconcile = (when: "run_started" | "past_start"): void => {
		const waiting = [...line.values()].flatMap((item) => (item.handed ? [{ item, handed: item.handed }] : []));
		if (waiting.length === 0) return;
		const committed = options.port.committed();
		for (const { item, handed } of waiting) {
			if (committed.has(item.key)) {
				delete item.handed;
				handed.handOver.commit();
			} else if (when === "past_start" || handed.route === "boundary") {
				lose(item);
			}
		}
	};

	/** A host that throws has taken nothing. This runs in a timer, where a throw would end the host with all its work. */
	const sent = (note: Note): boolean => {
		let taken = false;
		try {
			taken = options.port.wake(note);
		} catch {
			// Said by nobody: it is tried again.
		}
		return taken;
	};
	// An idle parent is woken a step later, not in the frame of the settlement: a call that claims the result at that
	// very moment comes first, and several results that settle together go as one message.
	const wake = (): void => {
		const note = idle && held().some(isNews) ? take("wake") : undefined;
		// Only now: each result that is handed over says so while others are still held, and none must ask for a wake.
		flush = undefined;
		if (!note || sent(note)) return;
		// The pause is set before the results are given back: being held again asks for a wake at once.
		later(refusedPause);
		for (const key of note.deliveries) {
			const item = line.get(key);
			if (item) giveBack(item);
		}
	};
	const later = (pause: number): void => {
		flush = options.scheduler.schedule(wake, pause);
	};
	const scheduleWake = (): void => {
		if (flush || !idle || !held().some(isNews)) return;
		later(0);
	};

	lifetime.add(
		options.publishable$.pipe(mergeMap(ownership)).subscribe({
			next: ({ publishable, state }) => {
				const { key } = publishable;
				if (isOver(state)) line.delete(key);
				else if (state.kind === "held") place(line, line.get(key) ?? newItem(publishable));
				scheduleWake();
			},
			error: () => undefined,
		}),
	);
	lifetime.add(
		options.activity$.subscribe({
			next: (next) => {
				idle = next === "idle";
				scheduleWake();
			},
			error: () => undefined,
		}),
	);

	return {
		take,
		reconcile,
		get keys() {
			return [...line.keys()];
		},
		close: () => {
			flush?.unsubscribe();
			lifetime.unsubscribe();
		},
	};
}

/**
 * The states of a result's ownership, up to the one from which it never comes back; the same one again when the result is
 * released.
 */
function ownership(
	publishable: Publishable,
): Observable<{ readonly publishable: Publishable; readonly state: ClaimState }> {
	const { claim, release } = publishable;
	const state$ = claim.state$;
	return (release ? combineLatest([state$, release.state$]).pipe(map(([state]) => state)) : state$).pipe(
		takeWhile((state) => !isOver(state), true),
		map((state) => ({ publishable, state })),
	);
}

function newItem({ key, claim, quiet, release }: Publishable): Item {
	return { key, claim, release, losses: 0, isQuiet: quiet?.() ?? false, placed: false };
}

/** Puts a result into the line: at its end until it is released, and from then on it stays where it is. */
function place(line: Map<RunKey, Item>, item: Item): void {
	if (item.placed) return;
	item.placed = isReleased(item);
	line.delete(item.key);
	line.set(item.key, item);
}

function isReleased({ release }: Item): boolean {
	return release?.current ?? true;
}

function isNews(item: Item): boolean {
	return !item.isQuiet;
}

function isOver(state: ClaimState): boolean {
	return state.kind === "delivered" || state.kind === "committed";
}
