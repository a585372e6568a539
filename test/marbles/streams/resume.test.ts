import { distinctUntilChanged, map, mergeMap, type Observable, of } from "rxjs";
import { describe, expect, it } from "vitest";
import { type Agents, type ResumeRequest, SpawnRefused } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { agentId, scriptedRuns, testConfig } from "../../support/run-script.ts";

const one = agentId("agent1");
const again: ResumeRequest = { prompt: "go on", config: testConfig, background: true };
const words = { q: "queued", r: "running", c: "completed", p: "error:provider_error" };

/** Watches the run that a resume begins at the frame of the marble. */
function resumedAt(when$: Observable<string>, agents: Agents): Observable<string> {
	return when$.pipe(
		mergeMap(() => {
			agents.resume(one, again);
			return agents.watch(one);
		}),
		map(word),
		distinctUntilChanged(),
	);
}

// biome-ignore format: the diagrams stand in columns.
describe("resuming an agent (seed 000 §12.1)", () => {
	it.each([["completed", "r-s-c|"], ["error", "r-e-c|"]])("goes on from %s, as a new run under the same ids (seed 000 §17 Telemetry: stable correlation ID)", (_status, first) =>
		marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
			const { startRun } = scriptedRuns({ cold }, [first, "r-tms-c|"]);
			const agents = agentsFixture(startRun, scheduler);
			const before = agents.spawn(request());
			expectObservable(resumedAt(hot("-----x"), agents)).toBe("-----r---c", words);
			flush();
			expect(agents.get(one)).toMatchObject({ run: 2, correlationId: before.correlationId, turns: 1, spend: { input: 10 } });
		})());

	it("gives it a completion of its own; the earlier one stays what it was", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-e-c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		const first$ = agents.completion(one).pipe(map(word));
		expectObservable(resumedAt(hot("-----x"), agents)).toBe(                             "-----r-c", words);
		expectObservable(hot("------x").pipe(mergeMap(() => first$))).toBe(                  "------p", words);
		expectObservable(hot("------x").pipe(mergeMap(() => agents.completion(one)), map(word))).toBe("-------c", words);
	}));

	it("waits until the session of the run before has come to rest", marbles(({ cold, hot, expectObservable, expectSubscriptions }, scheduler) => {
		const { startRun, sources } = scriptedRuns({ cold }, ["r-s----c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		expectObservable(resumedAt(hot("---x"), agents)).toBe("---q---r-c", words);
		expectSubscriptions((sources[1] ?? cold("")).subscriptions).toBe("-------^---!");
	}));

	it("stands in line like a fresh one", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|", "r--------s-c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler, { maxConcurrent$: of(1) });
		agents.spawn(request());
		agents.spawn(request({ background: true }));
		expectObservable(resumedAt(hot("-----x"), agents)).toBe("-----q-----r-c", words);
	}));

	it("leaves an earlier result that nobody has read in line for publication", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-s-c|", "r-s-c|"]);
		const agents = agentsFixture(startRun, scheduler);
		const keys$ = agents.publishable$.pipe(mergeMap(({ key, claim }) => claim.state$.pipe(map(({ kind }) => `${key} ${kind}`))));
		expectObservable(keys$).toBe("a-b--c-d", { a: "agent1#1 pending", b: "agent1#1 held", c: "agent1#2 pending", d: "agent1#2 held" });
		expectObservable(hot("a").pipe(map(() => agents.spawn(request({ background: true })).status))).toBe("r", words);
		expectObservable(resumedAt(hot("-----x"), agents)).toBe("-----r-c", words);
	}));

	it("is refused while the agent lives, with what to do instead", marbles(({ cold }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r------"]);
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		expect(() => agents.resume(one, again)).toThrow(SpawnRefused);
		expect(() => agents.resume(one, again)).toThrow(/steer_subagent/);
		expect(agents.get(one)).toMatchObject({ run: 1 });
	}));
});
