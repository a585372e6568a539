import { asyncScheduler, BehaviorSubject, firstValueFrom, forkJoin, lastValueFrom, Observable, take } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	type AgentId,
	type Agents,
	createAgents,
	createOutbox,
	createSpendWatermark,
	type ParentActivity,
	type RunEvent,
	type RunInputs,
	type RunKey,
	type StartRun,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { request } from "../support/agents-fixture.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { processState } from "../support/process-state.ts";
import { agentId, doneOutcome, spendOf } from "../support/run-script.ts";

/** `npm run test:soak` asks for ten thousand. */
const cycles = Number(process.env.SOAK_CYCLES ?? 2_000);
/** By then everything is there that stays for good. */
const warm = 100;

const script: readonly RunEvent[] = [
	{ type: "session_ready", session: { model: "local/child", thinking: "off", tools: [] } },
	{ type: "turn_started" },
	{ type: "text_delta", delta: "ans" },
	{ type: "tool_started", toolCallId: "x", toolName: "bash" },
	{ type: "tool_ended", toolCallId: "x", toolName: "bash", isError: false },
	{ type: "message_ended", text: "answer", spend: spendOf(10, 5) },
	{ type: "turn_ended", continues: false },
	{ type: "settled", outcome: doneOutcome },
	{ type: "closed", how: "verified" },
];

/** Runs that say one thing a microtask, each over a session of its own; a stop is heard at the next of them. */
function soakedRuns(opened: (session: object, inputs: RunInputs) => void): StartRun {
	return (_spec, inputs) =>
		new Observable((subscriber) => {
			const session = { transcript: "x".repeat(100_000) };
			opened(session, inputs);
			let rest = script;
			subscriber.add(
				inputs.stop$.subscribe({
					next: (verdict) => {
						rest = [{ type: "settled", outcome: { ...doneOutcome, verdict } }, ...script.slice(-1)];
					},
					error: (error: unknown) => subscriber.error(error),
				}),
			);
			const say = (): void => {
				const [event, ...more] = rest;
				rest = more;
				if (event === undefined) subscriber.complete();
				else {
					// As a run does, which has its session for as long as it speaks.
					if (session.transcript !== "") subscriber.next(event);
					if (!subscriber.closed) queueMicrotask(say);
				}
			};
			queueMicrotask(say);
		});
}

function soakWorld() {
	const slots$ = new BehaviorSubject(1);
	const activity$ = new BehaviorSubject<ParentActivity>("idle");
	/** Runs to whose inputs somebody still listens. */
	let listening: RunInputs[] = [];
	let collected = 0;
	const sessions = new FinalizationRegistry<void>(() => collected++);
	let started = 0;
	let ids = 0;
	const agents = createAgents({
		startRun: soakedRuns((session, inputs) => {
			started++;
			sessions.register(session);
			listening.push(inputs);
		}),
		scheduler: asyncScheduler,
		maxConcurrent$: slots$,
		maxAgents: () => 64,
		maxZombies: () => 8,
		newIds: () => ({ agentId: agentId(`agent${++ids}`), correlationId: toCorrelationId(`c${ids}`) }),
	});
	let woken: readonly RunKey[] = [];
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$,
		port: {
			wake: ({ deliveries }) => {
				woken = deliveries;
				return true;
			},
			committed: () => new Set(woken),
			notify: (text) => expect.unreachable(text),
		},
		compose: (records) => {
			const delivery = records.map(({ agentId: id, run }) => `${id}#${run}` as RunKey);
			return { text: "", deliveries: delivery, details: { delivery, agents: [] } };
		},
		scheduler: asyncScheduler,
	});
	const published = async (): Promise<void> => {
		while (woken.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
		outbox.reconcile("past_start");
		woken = [];
	};
	return {
		agents,
		outbox,
		published,
		takeSpend: createSpendWatermark(agents).take,
		/** What the world has open: the same number after any count of cycles. */
		observers: () => {
			listening = listening.filter(({ stop$ }) => "observed" in stop$ && stop$.observed === true);
			return { slots: slots$.observers.length, activity: activity$.observers.length, runs: listening.length };
		},
		sessionsLeft: () => started - collected,
		end: async () => {
			outbox.close();
			await lastValueFrom(agents.shutdown(), { defaultValue: undefined });
		},
	};
}

type World = ReturnType<typeof soakWorld>;

/** Spawns an agent, lets it settle, and reads it: in the foreground, by a wait, as a message, stopped, and resumed. */
async function cycle(world: World, number: number): Promise<void> {
	const { agents } = world;
	const kind = number % 5;
	const background = kind !== 0;
	if (background && kind === 2) await first(withdrawn(agents));
	const { agentId: id } = agents.spawn(request({ background, prompt: `task ${number} ${"x".repeat(200)}` }));
	if (kind === 0) expect(await last(agents.foreground(id))).toMatchObject({ status: "completed" });
	if (kind === 1 || kind === 4) expect(await first(agents.claim(id))).toMatchObject({ published: false });
	if (kind === 2) await world.published();
	if (kind === 3) {
		const reading = first(agents.claim(id));
		await last(agents.stop([id], { status: "stopped", reason: "stopped_by_user" }));
		expect(await reading).toMatchObject({ record: { status: "stopped" } });
	}
	if (kind === 4) {
		const { config } = request();
		agents.resume(id, { prompt: "go on", config, background: false });
		expect(await last(agents.foreground(id))).toMatchObject({ status: "completed", run: 2 });
	}
	world.takeSpend();
	await first(closed(agents, id));
}

/** Two agents that are stopped, the second while it stands in line; emits when both have been read. */
function withdrawn(agents: Agents): Observable<unknown> {
	const both = [1, 2].map(() => agents.spawn(request({ background: true })).agentId);
	const stopped$ = agents.stop(both, { status: "stopped", reason: "stopped_by_user" });
	return forkJoin([...both.map((id) => agents.claim(id).pipe(take(1))), stopped$]);
}

/** Emits when the agent has come to rest. */
function closed(agents: Agents, id: AgentId): Observable<void> {
	return new Observable((subscriber) => {
		const look = (): void => {
			const record = agents.get(id);
			if (record && "closed" in record && record.closed === "verified") subscriber.next();
			else setImmediate(look);
		};
		look();
	});
}

function first<T>(values$: Observable<T>): Promise<T | undefined> {
	return firstValueFrom(values$, { defaultValue: undefined });
}

function last<T>(values$: Observable<T>): Promise<T | undefined> {
	return lastValueFrom(values$, { defaultValue: undefined });
}

describe(`${cycles} agents that are spawned, settle and are read`, () => {
	it("leave their records and nothing else: no timer, no subscription, no session, at most 8 KB each", {
		timeout: 300_000,
	}, async () => {
		const world = soakWorld();
		for (let number = 0; number < warm; number++) await cycle(world, number);
		const warmObservers = world.observers();
		await collectGarbage();
		const before = { state: processState(), observers: warmObservers };
		const [heap, records] = [process.memoryUsage().heapUsed, world.agents.list().length];
		for (let number = warm; number < cycles; number++) await cycle(world, number);
		// First, since this test lets go of the inputs of runs that are over only when it counts them.
		const observers = world.observers();
		await collectGarbage();
		expect({ state: processState(), observers }).toEqual(before);
		const grown = process.memoryUsage().heapUsed - heap;
		const each = grown / (world.agents.list().length - records);
		expect(each).toBeLessThan(8 * 1024);
		// A next spawn lets go of the last one.
		expect(world.sessionsLeft()).toBeLessThanOrEqual(1);
		expect(world.outbox.keys).toEqual([]);
		await world.end();
		expect(world.observers()).toEqual({ slots: 0, activity: 0, runs: 0 });
	});
});
