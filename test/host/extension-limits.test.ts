import { describe, expect, it } from "vitest";
import { hang, text, toolCall } from "../support/chat-reply.ts";
import { toolResults } from "../support/chat-request.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	delegate,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	steer,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

describe("an agent at a limit of the settings (seed 000 §15 invariant 25)", () => {
	const begin = shareDelegation({ session: false, projectFiles: { "notes.md": "notes" } });

	it.each([
		{ setting: "idleTimeout", orchestrator: { idleTimeout: 0.5 }, reason: "idle_timeout" },
		{ setting: "runTimeout", orchestrator: { runTimeout: 0.5 }, reason: "timeout" },
	])("$setting: a provider that has gone silent is left, and the call fails", async ({ orchestrator, reason }) => {
		const parent = answering({ delegate: delegate("task") });
		const { server, rpc } = await begin(
			{ parent, child: hang("half an answer") },
			{ ...orchestrator, stopGrace: 3_600 },
		);
		await rpc.prompt("delegate");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(true);
		expect(contentText(end?.result)).toMatch(new RegExp(`^agent_id: \\S+\\nstatus: aborted \\(${reason}\\)\\n`));
		await server.until(() => server.openNow() === 0, "its connection to be closed");
	});

	it("maxTurns: a message is read in a turn of the grace, and where none is left the answer stands and the message is named", async () => {
		const parent = answering({ start: launch("task"), one: steer("first"), two: steer("second") });
		const { server, rpc } = await begin({ parent, child: leftToTest }, { maxTurns: 1, graceTurns: 1 });
		await rpc.prompt("start");
		const begun = await server.anyRequest(isTask("task"));
		await rpc.prompt("one");
		const more = server.nextRequest(({ model }) => model === "child");
		begun.play(text("an answer"));
		const last = await more;
		expect(newUserTexts(last.request)).toEqual(["first"]);
		await rpc.prompt("two");
		last.play(text("another answer"));
		const [note] = await untilPublished(rpc);
		expect(note?.text).toMatch(/^status: completed$/m);
		expect(note?.text).toContain("another answer");
		expect(note?.text).toContain("second");
		expect(server.requestsOf("child")).toHaveLength(2);
	});

	it("maxTools: it is asked to wrap up, reads that before its next request, and is steered when it does after one more", async () => {
		const parent = answering({ delegate: delegate("task") });
		const { server, rpc } = await begin(
			{
				parent,
				child: (request) =>
					toolResults(request).length < 2 ? toolCall("read", { path: "notes.md" }) : text("what I have so far"),
			},
			{ maxTools: 1 },
		);
		await rpc.prompt("delegate");
		expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toMatch(/^status: steered \(wrapped_up\)$/m);
		const asked = newUserTexts(server.requestsOf("child")[1] ?? { model: "", messages: [] });
		expect(asked.at(-1)).toMatch(/^You have reached your limit of tool calls\./);
	});

	it("maxCostUsd: it is stopped when the money is spent, and the next call is refused", async () => {
		const parent = answering({ delegate: delegate("task"), again: delegate("again") });
		const expensive = { usage: { input: 1_000_000, output: 0 } };
		const { server, rpc } = await begin(
			{ parent, child: toolCall("read", { path: "notes.md" }, expensive) },
			{ maxCostUsd: 1 },
		);
		await rpc.prompt("delegate");
		expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toMatch(/^status: aborted \(budget\)$/m);
		await rpc.prompt("again");
		const refused = toolEnds(rpc.events, "Agent")[1];
		expect(refused?.isError).toBe(true);
		expect(contentText(refused?.result)).toContain("The money for subagents is spent: $1 of $1 (maxCostUsd).");
		expect(server.requestsOf("child")).toHaveLength(1);
	});
});
