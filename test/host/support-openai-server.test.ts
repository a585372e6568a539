import { describe, expect, it } from "vitest";
import { empty, failure, hang, text, toolCall, toolCalls, truncated } from "../support/chat-reply.ts";
import { freshToolResults, lastText, systemText, toolNames, toolResults, userTexts } from "../support/chat-request.ts";
import { createGate } from "../support/gate.ts";
import { startOpenAiServer } from "../support/openai-server.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";

/** Posts a chat request as a client of the protocol does, and reads the whole stream. */
async function chat(baseUrl: string, model: string, message: string, signal?: AbortSignal) {
	const response = await fetch(`${baseUrl}/chat/completions`, {
		method: "POST",
		body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: message }] }),
		...(signal && { signal }),
	});
	return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The events of a stream, without the end mark. */
function chunks(body: string) {
	return body
		.split("\n\n")
		.filter((event) => event.startsWith("data: {"))
		.map((event) => JSON.parse(event.slice(6)) as { choices: { delta: unknown; finish_reason: string | null }[] });
}

describe("the scripted model server", () => {
	it("streams text, a finish reason and usage, and ends with the protocol's mark", async () => {
		const server = await useOpenAiServer(() => text(["Hel", "lo"], { usage: { input: 7, output: 3, cacheRead: 2 } }));
		const { status, body } = await chat(server.baseUrl, "parent", "hi");
		expect(status).toBe(200);
		expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
		expect(chunks(body).flatMap((chunk) => chunk.choices)).toEqual([
			{ index: 0, delta: { role: "assistant" }, finish_reason: null },
			{ index: 0, delta: { content: "Hel" }, finish_reason: null },
			{ index: 0, delta: { content: "lo" }, finish_reason: null },
			{ index: 0, delta: {}, finish_reason: "stop" },
		]);
		expect(chunks(body).at(-1)).toMatchObject({
			usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
		});
	});

	it("gives several tool calls an index and an id of their own", async () => {
		const server = await useOpenAiServer(() =>
			toolCalls([
				{ name: "ls", args: { path: "." } },
				{ name: "read", args: { path: "a" }, id: "mine" },
			]),
		);
		const { body } = await chat(server.baseUrl, "parent", "hi");
		expect(
			chunks(body)
				.flatMap((chunk) => chunk.choices)
				.slice(1),
		).toMatchObject([
			{ delta: { tool_calls: [{ index: 0, id: "call_0_0", function: { name: "ls", arguments: '{"path":"."}' } }] } },
			{ delta: { tool_calls: [{ index: 1, id: "mine", function: { name: "read" } }] } },
			{ delta: {}, finish_reason: "tool_calls" },
		]);
	});

	it("answers with HTTP errors, with the time to wait in seconds", async () => {
		const server = await useOpenAiServer(() => failure(429, "slow down", { retryAfter: 7 }));
		const { status, headers, body } = await chat(server.baseUrl, "parent", "hi");
		expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
		expect(body).toContain("slow down");
	});

	it.each([
		["length", truncated("cut of"), ["cut of"]],
		["stop", empty(), []],
	])("can end with %s", async (reason, reply, content) => {
		const server = await useOpenAiServer(() => reply);
		const { body } = await chat(server.baseUrl, "parent", "hi");
		const choices = chunks(body).flatMap((chunk) => chunk.choices);
		expect(choices.at(-1)?.finish_reason).toBe(reason);
		expect(choices.slice(1, -1).map((choice) => choice.delta)).toEqual(content.map((piece) => ({ content: piece })));
	});

	it("leaves a hanging stream to the test, which may write to it and finish it", async () => {
		const server = await useOpenAiServer(() => hang("so far"));
		const next = server.nextRequest();
		const answer = chat(server.baseUrl, "parent", "hi");
		const exchange = await next;
		expect(exchange.state).toBe("open");
		exchange.write(", and on");
		exchange.finish();
		expect((await answer).body).toContain(", and on");
		expect(await exchange.ended).toBe("finished");
	});

	it("sees a client leave before the end, and how many were open at once, of all models and of one", async () => {
		const server = await useOpenAiServer(() => hang());
		const leaving = new AbortController();
		const left = expect(chat(server.baseUrl, "child", "one", leaving.signal)).rejects.toThrow();
		await server.anyRequest((request) => lastText(request, "user") === "one");
		const staying = chat(server.baseUrl, "parent", "two");
		const two = await server.anyRequest((request) => lastText(request, "user") === "two");
		expect([server.openNow(), server.openNow("child"), server.openNow("parent")]).toEqual([2, 1, 1]);
		leaving.abort();
		await left;
		await server.until(() => server.openNow("child") === 0, "the child's request to end");
		two.finish();
		await staying;
		expect(server.log.map((event) => [event.type, event.exchange.request.model])).toEqual([
			["request", "child"],
			["request", "parent"],
			["closed by client", "child"],
			["finished", "parent"],
		]);
		expect([server.openNow(), server.mostOpen(), server.mostOpen("child"), server.mostOpen("none")]).toEqual([
			0, 2, 1, 0,
		]);
	});

	it("waits for an asynchronous handler, and lets a test change the handler", async () => {
		const gate = createGate<string>();
		const server = await useOpenAiServer(async () => text(await gate.opened));
		const first = chat(server.baseUrl, "parent", "one");
		await server.anyRequest(() => true);
		server.answer(() => text("from the second handler"));
		expect((await chat(server.baseUrl, "parent", "two")).body).toContain("from the second handler");
		gate.open("from the gate");
		expect((await first).body).toContain("from the gate");
	});

	it("fails on closing when a handler threw", async () => {
		const server = await startOpenAiServer(() => {
			throw new Error("the script does not know this");
		});
		expect((await chat(server.baseUrl, "parent", "hi")).status).toBe(400);
		await expect(server.close()).rejects.toThrow("the script does not know this");
	});

	it("rejects what still waits when it is closed, and says what was waited for", async () => {
		const server = await startOpenAiServer(() => empty());
		const waiting = expect(server.until(() => false, "something that never comes")).rejects.toThrow(
			"while waiting for something that never comes",
		);
		await server.close();
		await waiting;
	});
});

describe("reading a request", () => {
	const request = {
		model: "parent",
		messages: [
			{ role: "system", content: "be brief" },
			{ role: "user", content: [{ type: "text", text: "first" }] },
			{ role: "assistant", tool_calls: [{ id: "a", function: { name: "ls", arguments: '{"path":"x"}' } }] },
			{ role: "tool", tool_call_id: "a", content: "one file" },
			{ role: "assistant", tool_calls: [{ id: "b", function: { name: "read", arguments: "{}" } }] },
			{ role: "tool", tool_call_id: "b", content: "its text" },
			{ role: "user", content: "steered" },
		],
		tools: [{ function: { name: "ls" } }, { function: { name: "read" } }],
	} as const;

	it("finds texts by role, tools, and tool results with their calls", () => {
		expect(systemText(request)).toBe("be brief");
		expect(userTexts(request)).toEqual(["first", "steered"]);
		expect(lastText(request, "user")).toBe("steered");
		expect(toolNames(request)).toEqual(["ls", "read"]);
		expect(toolResults(request)).toEqual([
			{ id: "a", name: "ls", args: { path: "x" }, text: "one file" },
			{ id: "b", name: "read", args: {}, text: "its text" },
		]);
	});

	it("tells the results that are new from those that were answered before", () => {
		expect(freshToolResults(request).map((result) => result.id)).toEqual(["b"]);
		expect(freshToolResults({ ...request, messages: request.messages.slice(0, 2) })).toEqual([]);
	});

	it("makes a single tool call with its text before it", () => {
		expect(toolCall("ls", { path: "." }, { text: "looking", id: "c" })).toMatchObject({
			chunks: ["looking"],
			calls: [{ name: "ls", args: { path: "." }, id: "c" }],
			finish: "tool_calls",
		});
	});
});
