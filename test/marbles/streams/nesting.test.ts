import { distinctUntilChanged, filter, map, merge, type Observable, of, Subject, take, timer, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	type AgentId,
	type Agents,
	agentsOf,
	createGroups,
	type GroupId,
	groupsOf,
	isTerminal,
	keepPublishable,
	type RunEvent,
	type RunSpec,
	SpawnRefused,
	type StartRun,
} from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { agentId, doneOutcome, scriptedRuns, testConfig } from "../../support/run-script.ts";

const [one, two, three, four] = ["agent1", "agent2", "agent3", "agent4"].map(agentId) as [
	AgentId,
	AgentId,
	AgentId,
	AgentId,
];
const byUser = { status: "stopped", reason: "stopped_by_user" } as const;

/** A background agent of the session, or of an agent. */
const spawn = (agents: Agents, parent?: AgentId) =>
	agents.spawn(request({ background: true, ...(parent ? { parent } : {}) }));

const statuses = (agents: Agents): string[] => agents.list().map(word);

const refusal = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		if (error instanceof SpawnRefused) return error.message;
		throw error;
	}
	return "nothing was refused";
};

/** Remembers who was started, in order. */
function counted(startRun: StartRun): { readonly startRun: StartRun; readonly started: RunSpec[] } {
	const started: RunSpec[] = [];
	return {
		started,
		startRun: (spec, inputs) => {
			started.push(spec);
			return startRun(spec, inputs);
		},
	};
}

// biome-ignore format: the diagrams stand in columns.
describe("agents of an agent", () => {
	it("do not stand in the session's line: an agent that waits for its own holds the only slot", marbles(({ expectObservable, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r--------s-c|", "r--s-c|"]);
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		spawn(agents);
		expect(spawn(agents, one).status).toBe("running");
		spawn(agents, one);
		spawn(agents);
		// Each stands first in a line of its own.
		expect([agents.placeInLine(three), agents.placeInLine(four)]).toEqual([1, 1]);
		expectObservable(agents.completion(two).pipe(map(word))).toBe(  "---(c|)", { c: "completed" });
		expectObservable(agents.completion(three).pipe(map(word))).toBe("--------(c|)", { c: "completed" });
		// Behind the slot of the session's first agent.
		expectObservable(agents.completion(four).pipe(map(word))).toBe( "--------------(c|)", { c: "completed" });
	}));

	it.each([
		["a person stops it", (agents: Agents) => void agents.stop([one], byUser).subscribe({ error: () => undefined })],
		["its call is aborted", (agents: Agents) => agents.foreground(one).subscribe({ error: () => undefined }).unsubscribe()],
	])("end with it when %s, and none of them starts on the way", (_how, stop) => marbles(({ hot, flush, ...h }, scheduler) => {
		const { startRun, started } = counted(scriptedRuns(h, ["r------------"], { settle: 0, close: 0 }).startRun);
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		spawn(agents);
		spawn(agents, one);
		spawn(agents, two);
		spawn(agents, one);
		spawn(agents);
		actAt(hot("---a|"), () => stop(agents));
		flush();
		expect(started.map(({ agentId: id, parent }) => [id, parent])).toEqual([
			[one, undefined], [two, one], [three, two], [agentId("agent5"), undefined],
		]);
		const below = "stopped:stopped_by_parent";
		expect(statuses(agents).slice(1)).toEqual([below, below, below, "running"]);
	})());

	it("are named by the report on its stop, once each", marbles(({ expectObservable, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r------------", "r------------", "r------------", "rs"], { settle: 1, close: 2 });
		const agents = agentsFixture(startRun, scheduler);
		spawn(agents);
		spawn(agents, one);
		spawn(agents, two);
		// One that has ended by itself is not named.
		spawn(agents, two);
		const reports$ = new Subject<string>();
		actAt(hot("--a|"), () => agents.stop([one, two], byUser).pipe(map((report) => `${report.agentId} ${report.result} ${word(report.record)}`)).subscribe(reports$));
		expectObservable(reports$.pipe(toArray())).toBe("-----(a|)", {
			a: [`${three} stopped stopped:stopped_by_parent`, `${two} stopped stopped:stopped_by_user`, `${one} stopped stopped:stopped_by_user`],
		});
	}));

	it.each([
		["fails", ["r--e-c|", "r---------"], {}],
		["is over its time", ["r---------", "r---------"], { runTimeout: 0.003 }],
	])("are stopped when it %s", (_how, scripts, limits) => marbles(({ expectObservable, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, scripts as string[], { settle: 0, close: 0 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request({ background: true, config: { ...testConfig, limits: { graceTurns: 1, ...limits } } }));
		spawn(agents, one);
		expectObservable(agents.completion(two).pipe(map(word))).toBe("---(x|)", { x: "stopped:stopped_by_parent" });
	})());

	it("end as it does with the session", marbles(({ hot, flush, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r------------"], { settle: 0, close: 0 });
		const agents = agentsFixture(startRun, scheduler);
		spawn(agents);
		spawn(agents, one);
		actAt(hot("--a|"), () => void agents.shutdown().subscribe({ error: () => undefined }));
		flush();
		expect(statuses(agents)).toEqual(["stopped:parent_shutdown", "stopped:parent_shutdown"]);
	}));

	it("are not touched by what is still heard of an earlier run of it", marbles(({ cold, flush, hot }, scheduler) => {
		const atRest$ = timer(8, scheduler);
		const settled: RunEvent = { type: "settled", outcome: doneOutcome };
		const givenUp: RunEvent = { type: "closed", how: "grace_expired", atRest$ };
		const startRun: StartRun = ({ run, agentId: id }) => id === one && run === 1
			? cold("--s(c|)", { s: settled, c: givenUp })
			: cold("--------------", {});
		const agents = agentsFixture(startRun, scheduler);
		const first = agents.spawnAll([request({ background: true })]);
		actAt(hot("-----a|"), () => {
			agents.resume(one, { prompt: "on", config: testConfig, background: true });
			spawn(agents, one);
		});
		// A stop of that run, which has not come to rest, is none of the next one either.
		actAt(hot("------a|"), () => first.stop(byUser));
		flush();
		expect(agents.get(one)?.run).toBe(2);
		expect(statuses(agents)).toEqual(["running", "running"]);
	}));

	it("are its own when it goes on, too", marbles(({ flush, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r---e-c|", "r-s-c|", "r----------"]);
		const agents = agentsFixture(startRun, scheduler);
		spawn(agents);
		spawn(agents, one);
		actAt(hot("--------a|"), () => {
			agents.resume(one, { prompt: "on", config: testConfig, background: true });
			agents.resume(two, { prompt: "on", config: testConfig, background: true });
		});
		flush();
		expect(agents.list().map(({ agentId: id, parent, run }) => [id, parent, run])).toEqual([[one, undefined, 2], [two, one, 2]]);
	}));

	it("are ended for their own silence, and it is not, nor while one of them waits for its provider", marbles(({ expectObservable, ...h }, scheduler) => {
		for (const [script, end] of [["r--------------------------", "aborted:idle_timeout"], ["rw------------------s-c|----", "completed"]] as const) {
			const { startRun } = scriptedRuns(h, ["r--------------------------", script], { settle: 0, close: 0 });
			const agents = agentsFixture(startRun, scheduler);
			const config = { ...testConfig, limits: { graceTurns: 1, idleTimeout: 0.005 } };
			for (const parent of [{}, { parent: one }]) agents.spawn(request({ background: true, config, ...parent }));
			const verdicts$ = agents.changes$.pipe(filter(isTerminal), take(1), map((record) => `${record.agentId} ${word(record)}`));
			expectObservable(verdicts$).toBe(script.startsWith("rw") ? "--------------------(x|)" : "-----(x|)", { x: `${two} ${end}` });
		}
	}));

	it("keep it from being silent", marbles(({ expectObservable, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r--------------------", "r--d--d--d--d--s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request({ config: { ...testConfig, limits: { graceTurns: 1, idleTimeout: 0.005 } } }));
		spawn(agents, one);
		// From the last that is heard of the one below: it came to rest in frame 17.
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-----------------------(x|)", { x: "aborted:idle_timeout" });
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("an agent is refused", () => {
	it("below one that does not run: in line, being stopped, or at its end", marbles(({ flush, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r-----------"], { settle: 2, close: 1 });
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		spawn(agents);
		spawn(agents);
		const why = (parent: AgentId) => `Agent ${parent}, below which it would run, is not running any more.`;
		expect(refusal(() => spawn(agents, two))).toBe(why(two));
		const refused: string[] = [];
		actAt(hot("--a-b--|"), () => {
			if (agents.get(one)?.status === "running") void agents.stop([one], byUser).subscribe({ error: () => undefined });
			refused.push(refusal(() => spawn(agents, one)));
		});
		flush();
		expect(refused).toEqual([why(one), why(one)]);
		expect(agents.list()).toHaveLength(2);
	}));

	it("that would go on below one that does not run", marbles(({ flush, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r----s-c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		spawn(agents);
		spawn(agents, one);
		const refused: string[] = [];
		actAt(hot("---------a|"), () => refused.push(refusal(() => agents.resume(two, { prompt: "on", config: testConfig, background: true }))));
		flush();
		expect(refused).toEqual([`Agent ${one}, below which it would run, is not running any more.`]);
	}));

	it("at a level beyond maxDepth, and nothing has happened then", marbles((h, scheduler) => {
		const { startRun, started } = counted(scriptedRuns(h, ["r-----------"]).startRun);
		const agents = agentsFixture(startRun, scheduler, { maxDepth: 2 });
		spawn(agents);
		spawn(agents, one);
		expect(refusal(() => spawn(agents, two))).toBe("Agents may have 2 levels, and this one would be at level 3 (maxDepth). Go on without it.");
		expect(started).toHaveLength(2);
		expect(refusal(() => spawn(agentsFixture(startRun, scheduler, { maxDepth: 1 }), one))).toContain("not running");
	}));

	it.each([
		["maxAgents", { maxAgents: 3 }, ["r----------"], "3 agents are alive or in line, which is the limit (maxAgents)."],
		["maxZombies", { maxZombies: 2 }, ["r---------", "r-s-z|"], "2 sessions of ended agents have not come to rest, which is the limit (maxZombies)."],
		["maxCostUsd", { maxCost: 0.02 }, ["r-----------", "r-m--------"], "The money for subagents is spent: $0.02 of $0.02 (maxCostUsd)."],
	])("by %s, which counts the whole tree", (_limit, options, scripts, said) => marbles(({ flush, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, scripts as string[]);
		const agents = agentsFixture(startRun, scheduler, options);
		spawn(agents);
		spawn(agents, one);
		spawn(agents, one);
		const refused: string[] = [];
		actAt(hot("-------a|"), () => refused.push(refusal(() => spawn(agents))));
		flush();
		expect(refused[0]).toContain(said);
	})());
});

// biome-ignore format: the diagrams stand in columns.
describe("what an agent sees", () => {
	it("is what it has started itself, and the same holds for the session", marbles(({ flush, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		const [session, lead] = [agentsOf(agents, undefined), agentsOf(agents, one)];
		const seen: string[] = [];
		void merge(session.changes$.pipe(map((record) => `session ${record.agentId}`)), lead.changes$.pipe(map((record) => `lead ${record.agentId}`)))
			.pipe(distinctUntilChanged()).forEach((news) => { seen.push(news); });
		session.spawn(request());
		expect(lead.spawn(request()).parent).toBe(one);
		const [joint] = lead.spawnAll([request()]).runs;
		expect(joint?.record).toMatchObject({ agentId: three, parent: one });
		expect(session.list().map(({ agentId: id }) => id)).toEqual([one]);
		expect(lead.list().map(({ agentId: id }) => id)).toEqual([two, three]);
		expect([session.get(two), lead.get(one), lead.get(two)?.agentId]).toEqual([undefined, undefined, two]);
		const notThere = `There is no agent ${one}`;
		for (const touch of [
			() => lead.watch(one), () => lead.foreground(one), () => lead.completion(one), () => lead.claim(one),
			() => lead.stop([two, one], byUser), () => lead.steer(one, "hello"),
			() => lead.resume(one, { prompt: "on", config: testConfig, background: false }),
		]) expect(touch).toThrow(notThere);
		expect([lead.placeInLine(one), word(agents.get(two) ?? agents.spawn(request()))]).toEqual([undefined, "running"]);
		flush();
		expect(new Set(seen)).toEqual(new Set([`session ${one}`, `lead ${two}`, `lead ${three}`]));
	}));

	it("are its own groups, whose members are its own agents", marbles(({ flush, ...h }, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r-s-c|"]).startRun, scheduler);
		spawn(agents);
		const groups = createGroups({ agents, newGroupId: () => "g-1" as GroupId });
		const [session, lead] = [groupsOf(groups, undefined), groupsOf(groups, one)];
		const members = ["a", "b"].map((name) => ({ name, after: [], spawn: request() }));
		const group = lead.spawn({ kind: "crew", description: "both", members, background: true, join: "group" });
		expect(group.members.map(({ record }) => record.parent)).toEqual([one, one]);
		expect([session.list(), lead.list()]).toEqual([[], [group]]);
		expect([session.get(group.groupId), session.of(two), lead.of(two)]).toEqual([undefined, undefined, group]);
		flush();
	}));

	it("are the results that nobody has had yet, from before it began as well, each once", marbles(({ expectObservable, hot, ...h }, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r-----------", "r-s-c|"]).startRun, scheduler);
		const { of: resultsOf } = keepPublishable(agents.publishable$);
		spawn(agents);
		spawn(agents, one);
		spawn(agents, one);
		spawn(agents);
		const keys = (results$: Observable<{ readonly key: string }>) => results$.pipe(map(({ key }) => key));
		const read$ = new Subject<string>();
		actAt(hot("----a|"), () => agents.claim(two).pipe(map(({ record }) => word(record)), take(1)).subscribe(read$));
		actAt(hot("-----a|"), () => spawn(agents, one));
		expectObservable(read$).toBe("----(a|)", { a: "completed" });
		expectObservable(keys(resultsOf(one)), "^-----!").toBe("(ab)-c", { a: `${two}#1`, b: `${three}#1`, c: "agent5#1" });
		expectObservable(keys(resultsOf(one)), "------^-!").toBe("------(bc)", { b: `${three}#1`, c: "agent5#1" });
		expectObservable(keys(agentsOf(agents, undefined).publishable$), "^-----!").toBe("");
	}));
});
