import { describe, expect, it } from "vitest";
import { type AgentId, type Agents, SpawnRefused, type StopRequest } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { agentId, scriptedRuns } from "../../support/run-script.ts";

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
