import { noop } from "rxjs";
import type { Outcome, StopRequest } from "../../src/streams/index.ts";
import { request } from "../support/agents-fixture.ts";
import { testConfig } from "../support/run-script.ts";
import { due } from "./model.ts";
import { expectKeys, idOf, type Stage } from "./stage.ts";
import { currentRun, type Facts, isWaiting, type Reader, type RunFacts } from "./stage-facts.ts";

/** What can be done on a stage, each with what the world outside then knows. */

export function spawn({ agents, facts }: Stage): void {
	facts.line.push(facts.runs.reduce((last, { agent }) => Math.max(last, agent), 0) + 1);
	agents.spawn(request({ background: true }));
}

export function resume({ agents, facts }: Stage, agent: number): void {
	facts.line.push(agent);
	agents.resume(idOf(agent), { prompt: "go on", config: testConfig, background: true });
}

/** So many agents may run at once from now on. */
export function openSlots({ facts, limit$ }: Stage, slots: number): void {
	facts.slots = slots;
	facts.mostSlots = Math.max(facts.mostSlots, slots);
	limit$.next(slots);
}

/** A run that lives settles; its session is still to be closed. */
export function settle({ facts }: Stage, agent: number, outcome: Outcome): void {
	const run = currentRun(facts, agent);
	if (run) markSettled(facts, run);
	run?.live?.emit({ type: "settled", outcome });
}

export function close({ facts }: Stage, agent: number, how: "verified" | "grace_expired"): void {
	const run = facts.runs.find((other) => other.agent === agent && other.live && other.settledAt !== undefined);
	if (!run) return;
	run.closed = true;
	const { live } = run;
	live?.emit({ type: "closed", how });
	live?.end();
}

const byUser: StopRequest = { status: "stopped", reason: "stopped_by_user" };

/** Tells an agent to stop. One that is in line has ended then; one that lives has yet to settle. */
export function stop({ agents, facts }: Stage, agent: number): void {
	const run = currentRun(facts, agent);
	if (run && !run.live) {
		markSettled(facts, run);
		const place = facts.line.indexOf(agent);
		if (place >= 0) facts.line.splice(place, 1);
	}
	agents
		.stop([idOf(agent)], byUser)
		.subscribe({ error: noop })
		.add(noop);
	if (run?.live && !run.told) facts.faults.push(`a run that lives is told to stop: ${run.key} was not`);
}

export const stoppedOutcome: Outcome = { verdict: byUser, text: "partial", unread: [] };

export function claim({ agents, facts }: Stage, agent: number, who: string): void {
	const run = currentRun(facts, agent);
	if (!run) return;
	const reader: Reader = { who, key: run.key, got: [], ended: false, left: false };
	facts.readers.push(reader);
	reader.subscription = agents.claim(idOf(agent)).subscribe({
		next: (reading) => {
			reader.got.push(reading);
			if (reading.published !== facts.session.includes(run.key)) {
				facts.faults.push(`${who} was told that ${run.key} was ${reading.published ? "" : "not "}published`);
			}
			if (`agent${agent}` !== reading.record.agentId || reading.record.run !== run.run) {
				facts.faults.push(`${who} claimed ${run.key} and got ${reading.record.agentId}#${reading.record.run}`);
			}
		},
		error: () => facts.faults.push(`${who} got an error`),
		complete: () => {
			reader.ended = true;
		},
	});
}

export function leave({ facts }: Stage, agent: number, who: string): void {
	for (const reader of waitingReaders(facts, agent, who)) {
		reader.left = true;
		reader.subscription?.unsubscribe();
	}
}

export function waitingReaders(facts: Facts, agent: number, who: string): Reader[] {
	return facts.readers.filter(
		(reader) => reader.who === who && reader.key.startsWith(`agent${agent}#`) && isWaiting(reader),
	);
}

/** The parent is about to settle, and takes what is held, as entries or, where the host has none, as a follow-up. */
export function take({ facts, outbox }: Stage, route: "boundary" | "follow_up"): void {
	const wanted = due(facts, route);
	const keys = outbox.take(route)?.deliveries ?? [];
	expectKeys(facts, keys, wanted, `a ${route} takes all that is held`);
	if (keys.length > 0) facts.inFlight.push({ route, keys });
}

/** The person sends a message, and what is held goes beside it. */
export function prompt({ facts, outbox, parent$ }: Stage): void {
	facts.parent.muted = false;
	parent$.next({ type: "input_received" });
	parent$.next({ type: "prompt_accepted", by: "user" });
	const wanted = due(facts, "prompt");
	const keys = outbox.take("prompt")?.deliveries ?? [];
	expectKeys(facts, keys, wanted, "a person's message takes all that is held");
	if (keys.length > 0) facts.inFlight.push({ route: "prompt", keys });
	beginRun(facts, parent$);
}

/**
 * The next run of the parent begins, and the session holds what was on its way, or does not. What a boundary appended
 * stands there before the run; what went as a message only after its start.
 */
export function arrive({ facts, outbox, parent$ }: Stage, arrives: boolean): void {
	beginRun(facts, parent$);
	const boundaries = facts.inFlight.filter(({ route }) => route === "boundary");
	land(facts, boundaries, arrives);
	outbox.reconcile("run_started");
	const isOnItsWay = facts.runs.some((run) => run.claim.state.kind === "handed");
	if (isOnItsWay !== facts.inFlight.length > 0) {
		facts.faults.push(
			"what a boundary gave is settled when the next run starts, and messages not before they stand there",
		);
	}
	land(facts, facts.inFlight, arrives);
	outbox.reconcile("past_start");
}

function land(facts: Facts, notes: Facts["inFlight"], arrives: boolean): void {
	facts.inFlight = facts.inFlight.filter((note) => !notes.includes(note));
	const keys = notes.flatMap((note) => note.keys);
	if (arrives) facts.session.push(...keys);
	for (const run of facts.runs) if (!arrives && keys.includes(run.key)) run.losses++;
}

function beginRun(facts: Facts, parent$: Stage["parent$"]): void {
	if (facts.parent.running) return;
	facts.parent.running = true;
	facts.parent.woken = false;
	parent$.next({ type: "run_started" });
}

/** The parent's turn ends, if one is under way, and whatever is due by now happens. */
export function idle(stage: Stage): void {
	const { facts, parent$ } = stage;
	if (facts.parent.running) {
		facts.parent.running = false;
		const timers = stage.scheduler.actions.length;
		parent$.next({ type: "run_settled", how: "done" });
		if (due(facts, "prompt").length === 0 && stage.scheduler.actions.length > timers) {
			facts.faults.push("no timer is set where nothing is held");
		}
	}
	pass(stage, 0);
}

/** Lets so many milliseconds pass. */
export function pass({ scheduler }: Stage, ms: number): void {
	scheduler.maxFrames = scheduler.frame + ms;
	scheduler.flush();
}

/** Esc: the parent's turn is aborted. */
export function mute(stage: Stage): void {
	stage.facts.parent.running = false;
	stage.facts.parent.muted = true;
	stage.parent$.next({ type: "run_settled", how: "aborted" });
	pass(stage, 0);
}

/** The parent's session is replaced: everything is told to stop, comes to rest, and nothing is published any more. */
export function replace(stage: Stage): void {
	const { agents, facts, outbox, parent$ } = stage;
	facts.parent.replaced = true;
	parent$.next({ type: "session_replaced" });
	outbox.close();
	if (stage.scheduler.actions.length > 0) facts.faults.push("no timer is left when the session has been replaced");
	for (const run of facts.runs) if (run.settledAt === undefined && !run.live) markSettled(facts, run);
	agents.shutdown().subscribe({ error: noop }).add(noop);
	const shutDown = { verdict: { status: "stopped", reason: "parent_shutdown" }, text: "", unread: [] } as const;
	for (const run of facts.runs) {
		if (run.live && run.settledAt === undefined) settle(stage, run.agent, shutDown);
	}
	for (const run of facts.runs) if (run.live) close(stage, run.agent, "verified");
	pass(stage, 0);
}

/** The process is gone. What was on its way may stand in the session all the same. */
export function kill({ facts }: Stage): void {
	facts.session.push(...facts.inFlight.flatMap(({ keys }) => keys));
	facts.inFlight = [];
}

function markSettled(facts: Facts, run: RunFacts): void {
	run.settledAt = ++facts.settlements;
}
