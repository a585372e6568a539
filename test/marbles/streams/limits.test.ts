import {
	delay,
	distinctUntilChanged,
	map,
	merge,
	mergeMap,
	NEVER,
	type Observable,
	of,
	takeUntil,
	tap,
	timer,
} from "rxjs";
import { describe, expect, it } from "vitest";
import { type RunEvent, type RunLimits, SpawnRefused, type StartRun } from "../../../src/streams/index.ts";
import { wrapUpMessage } from "../../../src/streams/limits.ts";
import { timeLimits } from "../../../src/streams/time-limits.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { agentId, doneOutcome, runEvents, scriptedRuns, testConfig } from "../../support/run-script.ts";

const one = agentId("agent1");
const two = agentId("agent2");
const limited = (limits: Partial<RunLimits>) =>
	request({ config: { ...testConfig, limits: { graceTurns: 1, ...limits } }, background: true });

const words = {
	c: "completed",
	s: "steered:wrapped_up",
	o: "aborted:tool_limit",
	k: "aborted:token_limit",
	t: "aborted:timeout",
	i: "aborted:idle_timeout",
	$: "aborted:budget",
};

// biome-ignore format: the diagrams stand in columns.
describe("a limit of turns (seed 000 §15 invariant 25)", () => {
	it.each([
		["asks for tools", "rtntntntls-c|"],
		["goes on for a message or a result without having asked for anything", "rtltltltls-c|"],
	])("is over after the grace turn of an agent that %s, and no further turn is counted", (_how, script) => marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, [script], { settle: 1, close: 0 }).startRun, scheduler);
		agents.spawn(limited({ maxTurns: 2, graceTurns: 1 }));
		const turns$ = agents.completion(one).pipe(map((record) => `${word(record)} in ${record.turns}`));
		const at = script.includes("n") ? "-------(t|)" : "--------(t|)";
		expectObservable(turns$).toBe(at, { t: "aborted:turn_limit in 3" });
	})());
});

// biome-ignore format: the diagrams stand in columns.
describe("a limit of tool calls (seed 000 §15 invariant 25)", () => {
	it("asks the agent to wrap up, which is steered when it does after more than that many", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtbBnvtbBntls-c|"]).startRun, scheduler);
		agents.spawn(limited({ maxTools: 1, graceTurns: 2 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("------------(s|)", words);
	}));

	it("is kept by an agent that uses exactly that many, which is asked all the same", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtbBnvtls-c|"]).startRun, scheduler);
		agents.spawn(limited({ maxTools: 1 }));
		const asked$ = agents.watch(one).pipe(map((record) => record.status === "running" && record.wrapUpAsked ? "y" : "n"), distinctUntilChanged());
		expectObservable(asked$).toBe("n---y---(n|)");
		expectObservable(agents.completion(one).pipe(map(word))).toBe("--------(c|)", words);
	}));

	it("is over after the grace turns, counted from the turn in which it was reached", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtntbBntbBntls-c|"], { settle: 1, close: 0 }).startRun, scheduler);
		agents.spawn(limited({ maxTools: 1 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-----------(o|)", words);
	}));

	it("is no limit of an agent that stays below it", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtbBntls-c|"]).startRun, scheduler);
		agents.spawn(limited({ maxTools: 2 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-------(c|)", words);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("a limit of tokens", () => {
	// Each `m` is a message of 15 tokens.
	it("asks for a wrap-up at four fifths, and not before", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmnvtmls-c|"]).startRun, scheduler);
		agents.spawn(limited({ maxTokens: 18 }));
		agents.spawn(limited({ maxTokens: 19 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("--------(s|)", words);
		expectObservable(agents.completion(two).pipe(map(word))).toBe("--------(c|)", words);
	}));

	it("stops at the end of the turn that uses them up, grace or no grace", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmntmntmntls-c|"], { settle: 1, close: 0 }).startRun, scheduler);
		agents.spawn(limited({ maxTokens: 30, graceTurns: 9 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-------(k|)", words);
	}));

	it("counts a run and not those of the agent before it", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmls-c|", "rtmntls-c|"]).startRun, scheduler);
		const { config } = agents.spawn(limited({ maxTokens: 30 }));
		actAt(hot("----------x"), () => agents.resume(one, { prompt: "on", config, background: true }));
		expectObservable(hot("-----------x").pipe(mergeMap(() => agents.completion(one)), map(word))).toBe("----------------c", words);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("limits of time", () => {
	it("a run is asked at four fifths of its time, and stopped at its end", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["r 998ms -"]).startRun, scheduler);
		agents.spawn(limited({ runTimeout: 1 }));
		const wraps$ = agents.watch(one).pipe(map((record) => record.status === "running" && record.wrapUpAsked), distinctUntilChanged());
		expectObservable(wraps$, "999ms !").toBe("n 799ms y", { n: false, y: true });
		expectObservable(agents.completion(one).pipe(map(word))).toBe("1001ms (t|)", words);
	}));

	it("its time in line is none of it", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["r 998ms -"]).startRun, scheduler, { maxConcurrent$: hot("0 499ms 1", { 0: 0, 1: 1 }) });
		agents.spawn(limited({ runTimeout: 1 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("1501ms (t|)", words);
	}));

	it("silence is counted from the last event, of whatever kind", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["r 499ms h 499ms t 1999ms -"]).startRun, scheduler);
		agents.spawn(limited({ idleTimeout: 1 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("2001ms (i|)", words);
	}));

	it("no silence is counted while the provider is waited for, or between retries, until the next event", marbles(({ cold, expectObservable }, scheduler) => {
		for (const script of ["r 499ms w 4999ms W 1999ms -", "r 499ms y 4999ms t 1999ms -"]) {
			const agents = agentsFixture(scriptedRuns({ cold }, [script]).startRun, scheduler);
			agents.spawn(limited({ idleTimeout: 1 }));
			expectObservable(agents.completion(one).pipe(map(word))).toBe("6501ms (i|)", words);
		}
	}));

	it("a run's whole time goes on while the provider is waited for", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rw 4998ms -"]).startRun, scheduler);
		agents.spawn(limited({ runTimeout: 1, idleTimeout: 1 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("1001ms (t|)", words);
	}));

	it("a run that ends leaves no timer behind", marbles(({ cold, expectObservable, flush }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["r-s-c|"]).startRun, scheduler);
		agents.spawn(limited({ runTimeout: 1, idleTimeout: 1 }));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("--(c|)", words);
		flush();
		expect(scheduler.frame).toBeLessThan(1000);
	}));

	it("and an end in the same frame: whichever comes first has its way", marbles(({ cold, expectObservable }, scheduler) => {
		// A subject that is fed after the run has begun comes behind its timer; a script of the run's own comes before.
		for (const [limits, by] of [[{ runTimeout: 0.005 }, "timeout"], [{ idleTimeout: 0.005 }, "idle_timeout"]] as const) {
			const before = agentsFixture(() => cold("-----(sc|)", runEvents), scheduler);
			const after = agentsFixture((_spec, { stop$ }) => merge(
				timer(5, scheduler).pipe(delay(0, scheduler), map(() => runEvents.s), takeUntil(stop$)),
				stop$.pipe(map((verdict) => ({ type: "settled" as const, outcome: { ...doneOutcome, verdict } }))),
			) as Observable<RunEvent>, scheduler);
			before.spawn(limited(limits));
			after.spawn(limited(limits));
			expectObservable(before.completion(one).pipe(map(word))).toBe("-----(x|)", { x: "completed" });
			expectObservable(after.completion(one).pipe(map(word))).toBe("-----(x|)", { x: `aborted:${by}` });
		}
	}));

	it("an agent that never gets its session is stopped by either", marbles(({ cold, expectObservable }, scheduler) => {
		for (const [limits, reason] of [[{ runTimeout: 0.005 }, "timeout"], [{ idleTimeout: 0.005 }, "idle_timeout"]] as const) {
			const agents = agentsFixture(scriptedRuns({ cold }, ["-"], { settle: 0, close: 0 }).startRun, scheduler);
			agents.spawn(limited(limits));
			expectObservable(agents.completion(one).pipe(map(word))).toBe("-----(x|)", { x: `aborted:${reason}` });
		}
	}));

	it("begin anew with a resume", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rs-c|", "rt-"], { settle: 0, close: 0 }).startRun, scheduler);
		const { config } = agents.spawn(limited({ runTimeout: 0.005 }));
		const resumed$ = hot("----------x").pipe(tap(() => agents.resume(one, { prompt: "on", config, background: true })), mergeMap(() => agents.completion(one)), map(word));
		expectObservable(resumed$).toBe("---------------t", words);
	}));

	it("longer than any timer of the host do not fire at once, and are not forgotten", marbles(({ expectObservable }, scheduler) => {
		const weeks = 30 * 24 * 60 * 60;
		expectObservable(timeLimits({ graceTurns: 1, idleTimeout: weeks }, NEVER, scheduler)).toBe(`${weeks}s i`, {
			i: { status: "aborted", reason: "idle_timeout" },
		});
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("the money of all agents together", () => {
	// Each `m` is a message of one cent.
	it("is nearly spent: all that are under way are asked to wrap up", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmn-----tls-c|", "rt---mn-tls-c|", "rt-------ls-c|"]).startRun, scheduler, { maxCost: 0.024 });
		for (let i = 0; i < 3; i++) agents.spawn(limited({}));
		for (const id of [one, two, agentId("agent3")]) {
			const wraps$ = agents.watch(id).pipe(map((record) => record.status === "running" && record.wrapUpAsked ? "y" : "n"), distinctUntilChanged());
			expectObservable(wraps$, "^-----!").toBe("n----y");
		}
	}));

	it("is spent: whatever is under way or in line is stopped, and nothing new is started", marbles(({ cold, expectObservable, flush }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmn-tmn-tls-c|", "rt----------ls-c|"], { settle: 1, close: 1 }).startRun, scheduler, { maxCost: 0.02, maxConcurrent$: of(2) });
		for (let i = 0; i < 3; i++) agents.spawn(limited({}));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("--------($|)", words);
		expectObservable(agents.completion(two).pipe(map(word))).toBe("-------($|)", words);
		expectObservable(agents.completion(agentId("agent3")).pipe(map(word))).toBe("------($|)", words);
		flush();
		expect(() => agents.spawn(limited({}))).toThrow(SpawnRefused);
		expect(() => agents.spawn(limited({}))).toThrow(/^The money for subagents is spent: \$0\.02 of \$0\.02 \(maxCostUsd\)/);
	}));

	it("is spent by a last word: that agent has completed, and those beside it are stopped", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmls-c|", "rt------ls-c|"], { settle: 1, close: 1 }).startRun, scheduler, { maxCost: 0.01 });
		for (let i = 0; i < 2; i++) agents.spawn(limited({}));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("----(c|)", words);
		expectObservable(agents.completion(two).pipe(map(word))).toBe("---($|)", words);
	}));

	it("is not spent a second time by the last words of those that are stopped", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const runs = { a: cold("rtm-------ls-c|", runEvents), b: cold("rt-m", runEvents) };
		const startRun: StartRun = ({ agentId: id }) => (id === one ? runs.a : runs.b);
		const agents = agentsFixture(startRun, scheduler, { maxCost: 0.01 });
		for (let i = 0; i < 2; i++) agents.spawn(limited({}));
		// The second is told to stop and speaks on: the first is in its last turn all the same.
		expectObservable(agents.completion(one).pipe(map(word))).toBe("-----------(c|)", words);
		expectObservable(hot("----x").pipe(map(() => agents.list().map(word)))).toBe("----x", { x: ["running", "stopping"] });
	}));

	it("is set aside for those under way: what would not fit beside them is refused", marbles(({ cold, flush }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmls-c|", "r-------"]).startRun, scheduler, { maxCost: 0.035 });
		agents.spawn(limited({}));
		flush();
		// One cent is spent, and is what an agent costs: there is room for two.
		agents.spawn(limited({}));
		agents.spawn(limited({}));
		expect(() => agents.spawn(limited({}))).toThrow(/^\$0\.01 of the \$0\.035 .*set aside/);
		expect(() => agents.resume(one, { prompt: "on", config: testConfig, background: true })).toThrow(SpawnRefused);
		expect(agents.list()).toHaveLength(3);
	}));

	it("is no limit where there is none", marbles(({ cold, expectObservable }, scheduler) => {
		const agents = agentsFixture(scriptedRuns({ cold }, ["rtmntmntmls-c|"]).startRun, scheduler);
		agents.spawn(limited({}));
		expectObservable(agents.completion(one).pipe(map(word))).toBe("----------(c|)", words);
	}));
});

describe("what an agent is told at a limit", () => {
	it.each([
		["turns", 1, /^You have reached your turn limit\. .* stopped after 1 more turn\.$/],
		["tools", 3, /limit of tool calls\. .* stopped after 3 more turns\.$/],
		["tokens", 3, /tokens\. .* stopped when that is over\.$/],
		["time", 3, /time is nearly over\. .* stopped when that is over\.$/],
		["money", 3, /money for subagents is nearly spent\. .* stopped when that is over\.$/],
	] as const)("is to give its answer now, and when it is stopped (%s)", (limit, grace, said) => {
		expect(wrapUpMessage(limit, grace)).toMatch(said);
		expect(wrapUpMessage(limit, grace)).toContain("give your final answer now");
	});
});
