import { distinctUntilChanged, EMPTY, ignoreElements, map, mergeMap, of, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type RunEvent, SpawnRefused, type StartRun, SteerRefused } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { agentId, runEvents, scriptedRuns, testConfig } from "../../support/run-script.ts";

const [one, two, three] = ["agent1", "agent2", "agent3"].map(agentId) as [
	ReturnType<typeof agentId>,
	ReturnType<typeof agentId>,
	ReturnType<typeof agentId>,
];
const background = request({ background: true });
const words = {
	q: "queued",
	r: "running",
	S: "stopping",
	c: "completed",
	p: "error:provider_error",
	x: "stopped:stopped_by_parent",
};

// biome-ignore format: the diagrams stand in columns.
describe("a foreground agent", () => {
	it("runs at once and is watched to its end", marbles(({ expectObservable, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r-t-ms-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		const watched$ = agents.watch(one).pipe(map(word), distinctUntilChanged());
		expectObservable(watched$).toBe(     "r----(c|)", words);
	}));

	it("stops when its handle is left (seed 000 §8.3, §17 Cancellation)", marbles(({ expectObservable, expectSubscriptions, ...h }, scheduler) => {
		const { startRun, sources } = scriptedRuns(h, ["r-t-------s-c|"], { settle: 2, close: 1 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		expectObservable(agents.foreground(one).pipe(map(word), distinctUntilChanged()), "^---!").toBe("r", words);
		expectObservable(agents.completion(one).pipe(map(word))).toBe("------(x|)", words);
		expectSubscriptions((sources[0] ?? h.cold("|")).subscriptions).toBe("^---!");
	}));

	it("is not stopped by a handle that is left after the end", marbles(({ cold, expectObservable, flush }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		expectObservable(agents.foreground(one).pipe(map(word), distinctUntilChanged())).toBe("r-(c|)", words);
		flush();
		expect(agents.get(one)).toMatchObject({ status: "completed", closed: "verified" });
	}));

	it("has what it starts from, which its record does not keep", marbles(({ cold, flush }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|", "r-s-c|"]);
		const started: unknown[] = [];
		const watched: StartRun = (spec, inputs) => {
			started.push(spec.config);
			return startRun(spec, inputs);
		};
		const agents = agentsFixture(watched, scheduler);
		const config = { ...testConfig, inheritContext: true as const, inherited: [{}], parentPrompt: "You are." };
		agents.spawn(request({ config }));
		flush();
		agents.resume(one, { prompt: "more", config, background: false });
		expect(agents.get(one)?.config).toEqual({ ...testConfig, inheritContext: true });
		flush();
		expect(agents.get(one)?.config).toEqual({ ...testConfig, inheritContext: true });
		expect(started).toEqual([config, config]);
	}));

	it("does not stand in the line of background agents", marbles(({ cold, flush }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(0) });
		expect(agents.spawn(request()).status).toBe("running");
		expect(agents.spawn(background).status).toBe("queued");
		flush();
		expect(agents.list().map(word)).toEqual(["completed", "queued"]);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("background agents", () => {
	it("wait in line; a slot is free when a run has closed, not when it has settled", marbles(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
		const { startRun, sources } = scriptedRuns({ cold }, ["r-s--c|", "r-s--c|", "r-s--c|"]);
		const [a$, b$, c$] = sources as [(typeof sources)[0], (typeof sources)[0], (typeof sources)[0]];
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(2) });
		for (let i = 0; i < 3; i++) agents.spawn(background);
		expect(agents.placeInLine(three)).toBe(1);
		expectSubscriptions(a$.subscriptions).toBe("^----!");
		expectSubscriptions(b$.subscriptions).toBe("^----!");
		expectSubscriptions(c$.subscriptions).toBe("-----^----!");
		expectObservable(agents.completion(three).pipe(map(word))).toBe("-------(c|)", words);
	}));

	it("a slot whose run never came to rest is free when its grace is over", marbles(({ cold, expectObservable, hot }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r---------", "r-s-c|"], { settle: 3, close: 0, how: "grace_expired" });
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		agents.spawn(background);
		agents.spawn(background);
		const reports$ = hot("--x").pipe(mergeMap(() => agents.stop([one], { status: "stopped", reason: "stopped_by_user" })));
		expectObservable(reports$.pipe(map((report) => report.result))).toBe("-----u", { u: "unverified" });
		expectObservable(agents.watch(two).pipe(map(word), distinctUntilChanged())).toBe("q----r-(c|)", words);
	}));

	it("is independent of the call that spawned it (seed 000 §15 invariant 23)", marbles(({ cold, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r---s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(background);
		expectObservable(agents.watch(one).pipe(map(word), distinctUntilChanged()), "^-!").toBe("r", words);
		expectObservable(agents.completion(one).pipe(map(word))).toBe("----(c|)", words);
	}));

	it("one that is stopped in line never starts, and the rest move up (seed 000 §12.1 queued → stopped)", marbles(({ cold, expectObservable, expectSubscriptions, flush }, scheduler) => {
		const { startRun, sources } = scriptedRuns({ cold }, ["r-s-c|", "r-s-c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		for (let i = 0; i < 3; i++) agents.spawn(background);
		expect(agents.placeInLine(three)).toBe(2);
		const reports$ = agents.stop([two], { status: "stopped", reason: "stopped_by_user" });
		expect(agents.placeInLine(three)).toBe(1);
		expectObservable(reports$.pipe(map(({ result, record }) => `${result} ${word(record)}`))).toBe("(x|)", { x: "stopped stopped:stopped_by_user" });
		expectObservable(agents.completion(three).pipe(map(word))).toBe("------(c|)", words);
		expectSubscriptions((sources[1] ?? cold("")).subscriptions).toBe("----^---!");
		flush();
		expect(sources[2]?.subscriptions).toEqual([]);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("a run's completion", () => {
	it("exists before spawn returns, also for a run that settles at once (seed 000 §15 invariant 26)", marbles(({ expectObservable }, scheduler) => {
		const atOnce: StartRun = () => of<RunEvent[]>(...["r", "s", "c"].map((letter) => runEvents[letter] as RunEvent)) as never;
		const agents = agentsFixture(atOnce, scheduler);
		const seen: string[] = [];
		const listening = agents.publishable$.subscribe({ next: ({ key, claim }) => seen.push(`${key} ${claim.state.kind}`), error: () => undefined });
		expect(agents.spawn(background).status).toBe("completed");
		expect(seen).toEqual(["agent1#1 pending"]);
		listening.unsubscribe();
		expectObservable(agents.completion(one).pipe(map(word))).toBe("(c|)", words);
		expectObservable(agents.watch(one).pipe(map(word))).toBe("(c|)", words);
	}));

	it("is the same for whoever comes when, and nobody who leaves stops the run", marbles(({ cold, hot, expectObservable, expectSubscriptions }, scheduler) => {
		const { startRun, sources } = scriptedRuns({ cold }, ["r---e-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(background);
		const done$ = agents.completion(one).pipe(map(word));
		expectObservable(done$, "^--!").toBe(                              "");
		expectObservable(done$).toBe(                                      "----(p|)", words);
		expectObservable(hot("----x").pipe(mergeMap(() => done$))).toBe(   "----p", words);
		expectObservable(hot("--------x").pipe(mergeMap(() => done$))).toBe("--------p", words);
		expectSubscriptions((sources[0] ?? cold("")).subscriptions).toBe(  "^-----!");
	}));

	it.each([
		["ends without an outcome", (): StartRun => () => EMPTY, "error:internal"],
		["errors", (): StartRun => () => throwError(() => new Error("boom")), "error:internal"],
		["throws when it is started", (): StartRun => () => { throw new Error("boom"); }, "error:internal"],
	])("comes also from a run that breaks its contract and %s", (_name, start, expected) => {
		marbles(({ expectObservable }, scheduler) => {
			const agents = agentsFixture(start(), scheduler);
			agents.spawn(background);
			expect(agents.get(one)).toMatchObject({ closed: "verified" });
			expectObservable(agents.completion(one).pipe(map(word))).toBe("(x|)", { x: expected });
		})();
	});
});

describe("a run that says things out of order", () => {
	it.each([
		["closes before it has settled", "r-c"],
		["settles twice", "r-s-s"],
	])("is broken off and comes to rest when it %s", (_name, script) => {
		marbles(({ cold, expectSubscriptions, flush }, scheduler) => {
			const { startRun, sources } = scriptedRuns({ cold }, [script]);
			const agents = agentsFixture(startRun, scheduler);
			agents.spawn(background);
			expectSubscriptions((sources[0] ?? cold("")).subscriptions).toBe(`^${"-".repeat(script.length - 2)}!`);
			flush();
			expect(agents.get(one)).toMatchObject({ closed: "verified" });
			expect(agents.list().map(word)).toEqual([script === "r-c" ? "error:internal" : "completed"]);
		})();
	});
});

// biome-ignore format: the diagrams stand in columns.
describe("stopping", () => {
	it("tells all first, and reports each when it has come to rest", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r---------"], { settle: 1, close: 2 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(background);
		agents.spawn(request());
		const request$ = hot("--x").pipe(mergeMap(() => agents.stop([one, two], { status: "stopped", reason: "stopped_by_user" })));
		expectObservable(request$.pipe(map(({ agentId: id, result }) => `${id} ${result}`))).toBe("-----(ab)", { a: "agent1 stopped", b: "agent2 stopped" });
		const words1 = { r: "running", S: "stopping", x: "stopped:stopped_by_user" };
		expectObservable(agents.watch(one).pipe(map(word), distinctUntilChanged())).toBe("r-S(x|)", words1);
	}));

	it("says so when there was nothing left to stop", marbles(({ cold, expectObservable, hot }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		const late$ = hot("------x").pipe(mergeMap(() => agents.stop([one], { status: "stopped", reason: "stopped_by_user" })));
		expectObservable(late$.pipe(map(({ result }) => result))).toBe("------n", { n: "not_live" });
	}));

	it("the first reason counts", marbles(({ cold, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r--------"], { settle: 3, close: 0 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		void agents.stop([one], { status: "stopped", reason: "stopped_by_user" });
		void agents.stop([one], { status: "aborted", reason: "turn_limit" });
		expectObservable(agents.completion(one).pipe(map(word))).toBe("---(x|)", { x: "stopped:stopped_by_user" });
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("turn limits (seed 000 §15 invariant 25)", () => {
	const limited = (maxTurns: number, graceTurns: number) =>
		request({ config: { ...testConfig, limits: { maxTurns, graceTurns } } });

	it("ending by itself on the last allowed turn is completed", marbles(({ cold, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["rtntls-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(limited(2, 1));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-----(c|)", words);
	}));

	it("at the soft limit it is asked to wrap up, and is steered when it reads that and does", marbles(({ cold, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["rtnvtls-c|", "rtntls-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(limited(1, 1));
		agents.spawn(limited(1, 1));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("------(s|)", { s: "steered:wrapped_up" });
		// It has ended by itself before it got to read anything.
		expectObservable(agents.completion(two).pipe(map(word))).toBe("-----(c|)", words);
	}));

	it("after its grace turns it is stopped, before another request", marbles(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
		const { startRun, sources } = scriptedRuns({ cold }, ["rtntntntls-c|"], { settle: 1, close: 0 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(limited(1, 1));
		expectSubscriptions((sources[0] ?? cold("")).subscriptions).toBe("^---!");
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-----(x|)", { x: "aborted:turn_limit" });
	}));
});

describe("what is refused, before anything has happened", () => {
	it("an agent beyond maxAgents; the ended ones do not count", () =>
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
			const agents = agentsFixture(startRun, scheduler, { maxAgents: 2, maxConcurrent$: of(1) });
			agents.spawn(request());
			agents.spawn(background);
			expect(() => agents.spawn(background)).toThrow(SpawnRefused);
			expect(() => agents.spawn(background)).toThrow(/^2 agents are alive .*; a person can stop one/);
			expect(agents.list()).toHaveLength(2);
			flush();
			expect(agents.spawn(background).status).toBe("running");
		})());

	it("an agent beside too many sessions that never came to rest", () =>
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-s-z|"]);
			const agents = agentsFixture(startRun, scheduler, { maxZombies: 1 });
			agents.spawn(request());
			flush();
			expect(() => agents.spawn(request())).toThrow(/^1 session of an ended agent has not come to rest, .*maxZombies/);
		})());

	it("and says how many those are", () =>
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-s-z|", "r-s-z|"]);
			const agents = agentsFixture(startRun, scheduler, { maxZombies: 2, maxAgents: 2 });
			agents.spawn(request());
			agents.spawn(request());
			flush();
			expect(() => agents.spawn(request())).toThrow(/^2 sessions of ended agents have not come to rest, /);
		})());

	it("but not beside one that came to rest after all", () =>
		marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
			const atRest$ = hot("-----x");
			const closed: RunEvent = { type: "closed", how: "grace_expired", atRest$ };
			const startRun: StartRun = () => cold("r-s-(z|)", { ...runEvents, z: closed });
			const agents = agentsFixture(startRun, scheduler, { maxZombies: 1 });
			agents.spawn(request());
			const attempt$ = hot("----a-b").pipe(
				map(() => {
					try {
						return agents.spawn(request()).status;
					} catch (error) {
						return error instanceof SpawnRefused ? "refused" : "failed";
					}
				}),
			);
			expectObservable(attempt$).toBe("----x-r", { x: "refused", r: "running" });
			flush();
			expect(agents.get(one)).toMatchObject({ closed: "verified" });
		})());

	it("a message to an agent that is not running, with its status in the words", () =>
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["--r-s-c|"]);
			const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
			agents.spawn(background);
			agents.spawn(background);
			expect(agents.steer(one, "early")).toBe("held");
			expect(() => agents.steer(two, "x")).toThrow(SteerRefused);
			expect(() => agents.steer(two, "x")).toThrow(/queued/);
			flush();
			expect(() => agents.steer(one, "late")).toThrow(/completed/);
		})());

	it("a message to an agent that is being stopped", () =>
		marbles(({ cold }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-----"], { settle: 2, close: 2 });
			const agents = agentsFixture(startRun, scheduler);
			agents.spawn(request());
			void agents.stop([one], { status: "stopped", reason: "stopped_by_user" });
			expect(() => agents.steer(one, "x")).toThrow(/being stopped/);
		})());
});

// biome-ignore format: the diagrams stand in columns.
describe("the end of the parent's session", () => {
	it("stops what runs and what waits, and completes when all has come to rest", marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r---------"], { settle: 1, close: 2 });
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		agents.spawn(request());
		agents.spawn(background);
		agents.spawn(background);
		expectObservable(hot("--(x|)").pipe(mergeMap(() => agents.shutdown()))).toBe("-----|");
		expectObservable(agents.changes$.pipe(ignoreElements())).toBe(           "-----|");
		flush();
		expect(agents.list().map(word)).toEqual(Array(3).fill("stopped:parent_shutdown"));
		expect(() => agents.spawn(request())).toThrow(SpawnRefused);
	}));

	it("completes at once when there was nothing", marbles(({ expectObservable }, scheduler) => {
		expectObservable(agentsFixture(() => EMPTY, scheduler).shutdown()).toBe("|");
	}));
});

describe("snapshots", () => {
	it("leave in the order they were made, also when an observer of one causes the next", () =>
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["-r---s-c|"], { settle: 1, close: 1 });
			const agents = agentsFixture(startRun, scheduler);
			const first: string[] = [];
			const second: string[] = [];
			const listening = agents.changes$.subscribe({
				next: (record) => {
					first.push(word(record));
					if (record.status === "running")
						void agents.stop([record.agentId], { status: "stopped", reason: "stopped_by_user" });
				},
				error: () => undefined,
			});
			listening.add(agents.changes$.subscribe({ next: (record) => second.push(word(record)), error: () => undefined }));
			agents.spawn(request());
			flush();
			expect(first.slice(0, 3)).toEqual(["queued", "running", "stopping"]);
			expect(second).toEqual(first);
			listening.unsubscribe();
		})());
});
