import { describe, expect, it } from "vitest";
import { hang, text } from "../support/chat-reply.ts";
import { freshToolResults, lastText } from "../support/chat-request.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	delegate,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	promptUntilCall,
	read,
	untilLive,
	untilNoneLive,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

// No grace is over within a test: what closes a connection here is the abort itself.
const begin = shareDelegation({ orchestrator: { stopGrace: 3_600 } });

describe("an abort of the parent (seed 000 §17 Cancellation)", () => {
	it("ends a foreground agent's request, and what it had written is in the parent's next one", async () => {
		const { server, rpc } = await begin({
			parent: answering({ delegate: delegate("task"), "go on": text("ok") }),
			child: hang("half an answer"),
		});
		await rpc.request({ type: "prompt", message: "delegate" });
		const child = await server.anyRequest(isTask("task"));
		await rpc.until((record) => contentText(record.partialResult).includes("half an answer"));
		await rpc.request({ type: "abort" });

		expect(await child.ended).toBe("closed by client");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(true);
		const said = contentText(end?.result);
		expect(said).toMatch(/^agent_id: [\w-]{4,64}\nstatus: stopped \(stopped_by_parent\)\ntype: general-purpose · /);
		expect(said).toContain("half an answer");
		expect(server.requests.map(({ model }) => model)).toEqual(["parent", "child"]);

		await rpc.prompt("go on");
		expect(server.requests.map(({ model }) => model)).toEqual(["parent", "child", "parent"]);
		const last = server.requests.at(-1);
		expect(last && freshToolResults(last).map((result) => result.text)).toEqual([said]);
		expect(last && lastText(last, "user")).toBe("go on");
		expect(notes(rpc.events)).toEqual([]);
	});

	it("ends a wait and not its agent, whose result then comes once, beside the person's next message", async () => {
		const parent = answering({
			start: launch("task"),
			wait: read([0], { wait: true }),
			"go on": text("ok"),
			"and on": text("ok"),
		});
		const { server, rpc } = await begin({ parent, child: hang("half an answer") });
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		await rpc.request({ type: "abort" });

		const [end] = toolEnds(rpc.events, "get_subagent_result");
		expect(end?.isError).toBe(true);
		expect(contentText(end?.result)).toMatch(/^agent_id: \S+\nstatus: running\n/);
		expect(contentText(end?.result)).toMatch(/^silent: \d/m);
		expect(child.state).toBe("open");

		const before = server.requests.length;
		child.write(", and the rest");
		child.finish();
		await untilNoneLive(rpc);
		expect(server.requests).toHaveLength(before);
		expect(notes(rpc.events)).toEqual([]);

		await rpc.prompt("go on");
		expect(server.requests).toHaveLength(before + 1);
		const [prompt, note, ...more] = newUserTexts(server.requests[before] ?? { model: "", messages: [] });
		expect([prompt, more]).toEqual(["go on", []]);
		expect(note).toContain("half an answer, and the rest");

		await rpc.prompt("and on");
		expect(server.requests).toHaveLength(before + 2);
		expect(notes(rpc.events).map(deliveries)).toEqual([[expect.stringMatching(/#1$/)]]);
	});
});

describe("rpc mode (seed 000 §17 Cancellation)", () => {
	it("settles while agents are at work, and answers an abort while they go on", async () => {
		const parent = answering({ start: launch("one"), talk: hang("a word") });
		const { server, rpc } = await begin({ parent, child: leftToTest });
		await rpc.prompt("start");
		const one = await server.anyRequest(isTask("one"));
		const speaks = rpc.untilNext((record) => record.type === "message_update");
		await rpc.request({ type: "prompt", message: "talk" });
		await speaks;
		await rpc.request({ type: "abort" });
		expect(one.state).toBe("open");
		one.play(text("answer one."));
	});
});
