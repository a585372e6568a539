import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failure, text } from "../support/chat-reply.ts";
import { toolResults } from "../support/chat-request.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	agentIdIn,
	answering,
	delegate,
	isTask,
	launch,
	leftToTest,
	promptUntilCall,
	read,
	useDelegation,
} from "./extension-fixture.ts";

const failingHook = fileURLToPath(new URL("../support/fixtures/failing-hook.ts", import.meta.url));

describe("the results of calls that run side by side", () => {
	it("stand in the transcript in the order of the calls, whichever ended first (seed 000 §7.1, invariants 12 and 16)", async () => {
		const { server, pi } = await useDelegation({
			parent: answering({ start: launch("first", "second"), wait: read([0, 1], { wait: true }) }),
			child: leftToTest,
		});
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		const ids = toolEnds(rpc.events, "Agent").map((end) => agentIdIn(contentText(end.result)));
		const settled = rpc.untilNext((record) => record.type === "agent_settled");
		for (const task of ["second", "first"]) {
			const exchange = await server.anyRequest(isTask(task));
			exchange.write(`answer to ${task}`);
			const ended = rpc.untilNext((record) => record.type === "tool_execution_end");
			exchange.finish();
			await ended;
		}
		await settled;
		const ends = toolEnds(rpc.events, "get_subagent_result");
		expect(ends.map((end) => agentIdIn(contentText(end.result)))).toEqual([ids[1], ids[0]]);
		const last = server.requestsOf("parent").at(-1);
		const sent = (last === undefined ? [] : toolResults(last)).slice(-2).map((result) => result.text);
		expect(sent).toEqual([expect.stringMatching(/answer to first$/), expect.stringMatching(/answer to second$/)]);
		expect(sent.map(agentIdIn)).toEqual(ids);
		await rpc.stop();
		const [file = ""] = pi.sessionFiles();
		const stored = readEntries(file).filter((entry) =>
			JSON.stringify(entry).includes('"toolName":"get_subagent_result"'),
		);
		expect(stored.map((entry) => /answer to \w+/.exec(JSON.stringify(entry))?.[0])).toEqual([
			"answer to first",
			"answer to second",
		]);
	});
});

describe("a hook on tool results that fails (seed 000 §17 Failure: post-hook failure)", () => {
	it.each([
		["before ours", [failingHook, ownExtension()]],
		["after ours", [ownExtension(), failingHook]],
	])("%s costs neither the result nor its error state (invariant 5)", async (_where, extensions) => {
		const { server, pi } = await useDelegation(
			{
				parent: answering({ "go well": delegate("well"), "go wrong": delegate("wrong") }),
				child: (request) => (isTask("well")(request) ? text("the answer") : failure(500, "out of order")),
			},
			{ extensions },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("go well");
		await rpc.prompt("go wrong");
		const ends = toolEnds(rpc.events, "Agent");
		expect(ends.map((end) => end.isError)).toEqual([false, true]);
		expect(contentText(ends[0]?.result)).toMatch(/\n\nthe answer$/);
		expect(contentText(ends[1]?.result)).toContain("out of order");
		expect(ends[0]?.result?.details).toMatchObject({ status: "completed" });
		const last = server.requestsOf("parent").at(-1);
		expect((last === undefined ? [] : toolResults(last)).map((result) => agentIdIn(result.text))).toHaveLength(2);
		expect(rpc.events.filter((record) => JSON.stringify(record).includes("the hook is broken"))).not.toEqual([]);
	});
});
