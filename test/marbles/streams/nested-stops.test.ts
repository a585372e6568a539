import { distinctUntilChanged, map } from "rxjs";
import { describe, expect, it } from "vitest";
import { type AgentId, type Agents, SpawnRefused, type StopRequest } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { agentId, scriptedRuns, testConfig } from "../../support/run-script.ts";

/** Three levels, one agent each: `agent1`, below it `agent2`, below that `agent3`. */
function threeLevels(agents: Agents): AgentId {
	let parent: AgentId | undefined;
	for (let level = 0; level < 3; level++) {
		parent = agents.spawn(request({ background: true, ...(parent === undefined ? {} : { parent }) })).agentId;
	}
	return agentId("agent1");
}

// biome-ignore format: the diagrams stand in columns.
describe("a stop of an agent with others below it", () => {
	it.each([
		[{ status: "stopped", reason: "parent_shutdown" }, "stopped:parent_shutdown"],
		[{ status: "stopped", reason: "stopped_by_user" }, "stopped:stopped_by_parent"],
		[{ status: "aborted", reason: "budget" }, "stopped:stopped_by_parent"],
	] as const)("reaches the deepest first, and tells it why: %j", (why: StopRequest, below) => marbles(({ flush, ...h }, scheduler) => {
		const agents = agentsFixture(scriptedRuns(h, ["r--------"], { settle: 1, close: 1 }).startRun, scheduler);
		const root = threeLevels(agents);
		const stopping: string[] = [];
		const listening = agents.changes$.subscribe({
			next: (record) => { if (word(record) === "stopping") stopping.push(record.agentId); },
			error: () => undefined,
		});
		listening.add(agents.stop([root], why).subscribe({ error: () => undefined }));
		expect(stopping).toEqual(["agent3", "agent2", "agent1"]);
		flush();
		expect(agents.list().map(word)).toEqual([`${why.status}:${why.reason}`, below, below]);
		listening.unsubscribe();
	})());
});

describe("an agent that is stopped at a limit of its own", () => {
	it(
		"has those below it told at once, and not only when it has ended",
		marbles(({ expectObservable, ...h }, scheduler) => {
			const config = { ...testConfig, limits: { graceTurns: 0, maxTurns: 1 } };
			const agents = agentsFixture(
				scriptedRuns(h, ["rtn-------", "r-----------"], { settle: 4, close: 1 }).startRun,
				scheduler,
			);
			agents.spawn(request({ background: true, config }));
			agents.spawn(request({ background: true, parent: agentId("agent1") }));
			const seen = (id: string) => agents.watch(agentId(id)).pipe(map(word), distinctUntilChanged());
			expectObservable(seen("agent1")).toBe("r-s---(t|)", { r: "running", s: "stopping", t: "aborted:turn_limit" });
			expectObservable(seen("agent2")).toBe("r-s---(t|)", {
				r: "running",
				s: "stopping",
				t: "stopped:stopped_by_parent",
			});
		}),
	);
});

// biome-ignore format: the diagrams stand in columns.
describe("several agents at once below one", () => {
	it(
		"are refused where that one is not there",
		marbles((h, scheduler) => {
			const agents = agentsFixture(scriptedRuns(h, ["r--------"]).startRun, scheduler);
			expect(() => agents.spawnAll([request({ parent: agentId("gone") })])).toThrow(SpawnRefused);
			expect(agents.list()).toEqual([]);
		}),
	);
});
