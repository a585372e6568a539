import { isTerminal, type Note, type ParentEvent, type ParentPort, type RunKey } from "../../src/streams/index.ts";
import { abortExpiry } from "../../src/streams/parent-activity.ts";
import { handedOver } from "./group-book.ts";
import type { Judge } from "./rules.ts";
import type { Call, Happening } from "./script.ts";
import type { SimulatedSession } from "./simulated-session.ts";
import type { VirtualClock } from "./virtual-clock.ts";

type Say = Extract<Happening, { do: "say" }>;
type Wake = Extract<Happening, { do: "next_wake" }>["is"];
/** What the parent's model does next. */
export type Plan = Extract<Happening, { do: "calls" | "settle" | "fail" }>;

/** The parent's host, its model and its person: what `host/` and Pi are for a real session. */
export interface SimulatedParent {
	readonly port: Omit<ParentPort, "committed">;
	/** Begins with a session; the one before is forgotten. */
	enter(session: SimulatedSession, muted: boolean): void;
	/** The session is being replaced. */
	leave(aborts: boolean): void;
	plan(plan: Plan): void;
	say(step: Say): void;
	esc(): void;
	dialog(lasts: number): void;
	compact(lasts: number, silent: boolean): void;
	nextWake(is: Wake): void;
	/** No more misbehaviour, and whatever goes on comes to an end. */
	heal(): void;
	/** Whether nothing goes on and nothing is planned. */
	readonly resting: boolean;
}

export interface ParentWorld {
	readonly clock: VirtualClock;
	readonly judge: Judge;
	readonly followUp: boolean;
	/** Makes these calls, and calls back when all have ended. */
	callTools(calls: readonly Call[], isAborted: () => boolean, done: () => void): void;
	abortCalls(): void;
}

/** How long a person looks at a batch that does not end, one time or another, and how long it takes to type; milliseconds. */
const patience = [1_500, 700, 6_000] as const;
const typing = 25;

/** What is true of the parent, whatever anybody was told. */
interface Truth {
	running: boolean;
	/** Whether calls are under way. */
	batch: boolean;
	/** An Esc, or a compaction, has aborted the run. */
	aborted: boolean;
	compacting: boolean;
	dialogs: number;
	/** A message is in its handlers. */
	handlers: boolean;
	/** A message was taken that starts a turn. */
	woken: boolean;
	muted: boolean;
}

const atRest: Truth = {
	running: false,
	batch: false,
	aborted: false,
	compacting: false,
	dialogs: 0,
	handlers: false,
	woken: false,
	muted: false,
};

export function createSimulatedParent(world: ParentWorld): SimulatedParent {
	const { clock, judge } = world;
	let session: SimulatedSession | undefined;
	let truth: Truth = { ...atRest };
	const plans: Plan[] = [];
	let wakes: Wake[] = [];
	let batches = 0;
	let healed = false;
	let abortedAt = Number.NEGATIVE_INFINITY;
	/** What the host begins when the run that it has aborted for it has settled. */
	let afterRun: (() => void) | undefined;

	/** Later, unless the session has been replaced by then. */
	const later = (delay: number, act: (open: SimulatedSession) => void): void => {
		const then = session;
		clock.after(delay, () => {
			if (then !== undefined && then === session) act(then);
		});
	};
	const tell = (event: ParentEvent): void => session?.events$.next(event);
	const isFree = (): boolean => !truth.running && !truth.handlers && !truth.woken && !truth.compacting;

	const take = (open: SimulatedSession, route: "boundary" | "prompt" | "follow_up"): Note | undefined => {
		const note = open.outbox.take(route);
		if (note !== undefined) handedOver(judge, open.book, note);
		return note;
	};

	const settle = (open: SimulatedSession, how: "done" | "aborted" | "failed"): void => {
		Object.assign(truth, { running: false, aborted: false });
		truth.muted ||= how === "failed" || (how === "aborted" && !truth.compacting);
		if (how === "aborted") abortedAt = clock.scheduler.now();
		tell({ type: "run_settled", how });
		open.outbox.reconcile("past_start");
		const compacts = afterRun;
		afterRun = undefined;
		compacts?.();
		goOn();
	};

	/** The model has been asked, and begins to answer. */
	const speak = (): void => {
		later(1, (open) => {
			if (truth.aborted) return settle(open, "aborted");
			open.outbox.reconcile("past_start");
			later(1, think);
		});
	};
	const think = (open: SimulatedSession): void => {
		if (truth.aborted) {
			settle(open, "aborted");
			return;
		}
		const plan = plans.shift() ?? { do: "settle" };
		if (plan.do === "fail") {
			settle(open, "failed");
			return;
		}
		if (plan.do === "settle") {
			endTurn(open, healed ? undefined : plan.dropped);
			return;
		}
		truth.batch = true;
		const batch = ++batches;
		later(patience[batch % 3] ?? 0, () => {
			if (truth.batch && batch === batches) esc();
		});
		world.callTools(
			plan.calls,
			() => truth.aborted || session !== open,
			() => {
				if (session !== open) return;
				truth.batch = false;
				speak();
			},
		);
	};

	const endTurn = (open: SimulatedSession, dropped: "entries" | "entries_and_run" | undefined): void => {
		if (world.followUp) {
			endTurnByFollowUp(open, dropped !== undefined);
			return;
		}
		const note = take(open, "boundary");
		if (note === undefined) {
			settle(open, "done");
			return;
		}
		if (dropped === undefined) open.append(note);
		if (dropped === "entries_and_run") {
			settle(open, "done");
			return;
		}
		startRun(open);
	};
	const endTurnByFollowUp = (open: SimulatedSession, dropped: boolean): void => {
		const note = take(open, "follow_up");
		if (note === undefined) {
			settle(open, "done");
			return;
		}
		later(1, () => {
			if (truth.aborted || dropped) return settle(open, truth.aborted ? "aborted" : "done");
			startRun(open, note);
		});
	};

	/** `agent_start`; the note stands in the session before the model answers. */
	const startRun = (open: SimulatedSession, note?: Note): void => {
		Object.assign(truth, { running: true, handlers: false, woken: false });
		tell({ type: "run_started" });
		open.outbox.reconcile("run_started");
		if (note !== undefined) later(0, () => open.append(note));
		speak();
	};

	const prompted = (open: SimulatedSession, ends: Say["ends"]): void => {
		if (ends === "swallowed") {
			truth.handlers = false;
			goOn();
			return;
		}
		truth.muted = false;
		tell({ type: "prompt_accepted", by: "user" });
		const note = take(open, "prompt");
		later(1, () => {
			truth.aborted = false;
			if (ends === "refused") {
				truth.handlers = false;
				return goOn();
			}
			startRun(open, ends === "note_dropped" ? undefined : note);
		});
	};
	const say = ({ handlers = 0, ends }: Say): void => {
		if (session === undefined || !isFree()) return;
		truth.handlers = true;
		tell({ type: "input_received" });
		later(handlers, (open) => prompted(open, healed ? undefined : ends));
	};
	/** While the model has plans, its person makes it go on. */
	const goOn = (): void => {
		if (session === undefined || plans.length === 0) return;
		later(typing, () => {
			if (plans.length > 0) say({ do: "say" });
		});
	};

	const esc = (): void => {
		if (!truth.running || truth.aborted) return;
		truth.aborted = true;
		world.abortCalls();
	};

	const wakeUp = (open: SimulatedSession, note: Note, is: Wake | undefined): void => {
		truth.aborted = false;
		tell({ type: "prompt_accepted", by: "message" });
		later(1, () => {
			if (is === "lost") {
				truth.woken = false;
				return goOn();
			}
			if (is !== "fails") return startRun(open, note);
			Object.assign(truth, { running: true, woken: false });
			tell({ type: "run_started" });
			open.outbox.reconcile("run_started");
			later(1, () => settle(open, "failed"));
		});
	};
	const wake = (note: Note): boolean => {
		const open = session;
		const no = whyNoTurn(truth, open);
		judge.expect(no === undefined, "publication_time", () => `${note.deliveries} would start a turn, and ${no}`);
		const isNews = note.deliveries.some((key) => open === undefined || !wasStopped(open, key));
		judge.expect(
			isNews,
			"publication_time",
			() => `${note.deliveries} would start a turn, and the person stopped them`,
		);
		const is = healed ? undefined : wakes.shift();
		if (is === "throws") throw new Error("the host would not take a message");
		if (is === "refused" || open === undefined || !isFree()) return false;
		handedOver(judge, open.book, note);
		truth.woken = true;
		later(1, () => wakeUp(open, note, is));
		return true;
	};

	return {
		port: {
			wake,
			notify: () =>
				judge.expect(session?.state === "open", "cleanup", () => "a session that has ended tells something"),
		},
		enter: (opened, muted) => {
			session = opened;
			afterRun = undefined;
			truth = { ...atRest, muted };
			goOn();
		},
		leave: (aborts) => {
			if (aborts) world.abortCalls();
			tell({ type: "session_replaced" });
			session = undefined;
		},
		plan: (plan) => {
			plans.push(plan);
			if (plans.length === 1) goOn();
		},
		say,
		esc,
		dialog: (lasts) => {
			if (session === undefined) return;
			truth.dialogs++;
			tell({ type: "dialog_opened" });
			later(lasts, () => {
				truth.dialogs--;
				tell({ type: "dialog_closed" });
			});
		},
		compact: (lasts, silent) => {
			if (session === undefined || truth.compacting || truth.handlers || truth.woken) return;
			// Nobody asks for a compaction as fast as the host does after the abort that belongs to one.
			if (clock.scheduler.now() - abortedAt <= abortExpiry) return;
			truth.compacting = true;
			const begin = (): void => {
				tell({ type: "compaction_started" });
				later(lasts, () => {
					truth.compacting = false;
					if (!silent) tell({ type: "compaction_ended" });
					goOn();
				});
			};
			// The host tells of a compaction when the run that it aborts has settled.
			if (!truth.running) {
				begin();
				return;
			}
			afterRun = begin;
			esc();
		},
		nextWake: (is) => {
			wakes.push(is);
		},
		heal: () => {
			healed = true;
			wakes = [];
		},
		get resting() {
			return isFree() && truth.dialogs === 0 && plans.length === 0;
		},
	};
}

function wasStopped(open: SimulatedSession, key: RunKey): boolean {
	const record = open.book.runs.get(key)?.record;
	return record !== undefined && isTerminal(record) && record.outcome.verdict.reason === "stopped_by_user";
}

/** Why a message must not start a turn now. */
function whyNoTurn(truth: Truth, session: SimulatedSession | undefined): string | undefined {
	if (session === undefined || session.state !== "open") return "the session has been replaced";
	if (truth.running) return "a run is under way";
	if (truth.compacting) return "the conversation is being compacted";
	if (truth.handlers) return "a message is in its handlers";
	if (truth.dialogs > 0) return "a person is being asked something";
	return truth.muted ? "the person has not spoken since an Esc, a failure or a restart" : undefined;
}
