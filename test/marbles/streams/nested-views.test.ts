import { BehaviorSubject, map, type Observable, of } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	type AgentId,
	agentsOf,
	createGroups,
	type GroupId,
	groupsOf,
	keepPublishable,
	type ScheduleId,
} from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { agentId, scriptedRuns, testConfig } from "../../support/run-script.ts";

const [one, two, three, four] = ["agent1", "agent2", "agent3", "agent4"].map(agentId) as [
	AgentId,
	AgentId,
	AgentId,
	AgentId,
];
const background = (parent?: AgentId) => request({ background: true, ...(parent === undefined ? {} : { parent }) });
const keys = (results$: Observable<{ readonly key: string }>) => results$.pipe(map(({ key }) => key));

// biome-ignore format: the diagrams stand in columns.
describe("what an agent sees of the others", () => {
	it("is the place of its own in its own line", marbles((h, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r--------"]).startRun, scheduler, { maxConcurrent$: of(1) });
		agents.spawn(background());
		for (let count = 0; count < 3; count++) agents.spawn(background(one));
		const lead = agentsOf(agents, one);
		expect([two, three, four, one].map(lead.placeInLine)).toEqual([undefined, 1, 2, undefined]);
		expect(agentsOf(agents, undefined).placeInLine(three)).toBeUndefined();
	}));

	it("is the results of its own, and the session's those of the session's", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r--------"]).startRun, scheduler);
		const kept = keepPublishable(agents.publishable$);
		actAt(hot("a-----|"), () => agents.spawn(background()));
		actAt(hot("-a----|"), () => agents.spawn(background(one)));
		actAt(hot("--a---|"), () => agents.spawn(background()));
		actAt(hot("---a--|"), () => agents.spawn(background(three)));
		expectObservable(keys(agentsOf(agents, undefined).publishable$), "^----!").toBe("a-c", { a: `${one}#1`, c: `${three}#1` });
		expectObservable(keys(agentsOf(agents, one).publishable$), "^----!").toBe("-b", { b: `${two}#1` });
		expectObservable(keys(kept.of(one)), "^----!").toBe("-b", { b: `${two}#1` });
		expectObservable(keys(kept.of(three)), "----^!").toBe("----d", { d: `${four}#1` });
	}));

	it("is its own groups by their ids", marbles((h, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r--------"]).startRun, scheduler);
		agents.spawn(background());
		const groups = createGroups({ agents, newGroupId: () => "g-1" as GroupId });
		const [session, lead] = [groupsOf(groups, undefined), groupsOf(groups, one)];
		const group = lead.spawn({ kind: "crew", description: "one", background: true, join: "group", members: [{ name: "a", after: [], spawn: request() }] });
		expect([lead.get(group.groupId), session.get(group.groupId)]).toEqual([group, undefined]);
		expect([lead.get("g-9" as GroupId), lead.of(agentId("none"))]).toEqual([undefined, undefined]);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("an agent's record", () => {
	it("names the schedule that has started it, where one has", marbles((h, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r--------"]).startRun, scheduler);
		expect(agents.spawn({ ...background(), schedule: "s-one1" as ScheduleId }).schedule).toBe("s-one1");
		expect(agents.spawn(background())).not.toHaveProperty("schedule");
	}));

	it("stays that of its newest run when the one before is over after all", marbles(({ flush, hot, ...h }, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r-s---c|", "r------"]).startRun, scheduler);
		agents.spawn(background());
		const seen: unknown[] = [];
		actAt(hot("---a|"), () => agents.resume(one, { prompt: "on", config: testConfig, background: true }));
		// Whoever comes next is what makes room of runs that are over.
		actAt(hot("-------a|"), () => { agents.spawn(background()); seen.push(agents.get(one)?.run, agents.list().map(word)); });
		flush();
		expect(seen).toEqual([2, ["running", "running"]]);
	}));

	it("is all that is left of it: its own line ends with the last of its own, and the session's with the session", marbles(({ flush, hot, ...h }, scheduler) => {
		const limit$ = new BehaviorSubject(4);
		const agents = agentsFixture(scriptedRuns(h, ["r------------", "r-s-c|"]).startRun, scheduler, { maxConcurrent$: limit$ });
		agents.spawn(background());
		for (let count = 0; count < 2; count++) agents.spawn(background(one));
		// Each line listens to how many slots there are.
		const listening = [limit$.observers.length];
		actAt(hot("-------a|"), () => { agents.spawn(background()); listening.push(limit$.observers.length); });
		actAt(hot("--------a|"), () => { agents.spawn(background(one)); listening.push(limit$.observers.length); });
		actAt(hot("---------a|"), () => agents.shutdown().subscribe({ error: () => undefined }));
		flush();
		expect([listening, limit$.observed]).toEqual([[2, 1, 2], false]);
	}));

	it("in line for its next run is not stirred by what it has started in its last one", marbles(({ flush, hot, ...h }, scheduler) => {
		const { startRun } = scriptedRuns(h, ["r--s-c|", "r-----------", "r-----------"], { settle: 3, close: 1 });
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(2) });
		agents.spawn(background());
		agents.spawn(background(one));
		agents.spawn(background());
		const seen: string[][] = [];
		actAt(hot("------a|"), () => {
			agents.spawn(background());
			agents.resume(one, { prompt: "on", config: testConfig, background: true });
			seen.push(agents.list().map(word));
		});
		actAt(hot("----------a|"), () => seen.push(agents.list().map(word)));
		flush();
		expect(seen[0]).toEqual(["queued", "stopping", "running", "running"]);
		expect(seen[1]).toEqual(["queued", "stopped:stopped_by_parent", "running", "running"]);
	}));

	it("changes once a second while its own are at work, and at once when they end", marbles(({ flush, hot, ...h }, scheduler) => {
		const talk = "t".repeat(700);
		const agents = agentsFixture(scriptedRuns(h, ["r-", `r${talk}${talk}s-c|`]).startRun, scheduler);
		agents.spawn(background());
		agents.spawn(background(one));
		const seen: number[] = [];
		const watching = agents.changes$.subscribe({
			next: ({ agentId: id }) => { if (id === one) seen.push(scheduler.now()); },
			error: (error: unknown) => expect.unreachable(String(error)),
		});
		actAt(hot(`${"-".repeat(1_500)}a|`), () => watching.unsubscribe());
		flush();
		expect(seen.filter((at) => at > 0)).toEqual([1_000, 1_401, 1_403]);
	}));
});
