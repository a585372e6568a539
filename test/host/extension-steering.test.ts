import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hang, text } from "../support/chat-reply.ts";
import { userTexts } from "../support/chat-request.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { useHttpGate } from "../support/use-http-gate.ts";
import { answering, isTask, launch, notes, steer, untilPublished, useDelegation } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const script = answering({ start: launch("task"), steer: steer("look left") });

describe("a message for a running agent", () => {
	const begin = shareDelegation();

	it("is read at its next boundary", async () => {
		const { server, rpc } = await begin({ parent: script, child: hang("working") });
		await rpc.prompt("start");
		const first = await server.anyRequest(isTask("task"));
		await rpc.prompt("steer");
		const [receipt] = toolEnds(rpc.events, "steer_subagent");
		expect(receipt?.isError).toBe(false);
		expect(contentText(receipt?.result)).toMatch(/^agent_id: \S+\nstatus: running\n.*\n\nQueued: /s);

		server.answer((request, exchange) =>
			request.model === "parent" ? script(request, exchange) : text("I looked left"),
		);
		first.writeToolCall({ name: "ls", args: { path: "." } });
		first.finish();
		await untilPublished(rpc);
		expect(server.requestsOf("child").map(userTexts)).toEqual([["task"], ["task", "look left"]]);
		expect(notes(rpc.events)[0]?.text).toContain("I looked left");
		expect(notes(rpc.events)[0]?.text).not.toContain("without reading");
	});

	it("is held while its session starts, and stands in its first request", async () => {
		const gate = await useHttpGate(1);
		const extension = fileURLToPath(new URL("../support/fixtures/slow-start.ts", import.meta.url));
		const { server, pi } = await useDelegation(
			{ parent: script, child: text("I looked left") },
			{ extensions: [ownExtension(), extension], env: { START_URL: gate.url } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		await rpc.prompt("steer");
		expect(contentText(toolEnds(rpc.events, "steer_subagent")[0]?.result)).toMatch(/^status: running\n.*\n\nHeld: /ms);
		expect(server.requestsOf("child")).toEqual([]);
		gate.open();
		await untilPublished(rpc);
		expect(server.requestsOf("child").map(userTexts)).toEqual([["task", "look left"]]);
	});

	it("is named in the result of an agent that ended without reading it", async () => {
		const { server, rpc } = await begin({ parent: script, child: hang("working") });
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await rpc.prompt("steer");
		child.cut();
		await untilPublished(rpc);
		expect(notes(rpc.events)[0]?.text).toMatch(/ended without reading this steering message:\n- "look left"/);
		expect(server.requestsOf("child")).toHaveLength(1);
	});

	it("is refused when the agent has ended, with what to do instead (seed 000 §17 Semantic validation)", async () => {
		const { rpc } = await begin({ parent: script, child: text("done") });
		await rpc.request({ type: "prompt", message: "start" });
		await untilPublished(rpc);
		await rpc.prompt("steer");
		const [refusal] = toolEnds(rpc.events, "steer_subagent");
		expect(refusal?.isError).toBe(true);
		expect(contentText(refusal?.result)).toMatch(/^agent_id: \S+\nstatus: completed\n.*get_subagent_result/s);
	});
});
