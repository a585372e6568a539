import { map, mergeMap } from "rxjs";
import { describe, expect, it } from "vitest";
import { createSpendWatermark, type StartRun } from "../../../src/streams/index.ts";
import { agentsFixture, request } from "../../support/agents-fixture.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { agentId, runEvents, testConfig } from "../../support/run-script.ts";

const one = agentId("agent1");
const again = { prompt: "go on", config: testConfig, background: true };

// Found by the simulation: a child that talks on while its session closes, and a resume that does not wait for that.
describe("what a session spends after its agent was resumed (CONTRACT: usage)", () => {
	// biome-ignore format: the diagrams stand in columns.
	it.each([
		["in line",   "r-s---m-c|", "-----------t"],
		["under way", "r-s-c-m--|", "-------t----"],
		["over",      "r-s-c----m|", "-------f----"],
	])("is the agent's, also when the next run is %s", (_when, first, completed) =>
		marbles(({ cold, hot, expectObservable, flush }, scheduler) => {
			const startRun: StartRun = ({ run }) => cold(run === 1 ? first : "r-ms-c|", { ...runEvents });
			const agents = agentsFixture(startRun, scheduler);
			const { take: takeSpend } = createSpendWatermark(agents);
			agents.spawn(request());
			const tokens$ = hot("----x").pipe(mergeMap(() => { agents.resume(one, again); return agents.completion(one); }), map(({ spend }) => spend.input));
			expectObservable(tokens$).toBe(completed, { t: 20, f: 10 });
			flush();
			expect(takeSpend()).toMatchObject({ input: 20, output: 10 });
			expect(takeSpend()).toMatchObject({ input: 0, output: 0 });
		})());
});

describe("a run that breaks off", () => {
	it.each(["r--#", "r--|"])("names the messages that it never read: %s (seed 000 §9)", (broken) =>
		marbles(({ cold, hot, flush }, scheduler) => {
			const agents = agentsFixture(() => cold(broken, { ...runEvents }), scheduler);
			agents.spawn(request());
			actAt(hot("-x"), () => agents.steer(one, "look there too"));
			flush();
			expect(agents.get(one)).toMatchObject({
				outcome: { verdict: { status: "error", reason: "internal" }, unread: ["look there too"] },
			});
		})(),
	);
});
