import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { lastAssistantText } from "../support/pi-record.ts";
import { useHttpGate } from "../support/use-http-gate.ts";
import {
	answering,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	untilLive,
	untilNoneLive,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";

const withExtension = (name: string) => ({
	extensions: [ownExtension(), fileURLToPath(new URL(`../support/fixtures/${name}.ts`, import.meta.url))],
});

describe("the hand-over of a result to the parent", () => {
	it("is made again, and once, when another extension drops it at the boundary", async () => {
		const script = answering({ start: launch("task") });
		const { server, pi } = await useDelegation(
			{
				parent: (request, exchange) => (newUserTexts(request).length === 0 ? undefined : script(request, exchange)),
				child: leftToTest,
			},
			withExtension("rival"),
		);
		const rpc = pi.startRpc();
		await rpc.request({ type: "prompt", message: "start" });
		const busy = await server.anyRequest((request) => request.model === "parent" && newUserTexts(request).length === 0);
		await untilLive(rpc);
		const child = await server.anyRequest(isTask("task"));
		child.write("the answer");
		child.finish();
		await untilNoneLive(rpc);
		busy.write("working");
		busy.finish();

		await untilPublished(rpc);
		await rpc.stop();
		expect(notes(rpc.events).flatMap(deliveries)).toHaveLength(1);
		expect(notes(rpc.events)[0]?.text).toContain("the answer");
		expect(lastAssistantText(rpc.events)).toBe("received");
		expect(server.requestsOf("parent")).toHaveLength(3);
	});

	it("does not come in the way of a message that another extension is still looking at", async () => {
		const gate = await useHttpGate(1);
		const { server, pi } = await useDelegation(
			{ parent: answering({ start: launch("task"), "go on": text("ok") }), child: leftToTest },
			{ ...withExtension("slow-input"), env: { INPUT_URL: gate.url } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		const accepted = rpc.ask({ type: "prompt", message: "go on" });
		await gate.asked(2);
		child.write("the answer");
		child.finish();
		await untilNoneLive(rpc);
		expect(server.requestsOf("parent")).toHaveLength(2);
		gate.open();

		expect(await accepted).toMatchObject({ success: true });
		await untilPublished(rpc);
		expect(newUserTexts(server.requestsOf("parent")[2] ?? { model: "", messages: [] })).toEqual([
			"go on",
			expect.stringContaining("the answer"),
		]);
		await rpc.stop();
		expect(notes(rpc.events)).toHaveLength(1);
	});
});
