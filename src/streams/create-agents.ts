import { defer, finalize, ignoreElements, map, merge, type Observable, of, type SchedulerLike, Subject } from "rxjs";
import { createAdmission } from "../operators/index.ts";
import { type AgentRun, createAgentRun } from "./agent-run.ts";
import {
	type Agents,
	type Publishable,
	type Reading,
	type ResumeRequest,
	SpawnRefused,
	type SpawnRequest,
	type SteerReceipt,
	SteerRefused,
	type StopReport,
} from "./agents.ts";
import type { AgentId, CorrelationId } from "./ids.ts";
import type { StopRequest } from "./outcome.ts";
import type { StartRun } from "./ports.ts";
import {
	type AgentRecord,
	isTerminal,
	newRecord,
	type QueuedRecord,
	resumedRecord,
	type TerminalRecord,
} from "./record.ts";

/** What `createAgents` needs from outside: how to start a run, new identities, time and bounds. */
export interface AgentsOptions {
	readonly startRun: StartRun;
	/** How many background agents may run at once; may change at any time. */
	readonly maxConcurrent$: Observable<number>;
	/** How many agents may be alive or in line at once. */
	readonly maxAgents: () => number;
	/** How many sessions of ended agents that have not come to rest are borne before nothing new starts. */
	readonly maxZombies: () => number;
	/** Fresh identities: randomness comes from outside. */
	readonly newIds: () => { readonly agentId: AgentId; readonly correlationId: CorrelationId };
	/** The source of time. */
	readonly scheduler: SchedulerLike;
}

/** The agents of one parent session. The caller owns them and ends them with `shutdown()`. */
export function createAgents(options: AgentsOptions): Agents {
	/** Each agent's current run; earlier ones may still be closing, or be in line for publication. */
	const runs = new Map<AgentId, AgentRun>();
	/** Every run, in the order in which they joined the line or started. */
	const opened = new Set<AgentRun>();
	const changes$ = new Subject<AgentRecord>();
	const publishable$ = new Subject<Publishable>();
	const admission = createAdmission({ limit$: options.maxConcurrent$ });
	let ending = false;

	const records = (): AgentRecord[] => [...runs.values()].map((run) => run.record);
	const runOf = (agentId: AgentId): AgentRun => {
		const run = runs.get(agentId);
		if (!run) throw new Error(`There is no agent ${agentId}`);
		return run;
	};

	const open = (record: QueuedRecord, prompt: string, before$?: Observable<TerminalRecord>): AgentRecord => {
		const { agentId, correlationId, config, background } = record;
		const run = createAgentRun(
			record,
			{ agentId, correlationId, config, prompt, run: record.run },
			{
				startRun: options.startRun,
				now: () => options.scheduler.now(),
				onSnapshot: (snapshot) => changes$.next(snapshot),
				onLateSpend: (spend) => {
					const current = runs.get(agentId);
					if (current !== run) current?.inherit(spend);
				},
				...(background ? { admission } : {}),
				...(before$ === undefined ? {} : { before$ }),
			},
		);
		runs.set(agentId, run);
		opened.add(run);
		changes$.next(record);
		// Before the start: a run that settles synchronously is publishable all the same.
		if (background) publishable$.next({ key: run.key, claim: run.claim, quiet: () => wasStoppedByUser(run.record) });
		run.start();
		return run.record;
	};

	const spawn = (request: SpawnRequest): AgentRecord => {
		const refusal = refuseSpawn(opened, ending, options);
		if (refusal) throw new SpawnRefused(refusal);
		const { prompt, ...rest } = request;
		return open(newRecord({ ...rest, ...options.newIds() }, options.scheduler.now()), prompt);
	};

	const resume = (agentId: AgentId, { prompt, ...by }: ResumeRequest): AgentRecord => {
		const { record, closed$ } = runOf(agentId);
		if (!isTerminal(record)) {
			throw new SpawnRefused(`Agent ${agentId} is ${record.status}: send it a message with steer_subagent instead.`);
		}
		const refusal = refuseSpawn(opened, ending, options);
		if (refusal) throw new SpawnRefused(refusal);
		return open(resumedRecord(record, by), prompt, closed$);
	};

	// The line first, from its end: a slot that comes free on the way must not start one that is about to be stopped.
	const stopAll = (these: readonly AgentRun[], request: StopRequest): void => {
		const inLine = [...opened].filter((run) => run.record.status === "queued" && these.includes(run));
		for (const run of [...inLine.reverse(), ...these]) run.stop(request);
	};

	const stop = (agentIds: readonly AgentId[], request: StopRequest): Observable<StopReport> => {
		const asked = [...new Set(agentIds)].map(runOf);
		const reports = asked.map(reportStop);
		stopAll(asked, request);
		return merge(...reports);
	};

	return {
		spawn,
		resume,
		stop,
		get: (agentId) => runs.get(agentId)?.record,
		list: records,
		placeInLine: (agentId) => {
			const place = recordsInLine(opened).findIndex((record) => record.agentId === agentId);
			return place < 0 ? undefined : place + 1;
		},
		changes$: changes$.asObservable(),
		publishable$: publishable$.asObservable(),
		watch: (agentId) => runOf(agentId).watch$,
		foreground: (agentId) => foreground(runOf(agentId)),
		completion: (agentId) => runOf(agentId).completion$,
		claim: (agentId) => claim(runOf(agentId)),
		steer: (agentId, message) => steer(runOf(agentId), message),
		shutdown: () => {
			ending = true;
			const request: StopRequest = { status: "stopped", reason: "parent_shutdown" };
			// Every run is told before anything is waited for; those that are still closing are waited for as well.
			stopAll([...runs.values()], request);
			return merge(...[...opened].map((run) => run.closed$)).pipe(
				ignoreElements(),
				finalize(() => {
					for (const run of opened) run.dispose();
					admission.close();
					changes$.complete();
					publishable$.complete();
				}),
			);
		},
	};
}

/** Who stands in line for a slot, the next to start first: in the order of the runs, which a resumed agent joins last. */
function recordsInLine(opened: ReadonlySet<AgentRun>): AgentRecord[] {
	return [...opened].map((run) => run.record).filter((record) => record.status === "queued" && record.background);
}

/** Why nothing may start now, or `undefined`. */
function refuseSpawn(opened: ReadonlySet<AgentRun>, ending: boolean, options: AgentsOptions): string | undefined {
	if (ending) return "The session is ending: no agent is started any more.";
	const records = [...opened].map((run) => run.record);
	const live = records.filter((record) => !isTerminal(record)).length;
	if (live >= options.maxAgents()) {
		const who = live === 1 ? "1 agent is" : `${live} agents are`;
		return `${who} alive or in line, which is the limit (maxAgents). Wait for one with get_subagent_result; a person can stop one with /agents stop.`;
	}
	const zombies = records.filter(isZombie).length;
	if (zombies >= options.maxZombies()) {
		const what = zombies === 1 ? "1 session of an ended agent has" : `${zombies} sessions of ended agents have`;
		return `${what} not come to rest, which is the limit (maxZombies). If that stays so, only a restart of Pi helps.`;
	}
	return undefined;
}

function wasStoppedByUser(record: AgentRecord): boolean {
	return isTerminal(record) && record.outcome.verdict.reason === "stopped_by_user";
}

/** A resume does not lay a zombie to rest; and a run that never started has no session to be one. */
function isZombie(record: AgentRecord): boolean {
	return isTerminal(record) && record.closed === "grace_expired" && record.startedAt !== undefined;
}

function foreground(run: AgentRun): Observable<AgentRecord> {
	return run.watch$.pipe(finalize(() => run.stop({ status: "stopped", reason: "stopped_by_parent" })));
}

function claim(run: AgentRun): Observable<Reading> {
	return run.claim.claim$.pipe(map((record) => ({ record, published: run.claim.state.kind === "committed" })));
}

function steer(run: AgentRun, message: string): SteerReceipt {
	const { record } = run;
	if (record.status !== "running") {
		throw new SteerRefused(`Agent ${record.agentId} is ${record.status}: only a running agent can be steered.`);
	}
	if (record.stopping) throw new SteerRefused(`Agent ${record.agentId} is being stopped and reads nothing more.`);
	run.mailbox.post({ text: message, from: "parent" });
	return record.sessionReady ? "queued" : "held";
}

/** The report on a run that is about to be told to stop; it comes when the run has come to rest. */
function reportStop(run: AgentRun): Observable<StopReport> {
	const { agentId } = run.record;
	const wasLive = !isTerminal(run.record);
	return defer((): Observable<StopReport> => {
		if (!wasLive) return of({ agentId, result: "not_live", record: run.record });
		return run.closed$.pipe(
			map(
				(record): StopReport => ({ agentId, record, result: record.closed === "verified" ? "stopped" : "unverified" }),
			),
		);
	});
}
