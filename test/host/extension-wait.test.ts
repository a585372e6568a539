import { describe, expect, it } from "vitest";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	isTask,
	launch,
	leftToTest,
	notes,
	promptUntilCall,
	read,
	untilLive,
	untilNoneLive,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const orchestrator = { maxConcurrent: 1 };

describe("a wait for an agent", () => {
	const begin = shareDelegation();

	it("spans its time in line and its run, and then has the result (seed 000 §17.2)", async () => {
		const parent = answering({ start: launch("first", "second"), wait: read([1], { wait: true }) });
		const { server, rpc, leave } = await begin({ parent, child: leftToTest }, orchestrator);
		await rpc.prompt("start");
		const first = await server.anyRequest(isTask("first"));
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		expect(server.openNow()).toBe(1);
		first.write("the first answer");
		first.finish();
		const second = await server.anyRequest(isTask("second"));
		expect(toolEnds(rpc.events, "get_subagent_result")).toEqual([]);
		second.write("the second answer");
		second.finish();
		const [note, ...more] = await untilPublished(rpc);
		const [end] = toolEnds(rpc.events, "get_subagent_result");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result)).toMatch(/^agent_id: \S+\nstatus: completed\n.*\n\nthe second answer$/s);
		// The first, which nobody read, came by itself; the second never does.
		expect(note?.text).toContain("the first answer");
		expect(more).toEqual([]);
		await leave();
		expect(notes(rpc.events).map((one) => one.text)).not.toContainEqual(expect.stringContaining("the second answer"));
	});

	it("is over in time for a running and for a queued agent, and leaves both as they were", async () => {
		const parent = answering({ start: launch("first", "second"), wait: read([0, 1], { wait: true, timeout_s: 1 }) });
		const { server, rpc } = await begin({ parent, child: leftToTest }, orchestrator);
		await rpc.prompt("start");
		const first = await server.anyRequest(isTask("first"));
		await rpc.prompt("wait");
		const ends = toolEnds(rpc.events, "get_subagent_result");
		expect(ends.map((end) => end.isError)).toEqual([false, false]);
		const said = ends.map((end) => contentText(end.result)).sort();
		expect(said).toContainEqual(expect.stringMatching(/^status: running\n.*^silent: .*over after 1s/ms));
		expect(said).toContainEqual(expect.stringMatching(/^status: queued\n.*^place in line: 1\n.*over after 1s/ms));
		expect(first.state).toBe("open");

		first.finish();
		(await server.anyRequest(isTask("second"))).finish();
		expect((await untilPublished(rpc, 2)).length).toBeGreaterThan(0);
	});

	it("may be one of several, of which each has the result, which then is never published (seed 000 §17 Ownership)", async () => {
		const parent = answering({ start: launch("task"), wait: read([0, 0], { wait: true }), "go on": read([0]) });
		const { server, rpc, leave } = await begin({ parent, child: leftToTest });
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		await rpc.untilHolds(() => rpc.events.filter((record) => record.type === "tool_execution_start").length === 3);
		child.write("the answer");
		child.finish();
		await rpc.untilHolds(() => toolEnds(rpc.events, "get_subagent_result").length === 2, "the end of both waits");
		await untilNoneLive(rpc);
		await rpc.untilHolds(() => rpc.events.filter((record) => record.type === "agent_settled").length === 2);
		const said = toolEnds(rpc.events, "get_subagent_result").map((end) => [end.isError, contentText(end.result)]);
		expect(said).toEqual(Array.from({ length: 2 }, () => [false, expect.stringMatching(/\n\nthe answer$/)]));
		// A third reading finds the same, and still nothing comes by itself.
		await rpc.prompt("go on");
		expect(contentText(toolEnds(rpc.events, "get_subagent_result")[2]?.result)).toMatch(/\n\nthe answer$/);
		await leave();
		expect(notes(rpc.events)).toEqual([]);
	});
});
