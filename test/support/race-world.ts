import { BehaviorSubject, defer, map, mergeMap, type Observable, type SchedulerLike, Subscription } from "rxjs";
import type { TestScheduler } from "rxjs/testing";
import {
	type AgentRecord,
	type Agents,
	createAgents,
	createGroups,
	type GroupId,
	isTerminal,
	parseGroupId,
	SpawnRefused,
	SteerRefused,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { foregroundHandle } from "../../src/tools/foreground-handle.ts";
import { request } from "./agents-fixture.ts";
import { type RaceCalls, raceCalls } from "./race-calls.ts";
import { scriptedChild } from "./race-child.ts";
import type { Mark } from "./race-diagram.ts";
import { groupActs } from "./race-groups.ts";
import { ownerLetter, readingLetter, statusLetter } from "./race-letters.ts";
import { createRaceLog, type RaceLog } from "./race-log.ts";
import { raceParent } from "./race-parent.ts";
import { agentId, testConfig } from "./run-script.ts";

/** The real agents and the real outbox in virtual time, moved by the letters of a diagram. */
export interface RaceWorld {
	/** Lets a row do what its letter says, now. */
	act(row: string, letter: string): void;
	/** What came of each row so far. */
	readonly rows: ReadonlyMap<string, readonly Mark[]>;
	/** The calls whose signal does not have as many listeners as calls that wait on it. */
	leaks(): string[];
	/** Writes nothing down any more, and ends everything. */
	close(): void;
}

/** `ownSignals`: the rows of calls that are aborted by themselves; all others share the signal of `Esc`. */
export function raceWorld(scheduler: TestScheduler, ownSignals: ReadonlySet<string>): RaceWorld {
	const log = createRaceLog(scheduler);
	const calls = raceCalls(log, ownSignals);
	const child = scriptedChild(log.note);
	const slots$ = new BehaviorSubject(4);
	let names = ["A"];
	const agents = createAgents({
		startRun: child.startRun,
		scheduler,
		maxConcurrent$: slots$,
		maxAgents: () => 64,
		maxZombies: () => 8,
		newIds: () => {
			const [name = "?", ...rest] = names;
			names = rest;
			return { agentId: idOf(name), correlationId: toCorrelationId(name) };
		},
	});
	const nextAre = (next: readonly string[]) => {
		names = [...next];
	};
	const groups = groupActs(createGroups({ agents, newGroupId: () => groupId(names) }), log, calls, nextAre);
	const parent = raceParent(agents, scheduler, log);
	const observed = observe(agents, log);
	const acts: RowActs = {
		...agentActs(agents, log, calls, scheduler, (name) => nextAre([name])),
		...groups,
		run: (row, letter) => child.say(row, letter),
		tool: (_row, letter, name) => child.say(`run ${name}`, letter),
		parent: (_row, letter) => parent.act(letter),
		host: (_row, letter) => parent.take(letter === "y"),
		slots: (_row, letter) => slots$.next(Number(letter)),
		session: (row) => {
			// In the order of a session's end: publication first.
			parent.close();
			calls.follow(row, agents.shutdown());
		},
	};
	return {
		rows: log.rows,
		leaks: calls.leaks,
		act: (row, letter) => {
			const [kind = "", name = ""] = row.split(/[ #]/);
			const act = acts[kind];
			if (act === undefined) throw new Error(`there is no row "${row}"`);
			act(row, letter, name);
		},
		close: () => {
			log.close();
			calls.close();
			parent.close();
			observed.unsubscribe();
			agents.shutdown().subscribe({ error: raise }).unsubscribe();
		},
	};
}

function groupId(names: readonly string[]): GroupId {
	const id = parseGroupId(`group-${names.join("")}`);
	if (id === undefined) throw new Error("a group has members");
	return id;
}

type RowActs = Readonly<Record<string, (row: string, letter: string, name: string) => void>>;

/** The rows that are about an agent. `nextIs` says how the agent that is spawned next is called. */
function agentActs(
	agents: Agents,
	log: RaceLog,
	calls: RaceCalls,
	scheduler: SchedulerLike,
	nextIs: (name: string) => void,
): RowActs {
	function spawn(name: string, background: boolean): AgentRecord {
		nextIs(name);
		return agents.spawn(request({ background }));
	}
	function foregroundCall(name: string): Observable<string> {
		const { agentId: id } = spawn(name, false);
		const show = (record: AgentRecord) => log.note(`updates ${name}`, statusLetter(record));
		return foregroundHandle(agents.foreground(id), isTerminal, show, scheduler).pipe(map(statusLetter));
	}
	function resume(name: string): AgentRecord {
		return agents.resume(idOf(name), { prompt: "go on", config: testConfig, background: true });
	}
	return {
		wait: (row, letter, name) =>
			calls.act(row, letter, () => defer(() => agents.claim(idOf(name))).pipe(map(readingLetter))),
		Agent: (row, letter, name) => calls.act(row, letter, () => defer(() => foregroundCall(name))),
		Esc: () => calls.esc(),
		spawn: (row, _letter, name) =>
			log.note(
				row,
				orRefused(() => statusLetter(spawn(name, true))),
			),
		resume: (row, _letter, name) =>
			log.note(
				row,
				orRefused(() => statusLetter(resume(name))),
			),
		steer: (row, letter, name) =>
			log.note(
				row,
				orRefused(() => (agents.steer(idOf(name), letter) === "held" ? "h" : "q")),
			),
		stop: (row, _letter, name) => calls.follow(row, stopReports(agents, name)),
	};
}

const idOf = (name: string) => agentId(`agent-${name}`);

/** Writes down what becomes of every record and of the ownership of every result. */
function observe(agents: Agents, log: RaceLog): Subscription {
	const observed = new Subscription();
	const owners$ = agents.publishable$.pipe(
		mergeMap(({ key, claim }) =>
			claim.state$.pipe(map((state) => ({ row: `owner ${key.replace(/^agent-|#1$/g, "")}`, state }))),
		),
	);
	observed.add(owners$.subscribe({ next: ({ row, state }) => log.note(row, ownerLetter(state)), error: raise }));
	observed.add(agents.changes$.subscribe({ next: (record) => noteRecord(record, log), error: raise }));
	return observed;
}

function noteRecord(record: AgentRecord, log: RaceLog): void {
	const name = record.agentId.replace(/^agent-/, "");
	log.noteChange(`status ${name}`, statusLetter(record));
	if (record.toolsStarted > 0) log.noteChange(`started ${name}`, String(record.toolsStarted));
	if (record.toolUses > 0) log.noteChange(`ended ${name}`, String(record.toolUses));
	if (!isTerminal(record) || record.closed !== undefined) return;
	for (const text of record.outcome.unread) log.note(`unread ${name}`, text);
}

function stopReports(agents: Agents, name: string): Observable<string> {
	const letters = { stopped: "v", unverified: "z", not_live: "n" } as const;
	return agents
		.stop([idOf(name)], { status: "stopped", reason: "stopped_by_user" })
		.pipe(map(({ result }) => letters[result]));
}

/** What `act` returns, or `n` when it is refused. */
function orRefused(act: () => string): string {
	try {
		return act();
	} catch (error) {
		if (error instanceof SpawnRefused || error instanceof SteerRefused) return "n";
		throw error;
	}
}

function raise(error: unknown): never {
	throw error;
}
