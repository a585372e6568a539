import { describe, expect, it } from "vitest";
import { noSpend } from "../../src/streams/index.ts";
import { createSteerSubagentTool, type SteerParams, ToolCallAborted } from "../../src/tools/index.ts";
import { config } from "./records.ts";
import { callOf, type FixtureOptions, pretend, rejection, sessionReady, toolsFixture } from "./tools-fixture.ts";

function start(options: FixtureOptions & { readonly background?: number } = {}) {
	const fixture = toolsFixture(options);
	for (let i = 0; i < (options.background ?? 1); i++) {
		fixture.agents.spawn({ prompt: "Count.", description: "counts", config, background: true });
	}
	const tool = createSteerSubagentTool(fixture.deps);
	const steer = (params: Partial<SteerParams> = {}, signal?: AbortSignal) =>
		tool.run(callOf({ agent_id: "agent1", message: "count the doors too", ...params }, signal));
	const unread = (index = 0) =>
		fixture
			.run(index)
			.steering.drain()
			.map((message) => message.text);
	return { ...fixture, tool, steer, unread };
}

describe("steering", () => {
	it("an agent under way queues the message for its next boundary", async () => {
		const { steer, run, unread } = start();
		run().emit(sessionReady);
		const answer = await steer();
		expect(answer.isError).toBe(false);
		expect(answer.text).toMatch(
			/^agent_id: agent1\nstatus: running\n[\s\S]*\n\nQueued: it reads the message at its next turn boundary\./,
		);
		expect(unread()).toEqual(["count the doors too"]);
	});

	it("an agent whose session is starting holds the message", async () => {
		const { steer, unread } = start();
		expect((await steer()).text).toContain("\n\nHeld: ");
		expect(unread()).toEqual(["count the doors too"]);
	});

	it("interrupts nothing and stops nothing", async () => {
		const { steer, run, agents } = start();
		await steer();
		expect(run().stops).toEqual([]);
		expect(agents.list()[0]?.status).toBe("running");
	});

	it("hands the message over as it is", async () => {
		const { steer, unread } = start();
		await steer({ message: "  two\nlines " });
		expect(unread()).toEqual(["  two\nlines "]);
	});

	it("carries what was spent", async () => {
		const { steer, run } = start();
		run().emit({ type: "message_ended", text: "one", spend: { ...noSpend, input: 4 } });
		expect((await steer()).spend?.input).toBe(4);
	});
});

describe("steering an agent that cannot read (seed 000 §17 Semantic validation: wrong status)", () => {
	it("says that it is queued, and where", async () => {
		const { steer } = start({ background: 2, maxConcurrent: 1 });
		const answer = await steer({ agent_id: "agent2" });
		expect(answer.isError).toBe(true);
		expect(answer.text).toMatch(/^agent_id: agent2\nstatus: queued\n[\s\S]*No message was sent: .*at place 1 in line/);
		expect(answer.text).toContain("get_subagent_result");
	});

	it("says that it has ended, and what can be done", async () => {
		const { steer, run, published } = start();
		run().end();
		const answer = await steer();
		expect(answer.isError).toBe(true);
		expect(answer.text).toMatch(/No message was sent: the agent has ended \(completed\)/);
		expect(answer.text).toMatch(/get_subagent_result reads its result; Agent starts a new one/);
		// A refusal reads nothing: the result is still to be delivered.
		expect([...published.values()].map(({ claim }) => claim.state.kind)).toEqual(["held"]);
	});

	it("says that it is being stopped", async () => {
		const { steer, stopByUser, unread } = start({ stopTakes: 1_000 });
		stopByUser("agent1");
		const answer = await steer();
		expect(answer.isError).toBe(true);
		expect(answer.text).toContain("being stopped");
		expect(unread()).toEqual([]);
	});

	it("names the agents that there are when there is none of that id (missing target)", async () => {
		const answer = await start().steer({ agent_id: "agent7" });
		expect(answer.isError).toBe(true);
		expect(answer.text).toContain("Known agents: agent1 (running, counts)");
	});

	it.each<[string, unknown, string]>([
		["a blank message", { agent_id: "agent1", message: " \n" }, "message must not be blank"],
		["no message", { agent_id: "agent1" }, "message is required"],
		["more than there is", { agent_id: "agent1", message: "x", urgent: true }, '"urgent"'],
	])("refuses %s before anything happens", async (_name, params, word) => {
		const { tool, unread } = start();
		const answer = await tool.run(callOf(pretend<SteerParams>(params)));
		expect(answer.isError).toBe(true);
		expect(answer.text).toContain(word);
		expect(unread()).toEqual([]);
	});

	it("sends nothing when the call was aborted before", async () => {
		const { steer, unread } = start();
		const abort = new AbortController();
		abort.abort("enough");
		const error = await rejection(steer({}, abort.signal));
		expect(error).toBeInstanceOf(ToolCallAborted);
		expect((error as ToolCallAborted).cause).toBe("enough");
		expect(unread()).toEqual([]);
	});
});
