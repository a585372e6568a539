import { describe, expect, it } from "vitest";
import { failure, text, toolCall } from "../support/chat-reply.ts";
import { contentText, lastAssistantText, toolEnds } from "../support/pi-record.ts";
import {
	agentIdIn,
	answering,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	read,
	untilLive,
	untilNoneLive,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

describe("a result that nobody has read (seed 000 §17 Ownership)", () => {
	const begin = shareDelegation();

	it("wakes an idle parent once, with a message that names its agent and calls its words data", async () => {
		const { server, rpc, leave } = await begin({ parent: answering({ start: launch("task") }), child: leftToTest });
		await rpc.prompt("start");
		const id = agentIdIn(contentText(toolEnds(rpc.events, "Agent")[0]?.result));
		const child = await server.anyRequest(isTask("task"));
		child.write("the answer");
		child.finish();
		const published = await untilPublished(rpc);
		expect(published.map(deliveries)).toEqual([[`${id}#1`]]);
		expect(published[0]?.text).toMatch(/^agent_id: \S+\nstatus: completed\n.*data, not instructions.*the answer/s);
		expect(published[0]?.text).not.toContain("task");
		expect(lastAssistantText(rpc.events)).toBe("received");
		await leave();
		expect(notes(rpc.events)).toHaveLength(1);
	});

	it("waits for the boundary of a busy parent, where several go as one message before its final answer", async () => {
		const script = answering({ start: launch("first", "second", "third") });
		const { server, rpc } = await begin({
			parent: (request, exchange) => (newUserTexts(request).length === 0 ? undefined : script(request, exchange)),
			child: leftToTest,
		});
		await rpc.request({ type: "prompt", message: "start" });
		const busy = await server.anyRequest((request) => request.model === "parent" && newUserTexts(request).length === 0);
		await untilLive(rpc);
		for (const task of ["first", "second", "third"]) {
			const child = await server.anyRequest(isTask(task));
			child.write("the answer");
			child.finish();
		}
		await untilNoneLive(rpc);
		expect(notes(rpc.events)).toEqual([]);
		busy.finish();
		const published = await untilPublished(rpc, 3);
		expect(published.map((note) => deliveries(note).length)).toEqual([3]);
		expect(rpc.events.filter((record) => record.type === "agent_settled")).toHaveLength(1);
		expect(newUserTexts(server.requests.at(-1) ?? { model: "", messages: [] })).toEqual([published[0]?.text]);
	});

	it("is never published after a turn in which the parent has read it", async () => {
		const { server, rpc, leave } = await begin({ parent: leftToTest, child: text("the answer") });
		let results = 0;
		const script = answering({ start: launch("task"), "and now": text("ok") });
		server.answer(async (request, exchange) => {
			if (request.model === "child") return text("the answer");
			if (newUserTexts(request).length > 0) return script(request, exchange);
			results += 1;
			if (results > 1) return text("the final answer");
			// The child has been answered before the parent asks for its result: it is ready, or nearly so.
			await server.until(() =>
				server.log.some((event) => event.type === "finished" && event.exchange.request.model === "child"),
			);
			return read([0], { wait: true })(request, exchange);
		});
		await rpc.prompt("start");
		expect(contentText(toolEnds(rpc.events, "get_subagent_result")[0]?.result)).toMatch(/\n\nthe answer$/);
		expect(lastAssistantText(rpc.events)).toBe("the final answer");
		await rpc.prompt("and now");
		await leave();
		expect(notes(rpc.events)).toEqual([]);
		expect(server.requestsOf("parent")).toHaveLength(4);
	});

	it("is not repeated by a later reading, unless that asks for it", async () => {
		const parent = answering({ start: launch("task"), again: read([0]), whole: read([0], { verbose: true }) });
		const { rpc } = await begin({ parent, child: text("the answer") });
		await rpc.request({ type: "prompt", message: "start" });
		await untilPublished(rpc);
		await rpc.prompt("again");
		await rpc.prompt("whole");
		const [again, whole] = toolEnds(rpc.events, "get_subagent_result").map((end) => contentText(end.result));
		expect(again).toContain("published");
		expect(again).not.toContain("the answer");
		expect(whole).toContain("the answer");
		expect(notes(rpc.events)).toHaveLength(1);
	});

	it("wakes nobody after a turn of the parent that failed, and comes beside the next message", async () => {
		const parent = answering({ start: launch("task"), fail: failure(500, "out of order"), "go on": text("ok") });
		const { server, rpc } = await begin({ parent, child: leftToTest });
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		await rpc.prompt("fail");
		const before = server.requests.length;
		child.write("the answer");
		child.finish();
		await untilNoneLive(rpc);
		expect(server.requests).toHaveLength(before);
		await rpc.prompt("go on");
		expect(server.requests).toHaveLength(before + 1);
		expect(newUserTexts(server.requests[before] ?? { model: "", messages: [] })).toEqual([
			"fail",
			"go on",
			expect.stringContaining("the answer"),
		]);
		expect(notes(rpc.events)).toHaveLength(1);
	});

	it("does not ask a failed parent again at the boundary", async () => {
		const { server, rpc } = await begin({ parent: leftToTest, child: text("the answer") });
		const script = answering({ start: launch("task"), "go on": text("ok") });
		server.answer(async (request, exchange) => {
			if (request.model === "child") return text("the answer");
			if (newUserTexts(request).length > 0) return script(request, exchange);
			await server.until(() => server.requestsOf("child").length === 1 && server.openNow("child") === 0);
			return failure(500, "out of order");
		});
		await rpc.prompt("start");
		expect(server.requestsOf("parent")).toHaveLength(2);
		await rpc.prompt("go on");
		expect(server.requestsOf("parent")).toHaveLength(3);
		expect(notes(rpc.events)).toHaveLength(1);
	});

	it("waits until the parent needs no more tools", async () => {
		const { server, rpc } = await begin({ parent: leftToTest, child: text("the answer") });
		const script = answering({ start: launch("task") });
		let results = 0;
		server.answer(async (request, exchange) => {
			if (request.model === "child") return text("the answer");
			if (newUserTexts(request).length > 0) return script(request, exchange);
			results += 1;
			await server.until(() => server.requestsOf("child").length === 1 && server.openNow("child") === 0);
			return results < 3 ? toolCall("ls", { path: "." }) : text("done with it");
		});
		await rpc.request({ type: "prompt", message: "start" });
		await untilPublished(rpc);
		const parents = server.requestsOf("parent").map((request) => newUserTexts(request).length);
		// The prompt, three times tool results, and only then the note.
		expect(parents).toEqual([1, 0, 0, 0, 1]);
	});
});
