import { expect, it } from "vitest";
import type { AgentRecord } from "../../src/streams/index.ts";
import { createAgentTool, createGetSubagentResultTool } from "../../src/tools/index.ts";
import { callOf, promisesRun, rejection, type ToolsFixture, toolsFixture } from "./tools-fixture.ts";

const start = { prompt: "do it", description: "a task" };

/** A person resumes the one agent there is. */
function resume({ agents }: ToolsFixture): AgentRecord {
	const [record] = agents.list();
	if (record === undefined) throw new Error("there is no agent");
	return agents.resume(record.agentId, { prompt: "go on", config: record.config, background: true });
}

// Found by the simulation: the call waited for the run that the person had begun meanwhile.
it("a foreground call that is aborted ends with its own run, also when the agent is resumed at that instant", async () => {
	const fixture = toolsFixture();
	const controller = new AbortController();
	const call = createAgentTool(fixture.deps).run(callOf(start, controller.signal));
	await promisesRun();
	controller.abort();
	expect(resume(fixture)).toMatchObject({ run: 2, status: "running" });
	expect(await rejection(call)).toMatchObject({ name: "AbortError", details: { status: "stopped", turns: 0 } });
	expect(fixture.agents.list()).toMatchObject([{ run: 2, status: "running" }]);
});

it("a result that is just being published is told as such, also when its agent is resumed at that instant", async () => {
	const fixture = toolsFixture();
	await createAgentTool(fixture.deps).run(callOf({ ...start, run_in_background: true }));
	fixture.run().end({ text: "the first answer" });
	for (const { claim } of fixture.published.values()) claim.handOver();
	const read = createGetSubagentResultTool(fixture.deps).run(callOf({ agent_id: "agent1", verbose: true }));
	resume(fixture);
	fixture.advance(0);
	const answer = await read;
	expect(answer.details).toMatchObject({ status: "completed", published: true });
	expect(answer.text).toContain("the first answer");
});
