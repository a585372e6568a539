import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { createMailbox } from "../../src/operators/index.ts";
import type { StopRequest } from "../../src/streams/outcome.ts";
import type { SteeringMessage, SteeringSource } from "../../src/streams/ports.ts";
import { hang, text, toolCall } from "../support/chat-reply.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { useChildren } from "./child-fixture.ts";

/** What keeps the process alive, by kind. Sockets of the model's server are the test's own. */
function held(): string[] {
	return process
		.getActiveResourcesInfo()
		.filter((kind) => /Timeout|Process|FSEvent|Signal/.test(kind))
		.sort();
}

function listeners(): number {
	return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
}

describe("twenty runs", () => {
	it("leave no timer, process, listener or subscription behind, whether they end, are stopped or are let go (seed 000 §15 invariant 21)", async () => {
		const server = await useOpenAiServer((request) => {
			const asked = JSON.stringify(request.messages.filter(({ role }) => role === "user"));
			if (asked.includes("hang")) {
				return hang("so far");
			}
			return request.messages.some(({ role }) => role === "tool")
				? text("done")
				: toolCall("bash", { command: "true" });
		});
		const children = await useChildren({ baseUrl: server.baseUrl });
		children.extension(
			"home/.pi/agent/extensions/count.js",
			`shared.alive = (shared.alive ?? 0) + 1;
			const timer = setInterval(() => {}, 1_000_000);
			pi.on("session_shutdown", () => { clearInterval(timer); shared.alive--; shared.seen?.(); });`,
		);
		const config = { model: "local/child", tools: ["bash"] };
		const stop$ = new Subject<StopRequest>();
		const mailbox = createMailbox<SteeringMessage>();
		let attached = 0;
		const steering: SteeringSource = {
			drain: () => mailbox.drain(),
			deliver: (boundary$) => {
				attached++;
				return mailbox.deliver(boundary$);
			},
		};
		// The first run opens what stays for good, such as the connection pool.
		await children.run({ config, inputs: { stop$, steering } }).ended;
		const before = { held: held(), listeners: listeners() };
		for (let round = 0; round < 7; round++) {
			await children.run({ config, inputs: { stop$, steering } }).ended;
			const stopped = children.run({ config, inputs: { stop$, steering }, spec: { prompt: "hang" } });
			await stopped.until("text_delta");
			stop$.next({ status: "stopped", reason: "stopped_by_user" });
			await stopped.ended;
			const shutDown = new Promise<void>((resolve) => {
				children.shared.seen = resolve;
			});
			const left = children.run({ config, inputs: { stop$, steering }, spec: { prompt: "hang" } });
			await left.until("text_delta");
			left.subscription.unsubscribe();
			await shutDown;
		}
		await server.until(() => server.openNow() === 0, "the last connection's end");
		expect(attached).toBe(22);
		expect(children.shared.alive).toBe(0);
		expect(stop$.observed).toBe(false);
		expect({ held: held(), listeners: listeners() }).toEqual(before);
	});
});

describe("a run in parallel with others", () => {
	it("has its own session, answer and steering", async () => {
		const children = await useChildren();
		children.script(
			...Array.from({ length: 20 }, () => (context: { messages: readonly { role: string; content?: unknown }[] }) => {
				const asked = JSON.stringify(context.messages.findLast(({ role }) => role === "user")?.content);
				return context.messages.some(({ role }) => role === "toolResult")
					? fauxAssistantMessage(`answer to ${/\d+/.exec(asked)?.[0]}`)
					: fauxAssistantMessage([fauxToolCall("ls", {})], { stopReason: "toolUse" });
			}),
		);
		const runs = Array.from({ length: 10 }, (_, index) =>
			children.run({ spec: { prompt: `question ${index}` }, config: { tools: ["ls"] } }),
		);
		await Promise.all(runs.map((run) => run.ended));
		expect(runs.map((run) => run.outcome.text)).toEqual(runs.map((_, index) => `answer to ${index}`));
	});
});
