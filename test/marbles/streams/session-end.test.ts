import { ignoreElements, map, mergeMap, takeUntil } from "rxjs";
import { describe, it } from "vitest";
import { agentsFixture, request } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { scriptedRuns } from "../../support/run-script.ts";

// biome-ignore format: the diagrams stand in columns.
describe("a session's end that is not waited for", () => {
	it("disposes of the runs that have not come to rest, without a word", marbles(({ cold, hot, expectObservable, expectSubscriptions }, scheduler) => {
		// It has settled and does not close; being told to stop does not move it any more.
		const { startRun, sources } = scriptedRuns({ cold }, ["(rs)"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		const end$ = hot("-----x").pipe(mergeMap(() => agents.shutdown()), takeUntil(hot("--------x")));
		expectObservable(end$).toBe(                                     "--------|");
		expectObservable(agents.changes$.pipe(ignoreElements())).toBe(   "--------|");
		expectSubscriptions((sources[0] ?? cold("")).subscriptions).toBe("^-------!");
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("what is published", () => {
	it("is background results: a foreground one belongs to its call alone", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		const spawned$ = hot("fb").pipe(map((letter) => agents.spawn(request({ background: letter === "b" })).agentId));
		expectObservable(agents.publishable$.pipe(map(({ key }) => key))).toBe("-2", { 2: "agent2#1" });
		expectObservable(spawned$).toBe("12", { 1: "agent1", 2: "agent2" });
	}));
});
