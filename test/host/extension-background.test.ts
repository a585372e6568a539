import { describe, expect, it } from "vitest";
import { hang } from "../support/chat-reply.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const tasks = Array.from({ length: 8 }, (_, index) => `task ${index + 1}`);

describe("eight background agents with two slots (seed 000 §17 Parallelism)", () => {
	const begin = shareDelegation({ orchestrator: { maxConcurrent: 2 } });

	it("never run more than two at once, and each result comes once, to a busy and to an idle parent", async () => {
		const parent = answering({ "fan out": launch(...tasks) });
		let toolResults = 0;
		const { server, pi, rpc, leave } = await begin({
			// The answer to what the eight calls returned is left to the test: so long is the parent busy.
			parent: (request, exchange) =>
				newUserTexts(request).length === 0 && toolResults++ === 0 ? hang("working") : parent(request, exchange),
			child: leftToTest,
		});
		const finish = async (task: string) => {
			const exchange = await server.anyRequest(isTask(task));
			exchange.write(`answer to ${task}`);
			exchange.finish();
		};
		await rpc.request({ type: "prompt", message: "fan out" });
		const busy = await server.anyRequest((request) => request.model === "parent" && newUserTexts(request).length === 0);
		for (const task of tasks.slice(0, 4)) await finish(task);
		// Two more are asked only when four have ended: the four are ready for the boundary.
		await Promise.all([server.anyRequest(isTask("task 5")), server.anyRequest(isTask("task 6"))]);
		expect(notes(rpc.events)).toEqual([]);
		busy.finish();
		await rpc.until((record) => record.type === "agent_settled");
		expect(notes(rpc.events)).toHaveLength(1);
		expect(notes(rpc.events).flatMap(deliveries)).toHaveLength(4);

		for (const task of tasks.slice(4)) await finish(task);
		await untilPublished(rpc, 8);
		await leave();

		expect(server.mostOpen("child")).toBe(2);
		const [file = ""] = pi.sessionFiles();
		const stored = readEntries(file).filter((entry) => entry.customType === "subagent-result");
		const delivered = stored.flatMap((entry) => (entry.details as { delivery: string[] }).delivery);
		expect(delivered).toHaveLength(8);
		expect(new Set(delivered).size).toBe(8);
		const told = stored.map((entry) => contentText(entry)).join("\n");
		expect(tasks.map((task) => told.split(`answer to ${task}\n`).length - 1)).toEqual(tasks.map(() => 1));
	});

	it("stand in line in the order of their calls, and say where", async () => {
		const { server, rpc } = await begin(
			{ parent: answering({ "fan out": launch("first", "second", "third") }), child: leftToTest },
			{ maxConcurrent: 1 },
		);
		await rpc.prompt("fan out");
		const receipts = toolEnds(rpc.events, "Agent").map((record) => contentText(record.result));
		expect(receipts.map((receipt) => /^status: \w+|^place in line: \d+$/gm[Symbol.match](receipt))).toEqual([
			["status: running"],
			["status: queued", "place in line: 1"],
			["status: queued", "place in line: 2"],
		]);
		for (const task of ["first", "second", "third"]) (await server.anyRequest(isTask(task))).finish();
		await untilPublished(rpc, 3);
		expect(server.requestsOf("child").map((request) => newUserTexts(request)[0])).toEqual(["first", "second", "third"]);
	});
});
