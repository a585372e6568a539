import { VERSION } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { failure, hang, text } from "../support/chat-reply.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { answering, delegate, isTask, launch, untilPublished } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

describe("an agent whose provider fails (seed 000 §17 Failure)", () => {
	const begin = shareDelegation();
	const beginWithRetries = shareDelegation({ settings: { retry: { enabled: true, maxRetries: 1, baseDelayMs: 1 } } });

	it("is an error in the foreground, with the provider's words and no invented text", async () => {
		const { server, rpc } = await begin({
			parent: answering({ delegate: delegate("task") }),
			child: failure(500, "out of order"),
		});
		await rpc.prompt("delegate");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(true);
		expect(contentText(end?.result)).toMatch(/^agent_id: \S+\nstatus: error \(provider_error\)\n/);
		expect(contentText(end?.result)).toContain("out of order");
		expect(contentText(end?.result)).toContain("It had written no text.");
		expect(end?.result?.details).toMatchObject({ status: "error", reason: "provider_error" });
		expect(server.requestsOf("child")).toHaveLength(1);
	});

	it("keeps what it had written when the connection breaks", async () => {
		const { server, rpc } = await begin({
			parent: answering({ delegate: delegate("task") }),
			child: hang("half an answer"),
		});
		await rpc.request({ type: "prompt", message: "delegate" });
		const child = await server.anyRequest(isTask("task"));
		await rpc.until((record) => contentText(record.partialResult).includes("half an answer"));
		child.cut();
		await rpc.until((record) => record.type === "agent_settled");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(true);
		expect(contentText(end?.result)).toMatch(/^status: error \(provider_error\)$/m);
		expect(contentText(end?.result)).toContain("half an answer");
	});

	it("is published like any other from the background", async () => {
		const { rpc } = await begin({
			parent: answering({ start: launch("task") }),
			child: failure(500, "out of order"),
		});
		await rpc.request({ type: "prompt", message: "start" });
		expect((await untilPublished(rpc)).map((note) => note.text)).toEqual([
			expect.stringMatching(/^agent_id: \S+\nstatus: error \(provider_error\)\n.*out of order/s),
		]);
		expect(toolEnds(rpc.events, "Agent").map((end) => end.isError)).toEqual([false]);
	});

	it("is asked again when the user's retry settings say so, as the parent is", async () => {
		let asked = 0;
		const { server, rpc } = await beginWithRetries({
			parent: answering({ delegate: delegate("task") }),
			child: () => (asked++ === 0 ? failure(500, "out of order") : { ...hang("better"), finish: "stop" }),
		});
		await rpc.prompt("delegate");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result)).toMatch(/^status: completed$/m);
		expect(contentText(end?.result)).toMatch(/\n\nbetter$/);
		expect(server.requestsOf("child")).toHaveLength(2);
	});

	it("waits with its siblings for as long as the provider asks one of them to, and none fails", async () => {
		// Pi 0.81.1 cannot tell what the provider asks for: there the pause is that of its own retries.
		const retryAfter = VERSION.startsWith("0.") ? 0 : 1;
		const tasks = ["one", "two", "three", "four"];
		let over = Number.POSITIVE_INFINITY;
		const { server, rpc } = await beginWithRetries({
			parent: answering({ start: launch(...tasks) }),
			child: async () => {
				await server.until(() => server.requestsOf("child").length >= tasks.length, "a request of each");
				over = Math.min(over, Date.now() + retryAfter * 1000);
				return Date.now() < over ? failure(429, "slow down", { retryAfter }) : text("done");
			},
		});
		await rpc.request({ type: "prompt", message: "start" });
		const told = (await untilPublished(rpc, tasks.length)).map((note) => note.text).join("\n");
		expect(told.match(/^status: completed$/gm)).toHaveLength(tasks.length);
		expect(server.requestsOf("child").length).toBeLessThanOrEqual(2 * tasks.length);
	});
});
