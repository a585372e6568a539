import { map } from "rxjs";
import { describe, it } from "vitest";
import type { Agents } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { script } from "../../support/outbox-fixture.ts";
import { agentId, scriptedRuns } from "../../support/run-script.ts";

const one = agentId("agent1");
const words = { r: "running", S: "stopping", x: "stopped:stopped_by_user" };

function stopOnce(agents: Agents): void {
	agents
		.stop([one], { status: "stopped", reason: "stopped_by_user" })
		.subscribe({ error: () => undefined })
		.unsubscribe();
}

// biome-ignore format: the diagrams stand in columns.
describe("a snapshot is news", () => {
	it("what changes nothing is not told: a second stop makes no snapshot of its own", marbles(({ cold, hot, expectObservable }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["---------"], { settle: 2, close: 0 });
		const agents = agentsFixture(startRun, scheduler);
		agents.spawn(request());
		expectObservable(agents.watch(one).pipe(map(word))).toBe(               "rS-(x|)", words);
		expectObservable(script(hot("-ss"), { s: () => stopOnce(agents) })).toBe("");
	}));
});
