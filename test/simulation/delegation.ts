import {
	defaultIfEmpty,
	defer,
	filter,
	map,
	merge,
	NEVER,
	type Observable,
	of,
	type Subscription,
	startWith,
	take,
} from "rxjs";
import {
	type AgentRecord,
	createOutbox,
	createSettleHold,
	isTerminal,
	type Note,
	type OwnAgents,
	type Publishable,
	type Route,
	type RunInputs,
	type RunKey,
} from "../../src/streams/index.ts";
import { composeNote } from "../../src/tools/index.ts";
import { handedOver, keys } from "./group-book.ts";
import type { Judge } from "./rules.ts";
import type { RunBook, RunFacts } from "./run-book.ts";
import type { Call } from "./script.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What a child has that starts agents of its own: its calls, and its results. What `host/` is for a real one. */
export interface Delegation {
	/** Makes these calls, and calls back when all have ended. */
	call(calls: readonly Call[], done: () => void): void;
	/** Its last turn is over: calls back with whether there is something to go on with. */
	hold(done: (goesOn: boolean) => void): void;
	/** Another turn begins: what was found stands in its conversation, */
	begun(): void;
	/** and its model has been asked. */
	asked(): void;
	/** It is stopped, or over: nothing is waited for any more. Doing it twice is doing it once. */
	close(): void;
	/** What must hold between any two steps. */
	check(): void;
}

/** How a child calls tools. */
export interface ChildCalls {
	make(calls: readonly Call[], isAborted: () => boolean, done: () => void): void;
	abort(): void;
}

export interface DelegationWorld {
	readonly clock: VirtualClock;
	readonly judge: Judge;
	readonly book: RunBook;
	/** The child's. */
	readonly agents: OwnAgents;
	readonly calls: ChildCalls;
	readonly publishable$: Observable<Publishable>;
	readonly inputs: RunInputs;
	readonly branch: ReadonlySet<RunKey>;
	append(note: Note): void;
	/** A person stops the child. */
	giveUp(): void;
}

/** How long a person bears calls of a child that do not end, in milliseconds. */
const patience = 7_000;

/** As the host has them: its results go as a follow-up. */
const routes: readonly Route[] = ["follow_up", "wake"];

export function createDelegation(facts: RunFacts, world: DelegationWorld): Delegation {
	const { clock, judge, book, agents, calls, inputs } = world;
	const outbox = createOutbox({
		publishable$: world.publishable$,
		activity$: NEVER,
		port: {
			wake: () => false,
			committed: () => world.branch,
			notify: (text) => judge.fail("lost", `${facts.key} is told "${text}"`),
		},
		compose: (records) => composeNote(records, new Map()),
		scheduler: clock.scheduler,
	});
	const settling = createSettleHold({ agents, outbox, routes, scheduler: clock.scheduler });
	let held: Subscription | undefined;
	let note: Note | undefined;
	let idleSince: number | undefined;
	/** The turn that begins next is one for what it was held for. */
	let goesOn = false;
	let closed = false;

	const later = (act: () => void): void =>
		clock.after(0, () => {
			if (!closed) act();
		});
	const ready = (): Note | undefined =>
		routes.reduce<Note | undefined>((found, route) => found ?? outbox.take(route), undefined);
	const news = (): Observable<Note | undefined> =>
		isWrappingUp(facts.record)
			? of(ready())
			: settling.next$.pipe(
					map((offer) => offer.note),
					defaultIfEmpty(undefined),
				);
	const mail$ = defer(() => (inputs.steering.posted$ ?? NEVER).pipe(startWith(undefined))).pipe(
		filter(() => (inputs.steering.size ?? 0) > 0),
		map(() => "mail" as const),
	);

	return {
		call: (batch, done) => {
			let open = true;
			clock.after(patience, () => {
				if (open && !closed) world.giveUp();
			});
			const ended = (): void => {
				open = false;
				later(done);
			};
			calls.make(batch, () => closed, ended);
		},
		hold: (done) => {
			if (closed) return;
			// It has answered with its last turn, and would be stopped in the next.
			if (inputs.mayGoOn?.() === false) {
				later(() => done(false));
				return;
			}
			held = merge(mail$, defer(news))
				.pipe(take(1))
				.subscribe({
					next: (found) => {
						held = undefined;
						if (found === undefined) judgeSettling(judge, book, facts);
						else if (found !== "mail") {
							note = found;
							handedOver(judge, book, found);
						}
						goesOn = found !== undefined;
						later(() => done(goesOn));
					},
					error: (error: unknown) => judge.fail("throws", `the hold of ${facts.key} errors: ${String(error)}`),
				});
			// It may have found something while it was subscribed.
			if (held.closed) held = undefined;
		},
		begun: () => {
			goesOn = false;
			if (note !== undefined) world.append(note);
			note = undefined;
			outbox.reconcile("run_started");
		},
		asked: () => outbox.reconcile("past_start"),
		close: () => {
			if (closed) return;
			closed = true;
			if (goesOn) judgeTurn(judge, facts);
			held?.unsubscribe();
			held = undefined;
			calls.abort();
			outbox.reconcile("past_start");
			outbox.close();
		},
		check: () => {
			const waits = held === undefined || [...book.live].some((run) => isChild(run, facts) && !isTerminal(run.record));
			if (waits) idleSince = undefined;
			else idleSince ??= clock.scheduler.now();
			const lost = idleSince !== undefined && idleSince < clock.scheduler.now();
			judge.expect(!lost, "held", () => `${facts.key} is held, and nothing of its own goes on`);
		},
	};
}

function isChild(run: RunFacts, parent: RunFacts): boolean {
	return run.record.parent === parent.agentId;
}

function isWrappingUp(record: AgentRecord): boolean {
	return record.status === "running" && record.wrapUpAsked;
}

/** An agent that has answered keeps its answer: it is not made to go on only to be stopped. */
function judgeTurn(judge: Judge, { key, record }: RunFacts): void {
	const limited = record.status === "running" && record.stopping?.status === "aborted";
	judge.expect(!limited, "held", () => `${key} goes on, and is stopped for its limits at once`);
}

/** An agent that settles by itself has what its own came to. */
function judgeSettling(judge: Judge, book: RunBook, facts: RunFacts): void {
	if (isWrappingUp(facts.record)) return;
	const own = [...book.runs.values()].filter((run) => isChild(run, facts));
	const open = own.filter(({ record }) => !isTerminal(record));
	judge.expect(open.length === 0, "held", () => `${facts.key} settles, and ${keys(open)} go on`);
	const unread = own.filter(({ publishable }) => {
		const kind = publishable?.claim.state.kind;
		return kind === "held" || kind === "handed";
	});
	judge.expect(unread.length === 0, "held", () => `${facts.key} settles without ${keys(unread)}`);
}
