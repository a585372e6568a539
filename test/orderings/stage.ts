import { BehaviorSubject, map, noop, Observable, Subject, VirtualTimeScheduler } from "rxjs";
import {
	type AgentId,
	type Agents,
	createAgents,
	createOutbox,
	type Outbox,
	type ParentEvent,
	type Publishable,
	parentActivity$,
	type RunKey,
	type StartRun,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { agentId, runEvents } from "../support/run-script.ts";
import { due } from "./model.ts";
import { type Facts, newFacts, type RunFacts } from "./stage-facts.ts";

/** The whole of `streams/` put together as the host does it, over hand-made runs and a parent that does as it is told. */
export interface Stage {
	readonly agents: Agents;
	readonly outbox: Outbox;
	readonly facts: Facts;
	readonly limit$: BehaviorSubject<number>;
	readonly parent$: Subject<ParentEvent>;
	readonly scheduler: VirtualTimeScheduler;
	/** Whether the host takes messages. */
	takes: boolean;
}

/** The id of the n-th agent, from 1. */
export function idOf(agent: number): AgentId {
	return agentId(`agent${agent}`);
}

/** Opens a stage whose parent is in the middle of a turn. */
export function openStage(): Stage {
	const facts = newFacts();
	const scheduler = new VirtualTimeScheduler();
	const limit$ = new BehaviorSubject(0);
	const parent$ = new Subject<ParentEvent>();
	let ids = 0;
	const agents = createAgents({
		startRun: handMadeRuns(facts),
		maxConcurrent$: limit$,
		maxAgents: () => 64,
		maxZombies: () => 64,
		newIds: () => ({ agentId: idOf(++ids), correlationId: toCorrelationId(`c${ids}`) }),
		scheduler,
	});
	const outbox = createOutbox({
		publishable$: agents.publishable$.pipe(map((publishable) => watched(publishable, facts))),
		activity$: parentActivity$(parent$, scheduler),
		port: {
			wake: (note) => (stage.takes || isPressed(stage)) && woken(stage, note.deliveries),
			committed: () => new Set(facts.session),
			notify: noop,
		},
		compose: (records) => {
			const delivery = records.map((record) => `${record.agentId}#${record.run}` as RunKey);
			return { text: "", deliveries: delivery, details: { delivery, agents: [] } };
		},
		scheduler,
	});
	const stage: Stage = { agents, outbox, facts, limit$, parent$, scheduler, takes: true };
	parent$.next({ type: "session_started", muted: false });
	parent$.next({ type: "run_started" });
	facts.parent.running = true;
	return stage;
}

/** Runs that say nothing by themselves. */
function handMadeRuns(facts: Facts): StartRun {
	return (spec, { stop$ }) =>
		new Observable((subscriber) => {
			const run = facts.runs.find(({ key }) => key === `${spec.agentId}#${spec.run}`);
			if (!run) throw new Error("a run is publishable before it starts");
			const earlier = facts.runs.filter((other) => other.agent === run.agent && other.run < run.run);
			if (facts.parent.replaced)
				facts.faults.push(`nothing starts when the session has been replaced, but ${run.key} did`);
			if (earlier.some(({ closed }) => !closed)) {
				facts.faults.push(`${run.key} started before the session of an earlier run had come to rest`);
			}
			if (facts.runs.filter(({ live }) => live).length >= facts.mostSlots) {
				facts.faults.push(`${run.key} started, and all ${facts.mostSlots} slots were taken`);
			}
			facts.line.splice(facts.line.indexOf(run.agent), 1);
			run.closed = false;
			run.live = { emit: (event) => subscriber.next(event), end: () => subscriber.complete() };
			subscriber.add(() => {
				run.live = undefined;
			});
			subscriber.add(
				stop$.subscribe({
					next: () => {
						run.told = true;
					},
					error: noop,
				}),
			);
			const ready = runEvents.r;
			if (ready) subscriber.next(ready);
		});
}

/** Notes a run down, and gives the outbox its claim with a count of who observes the state. */
function watched({ key, claim }: Publishable, facts: Facts): Publishable {
	const [agent = "", run = ""] = key.slice("agent".length).split("#");
	const noted: RunFacts = {
		key,
		claim,
		agent: Number(agent),
		run: Number(run),
		closed: true,
		live: undefined,
		told: false,
		losses: 0,
		stateObservers: 0,
	};
	facts.runs.push(noted);
	const state$ = new Observable<typeof claim.state>((subscriber) => {
		noted.stateObservers++;
		subscriber.add(() => noted.stateObservers--);
		subscriber.add(claim.state$.subscribe(subscriber));
	});
	return { key, claim: Object.create(claim, { state$: { value: state$ } }) as typeof claim };
}

/** Notes it down where a host that has just refused is asked again; it then gives in, or the asking might never end. */
function isPressed({ facts, scheduler }: Stage): boolean {
	const pressed = facts.refusedAt === scheduler.frame;
	if (pressed) facts.faults.push("a host that has refused is left alone for a while");
	facts.refusedAt = scheduler.frame;
	return pressed;
}

/** The host takes the note: a turn of ours is about to begin. */
function woken(stage: Stage, keys: readonly RunKey[]): boolean {
	const { facts, parent$ } = stage;
	const { running, muted, woken: already, replaced } = facts.parent;
	if (running || muted || already || replaced) facts.faults.push("only an idle parent is woken");
	expectKeys(facts, keys, due(facts, "wake"), "a wake carries all that is held");
	facts.inFlight.push({ route: "wake", keys });
	facts.parent.woken = true;
	parent$.next({ type: "prompt_accepted", by: "message" });
	return true;
}

/** Notes a broken rule where something else was handed over than was due. */
export function expectKeys(facts: Facts, got: readonly RunKey[], wanted: readonly RunKey[], rule: string): void {
	if (got.join() !== wanted.join()) facts.faults.push(`${rule}: [${got}] instead of [${wanted}]`);
}

/** A stream that is observed although nobody should observe it any more. */
export function isObserved(stream$: Observable<unknown>): boolean {
	const source$ = stream$ instanceof Subject ? stream$ : stream$.source;
	return source$ instanceof Subject && source$.observed;
}
