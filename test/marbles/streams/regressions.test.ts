import { BehaviorSubject, from, type Observable, of, Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import {
	type Agents,
	createGroups,
	type GroupId,
	type RunEvent,
	type StartRun,
	type StopReport,
} from "../../../src/streams/index.ts";
import { refusedPause } from "../../../src/streams/outbox.ts";
import { agentsFixture, request } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { keysOf, outboxFixture, script } from "../../support/outbox-fixture.ts";
import { agentId, doneOutcome, scriptedRuns, testConfig } from "../../support/run-script.ts";

const [one, two] = [agentId("agent1"), agentId("agent2")];
const ending: readonly RunEvent[] = [
	{ type: "settled", outcome: doneOutcome },
	{ type: "closed", how: "verified" },
];
const again = { prompt: "go on", config: testConfig, background: true };

/** Orderings that broke a rule once, each as small as it gets. `docs/orderings.md` says how they are found. */

describe("spawn, stop, session replaced", () => {
	it(
		"a closed outbox hands over nothing, and what is held can still be read",
		marbles((_h, scheduler) => {
			const box = outboxFixture(scheduler);
			const a = box.result("a001");
			a.settle();
			box.outbox.close();
			expect(keysOf(box.outbox.take("boundary"))).toBe("nothing");
			expect(keysOf(box.outbox.take("prompt"))).toBe("nothing");
			const read: string[] = [];
			const reading = a.publishable.claim.claim$.subscribe({
				next: (record) => read.push(record.agentId),
				error: () => undefined,
			});
			expect(read).toEqual(["a001"]);
			expect(reading.closed).toBe(true);
		}),
	);
});

describe("slots 1, spawn, settle 1, slots 0, spawn, resume 1", () => {
	it(
		"a resumed agent stands behind those who came before it, and all are told so",
		marbles(({ cold, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
			const limit$ = new BehaviorSubject(1);
			const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: limit$ });
			agents.spawn(request({ background: true }));
			flush();
			limit$.next(0);
			agents.spawn(request({ background: true }));
			agents.resume(one, again);
			expect([two, one].map(agents.placeInLine)).toEqual([1, 2]);
			limit$.next(1);
			expect(agents.get(two)?.status).toBe("running");
			expect([two, one].map(agents.placeInLine)).toEqual([undefined, 1]);
		}),
	);

	it(
		"one that is resumed in the foreground stands in no line, also while its session is still closing",
		marbles(({ cold }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["(rs)"]);
			const limit$ = new BehaviorSubject(1);
			const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: limit$ });
			agents.spawn(request({ background: true }));
			scheduler.flush();
			agents.resume(one, { ...again, background: false });
			agents.spawn(request({ background: true }));
			expect(agents.get(one)?.status).toBe("queued");
			expect([one, two].map(agents.placeInLine)).toEqual([undefined, 1]);
		}),
	);
});

describe("spawn, settle, resume, stop in line, resume, close", () => {
	const opened = (closedHow: "c" | "z") =>
		marbles(({ cold, hot, expectObservable, expectSubscriptions, flush }, scheduler) => {
			const { startRun, sources } = scriptedRuns({ cold }, [`(rs)--(${closedHow}|)`, "r-s-c|"]);
			const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1), maxZombies: 2 });
			agents.spawn(request({ background: true }));
			const acts: Readonly<Record<string, () => void>> = {
				r: () => agents.resume(one, again),
				s: () => report(agents.stop([one], { status: "stopped", reason: "stopped_by_user" })),
			};
			const reports: string[] = [];
			const report = (reports$: Observable<StopReport>) =>
				reports$.subscribe({
					next: ({ result }) => reports.push(`${scheduler.frame} ${result}`),
					error: () => undefined,
				});
			expectObservable(script(hot("-rsr"), acts)).toBe("");
			// The third run opens the same conversation as the first: not before that has come to rest.
			expectSubscriptions((sources[1] ?? cold("")).subscriptions).toBe("------^---!");
			flush();
			expect(reports).toEqual([closedHow === "c" ? "6 stopped" : "6 unverified"]);
			// A session that never came to rest counts as one, however often its agent is resumed.
			expect(() => agents.spawn(request())).not.toThrow();
		});
	it("the run after next waits, too, until the session has come to rest", opened("c"));
	it("and for the end of its grace, after which the one in line is not verified either", opened("z"));
});

describe("spawn, settle, grace over, resume", () => {
	it(
		"a session that never came to rest still counts when its agent has been resumed",
		marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, ["r-s-(z|)", "r-s-(z|)"]);
			const agents = agentsFixture(startRun, scheduler, { maxZombies: 2 });
			agents.spawn(request());
			expectObservable(script(hot("-----r"), { r: () => agents.resume(one, again) })).toBe("");
			flush();
			expect(() => agents.spawn(request())).toThrow(/maxZombies/);
		}),
	);
});

describe("slots, spawn, settle, the host refuses, resume, stop, idle", () => {
	it(
		"a host that refuses several results is asked again after a pause, and not at once for ever",
		marbles(({ flush }, scheduler) => {
			const box = outboxFixture(scheduler);
			const asked: number[] = [];
			Object.defineProperty(box, "takes", {
				get: () => {
					if (asked.push(scheduler.frame) > 50) box.outbox.close();
					return asked.length > 50;
				},
			});
			for (const name of ["a001", "b001", "c001"]) box.result(name).settle();
			box.activity("idle");
			scheduler.schedule(() => box.outbox.close(), 2 * refusedPause + 1);
			flush();
			expect([...new Set(asked)]).toEqual([0, refusedPause, 2 * refusedPause]);
			expect(asked.length).toBeLessThan(50);
		}),
	);
});

describe("slots 1, spawn, settle, resume, spawn, session replaced", () => {
	it.each([
		["the end of the session", (agents: Agents) => agents.shutdown()],
		[
			"a stop of them all",
			(agents: Agents) => agents.stop([one, two], { status: "stopped", reason: "stopped_by_user" }),
		],
	])("%s starts nothing in a slot that it frees itself", (_name, end) =>
		marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
			// The first one's session is slow to close, and its resume waits for that with a slot in hand.
			const { startRun, sources } = scriptedRuns({ cold }, ["(rs)----------(c|)", "r-s-c|"]);
			const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(2) });
			agents.spawn(request({ background: true }));
			const acts: Readonly<Record<string, () => void>> = {
				r: () => {
					agents.resume(one, again);
					agents.spawn(request({ background: true }));
					expect(agents.list().map(({ status }) => status)).toEqual(["queued", "queued"]);
				},
				e: () => end(agents).subscribe({ error: () => undefined }),
			};
			expectObservable(script(hot("-re"), acts)).toBe("");
			flush();
			expect(sources[1]?.subscriptions).toEqual([]);
		})(),
	);
});

describe("crew, settle, a member that begins and ends at once", () => {
	/** A crew of members that end at once, all but `w`; tells the order of the starts, and ends `w`. */
	function crew(members: Readonly<Record<string, readonly string[]>>) {
		const started: string[] = [];
		const w$ = new Subject<RunEvent>();
		const startRun: StartRun = ({ agentId: id }) => {
			const name = Object.keys(members)[Number(id.slice("agent".length)) - 1] ?? "?";
			started.push(name);
			return name === "w" ? w$ : from(ending);
		};
		const agents = agentsFixture(startRun, new TestScheduler(() => undefined));
		const spawns = Object.entries(members).map(([name, after]) => ({
			name,
			after,
			spawn: { prompt: name, description: name, config: testConfig },
		}));
		createGroups({ agents, newGroupId: () => "group1" as GroupId }).spawn({
			kind: "crew",
			description: "a crew",
			background: true,
			join: "group",
			members: spawns,
		});
		const end = () => {
			for (const event of ending) w$.next(event);
			w$.complete();
		};
		return { started, end };
	}

	it("all who wait for one stand in line before any of them starts, in the order of the crew", () => {
		const { started, end } = crew({ third: ["w", "first"], first: ["w"], second: ["w"], w: [] });
		end();
		expect(started).toEqual(["w", "first", "second", "third"]);
	});

	it("also while the crew itself is started, and those that wait for nobody before them", () => {
		const members = { fifth: ["third"], third: ["first"], fourth: ["first"], first: [], second: [] };
		expect(crew(members).started).toEqual(["first", "second", "third", "fourth", "fifth"]);
	});
});
