import { describe, expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	delegate,
	isTask,
	launch,
	leftToTest,
	notes,
	promptUntilCall,
	read,
	useDelegation,
} from "./extension-fixture.ts";

describe("the end of a parent's session (seed 000 §17 Lifecycle)", () => {
	it("stops its agents when another replaces it, and the next one works", async () => {
		const script = answering({ start: launch("old", "queued"), delegate: delegate("new") });
		const { server, pi } = await useDelegation(
			{ parent: script, child: (request) => (isTask("new")(request) ? text("the new answer") : undefined) },
			{ orchestrator: { maxConcurrent: 1 } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const old = await server.anyRequest(isTask("old"));
		await rpc.request({ type: "new_session" });
		expect(await old.ended).toBe("closed by client");
		await rpc.prompt("delegate");
		expect(contentText(toolEnds(rpc.events, "Agent").at(-1)?.result)).toMatch(/\n\nthe new answer$/);
		expect(await rpc.stop()).toEqual({ code: 0, signal: null });
		// Neither does the old session's result come to the new one, nor does its queue go on there.
		expect(notes(rpc.events)).toEqual([]);
		expect(server.requestsOf("child")).toHaveLength(2);
		expect(rpc.stderr).toBe("");
		const said = rpc.events.filter(({ type, method }) => type === "extension_ui_request" && method === "notify");
		expect(said.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Agents that would stop with this session: [0-9a-f]{8}, [0-9a-f]{8}\.$/),
		]);
	});

	it("stops its agents when pi quits, in the background, in line and in a call, and pi ends by itself", async () => {
		const script = answering({ start: launch("running", "queued"), delegate: delegate("before") });
		const { server, pi } = await useDelegation(
			{ parent: script, child: leftToTest },
			// Were anything waited for that does not come, the test would be over before this.
			{ orchestrator: { maxConcurrent: 1, stopGrace: 3_600 } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		await rpc.request({ type: "prompt", message: "delegate" });
		const children = [await server.anyRequest(isTask("running")), await server.anyRequest(isTask("before"))];
		expect(await rpc.stop()).toEqual({ code: 0, signal: null });
		expect(await Promise.all(children.map((child) => child.ended))).toEqual(["closed by client", "closed by client"]);
		expect(server.openNow()).toBe(0);
		expect(server.requestsOf("child")).toHaveLength(2);
		expect(rpc.stderr).toBe("");
	});

	it("ends a wait that is under way", async () => {
		const script = answering({ start: launch("task"), wait: read([0], { wait: true }) });
		const { server, pi } = await useDelegation(
			{ parent: script, child: leftToTest },
			{ orchestrator: { stopGrace: 3_600 } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		expect(await rpc.stop()).toEqual({ code: 0, signal: null });
		expect(await child.ended).toBe("closed by client");
		expect(rpc.stderr).toBe("");
	});

	it("ends in order by a signal too", async () => {
		const { server, pi } = await useDelegation(
			{ parent: answering({ start: launch("task") }), child: leftToTest },
			{ orchestrator: { stopGrace: 3_600 } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		rpc.kill("SIGTERM");
		expect(await rpc.exit).toEqual({ code: 143, signal: null });
		expect(await child.ended).toBe("closed by client");
		expect(rpc.stderr).toBe("");
	});
});
