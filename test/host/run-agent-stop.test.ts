import { fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { VERSION } from "@earendil-works/pi-coding-agent";
import { of, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { StopRequest } from "../../src/streams/outcome.ts";
import type { RunEvent } from "../../src/streams/run-event.ts";
import { hang } from "../support/chat-reply.ts";
import { createGate } from "../support/gate.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { type ChildFixture, hangingStep, type RunChanges, useChildren, type WatchedRun } from "./child-fixture.ts";

const byUser: StopRequest = { status: "stopped", reason: "stopped_by_user" };
const ok = fauxAssistantMessage("ok");
const callLs = fauxAssistantMessage([fauxText("Let me look."), fauxToolCall("ls", {})], { stopReason: "toolUse" });

/** A run with a stop of its own, and `stop` on the shared object of the test's extensions. */
function stoppable(children: ChildFixture, changes: RunChanges = {}): { run: WatchedRun; stop: () => void } {
	const stop$ = new Subject<StopRequest>();
	const stop = () => stop$.next(byUser);
	children.shared.stop = stop;
	const run = children.run({ ...changes, inputs: { stop$, ...changes.inputs } });
	return { run, stop };
}

/** Calls `act` after so many microtasks. */
function afterMicrotasks(count: number, act: () => void): void {
	if (count === 0) {
		act();
	} else {
		queueMicrotask(() => afterMicrotasks(count - 1, act));
	}
}

function expectStopped(run: WatchedRun, text = ""): void {
	expect(run.outcome).toMatchObject({ verdict: byUser, text });
	expect(run.closed).toBe("verified");
	expect(run.types.slice(-2)).toEqual(["settled", "closed"]);
}

describe("a stop while the run starts", () => {
	it("that is there before the run leaves nothing behind: no session, no file, no model call", async () => {
		const children = await useChildren();
		const run = children.run({ inputs: { stop$: of(byUser) } });
		await run.ended;
		expectStopped(run);
		expect(run.types).toEqual(["settled", "closed"]);
		expect(children.home.filesBelow(`${children.home.agentDir}/orchestrator`)).toEqual([]);
	});

	it("abandons it at any microtask of the making of the session", async () => {
		const children = await useChildren();
		children.script(ok);
		for (const count of [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]) {
			const { run, stop } = stoppable(children);
			afterMicrotasks(count, stop);
			await run.ended;
			expectStopped(run);
		}
		expect(children.calls).toBe(0);
	});

	it("reaches it in the tick of the prompt, and up to thirty microtasks later", async () => {
		const children = await useChildren();
		children.script(ok);
		for (let count = 0; count <= 30; count++) {
			let stop = () => {};
			const hear = (event: RunEvent) => event.type === "session_ready" && afterMicrotasks(count, stop);
			const made = stoppable(children, { hear });
			stop = made.stop;
			await made.run.ended;
			expect(made.run.outcome.verdict, `after ${count} microtasks`).toEqual(byUser);
			expect(children.calls, `after ${count} microtasks`).toBe(0);
		}
	});

	it.each(["session_start", "input", "before_agent_start", "agent_start", "turn_start", "context"])(
		"reaches it inside a slow %s hook of an extension, before any model call",
		async (hook) => {
			const children = await useChildren();
			children.script(ok);
			children.extension(
				"home/.pi/agent/extensions/slow.js",
				`pi.on(${JSON.stringify(hook)}, async () => {
					shared.stop();
					await new Promise((resolve) => setTimeout(resolve, 5));
				});
				pi.on("session_shutdown", () => log("shutdown"));`,
			);
			const { run } = stoppable(children);
			await run.ended;
			expectStopped(run);
			expect(children.calls).toBe(0);
			expect(children.log).toEqual(["shutdown"]);
		},
	);

	it.each(["session_ready", "turn_started"] as const)("reaches it from inside %s", async (type) => {
		const children = await useChildren();
		children.script(ok);
		let stop = () => {};
		const made = stoppable(children, { hear: (event) => event.type === type && stop() });
		stop = made.stop;
		await made.run.ended;
		expectStopped(made.run);
		expect(children.calls).toBe(0);
	});
});

describe("a stop while the run works", () => {
	it("keeps the text that was streamed so far, and closes the connection", async () => {
		const server = await useOpenAiServer(() => hang("The first half"));
		const children = await useChildren({ baseUrl: server.baseUrl });
		const { run, stop } = stoppable(children, { config: { model: "local/child" } });
		await run.until("text_delta");
		stop();
		await run.ended;
		expectStopped(run, "The first half");
		expect(await server.exchanges[0]?.ended).toBe("closed by client");
		expect(server.requests).toHaveLength(1);
	});

	it("has its own verdict when the request had not answered a byte yet", async () => {
		const children = await useChildren();
		const begun = createGate();
		children.script(
			hangingStep(() => begun.open(), ok),
			ok,
		);
		const { run, stop } = stoppable(children);
		await begun.opened;
		stop();
		await run.ended;
		expectStopped(run);
		expect(children.calls).toBe(1);
	});

	it("ends a tool and asks the model nothing more", async () => {
		const children = await useChildren();
		const call = fauxToolCall("bash", { command: "sleep 60" });
		children.script(fauxAssistantMessage([fauxText("I wait."), call], { stopReason: "toolUse" }), ok);
		const { run, stop } = stoppable(children);
		await run.until("tool_started");
		stop();
		await run.ended;
		expectStopped(run, "I wait.");
		expect(children.calls).toBe(1);
	});

	it.each(["tool_started", "tool_ended", "turn_ended", "message_ended"] as const)(
		"from inside %s is followed by no model call",
		async (type) => {
			const children = await useChildren();
			children.script(callLs, ok);
			let stop = () => {};
			const made = stoppable(children, {
				hear: (event) => event.type === type && stop(),
				config: { tools: ["ls"] },
			});
			stop = made.stop;
			await made.run.ended;
			expectStopped(made.run, "Let me look.");
			expect(children.calls).toBe(1);
		},
	);

	it.each([0, 1, 50])("ends the wait before a retry, %i microtasks after it was announced", async (count) => {
		const children = await useChildren();
		children.script(fauxAssistantMessage([], { stopReason: "error", errorMessage: "503 overloaded" }), ok);
		const settings = () => ({ retry: { enabled: true, maxRetries: 3, baseDelayMs: 3_600_000 } });
		let stop = () => {};
		const made = stoppable(children, {
			env: { settings },
			hear: (event) => event.type === "retrying" && afterMicrotasks(count, stop),
		});
		stop = made.stop;
		await made.run.ended;
		expectStopped(made.run);
		expect(children.calls).toBe(1);
	});

	it("ends a compaction", async () => {
		const children = await useChildren();
		const long = fauxAssistantMessage([fauxText("x".repeat(8_000)), fauxToolCall("ls", {})], { stopReason: "toolUse" });
		const summarizing = createGate();
		children.script(
			long,
			long,
			hangingStep(() => summarizing.open(), ok),
			ok,
			ok,
		);
		const settings = () => ({ compaction: { enabled: true, reserveTokens: 16_000, keepRecentTokens: 100 } });
		const { run, stop } = stoppable(children, { env: { settings }, config: { tools: ["ls"] } });
		await summarizing.opened;
		stop();
		await run.ended;
		expect(run.outcome.verdict).toEqual(byUser);
		expect(run.closed).toBe("verified");
		expect(children.calls).toBe(3);
	});
});

describe("a stop at the end of the run", () => {
	it("that comes with the outcome changes nothing", async () => {
		const children = await useChildren();
		children.script(ok);
		let stop = () => {};
		const made = stoppable(children, { hear: (event) => event.type === "settled" && stop() });
		stop = made.stop;
		await made.run.ended;
		expect(made.run.outcome).toMatchObject({ verdict: { status: "completed", reason: "done" }, text: "ok" });
		expect(made.run.types.slice(-2)).toEqual(["settled", "closed"]);
		expect(made.run.closed).toBe("verified");
	});

	it("that comes between the host's end and ours finds finished work", async () => {
		const children = await useChildren();
		children.script(ok, fauxAssistantMessage("never"));
		// The message asks for another run, which begins when the host has said that nothing more will happen.
		children.extension(
			"home/.pi/agent/extensions/late.js",
			`pi.on("agent_settled", () => {
				if (shared.asked) return;
				shared.asked = true;
				pi.sendMessage({ customType: "more", content: "more", display: false }, { triggerTurn: true });
			});
			pi.on("agent_start", () => shared.asked && shared.stop());`,
		);
		const { run } = stoppable(children);
		await run.ended;
		// Pi 0.81.1 begins the other run before it says that the first is over: the stop comes first there.
		const finished = { status: "completed", reason: "done" };
		expect(run.outcome).toMatchObject({ verdict: VERSION.startsWith("0.") ? byUser : finished, text: "ok" });
		expect(run.closed).toBe("verified");
		expect(children.calls).toBe(1);
	});

	it("counts once: the first verdict stays", async () => {
		const children = await useChildren();
		const begun = createGate();
		children.script(hangingStep(() => begun.open(), ok));
		const stop$ = new Subject<StopRequest>();
		const run = children.run({ inputs: { stop$ } });
		await begun.opened;
		stop$.next({ status: "aborted", reason: "timeout" });
		stop$.next(byUser);
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "aborted", reason: "timeout" });
	});

	it("input that fails stops the run rather than leave it unstoppable", async () => {
		const children = await useChildren();
		const begun = createGate();
		children.script(hangingStep(() => begun.open(), ok));
		const stop$ = new Subject<StopRequest>();
		const run = children.run({ inputs: { stop$ } });
		await begun.opened;
		stop$.error(new Error("the input broke"));
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "stopped", reason: "stopped_by_parent" });
	});
});

describe("a resumed agent that is stopped before it answers", () => {
	it("does not report the answer of its earlier run", async () => {
		const children = await useChildren();
		const begun = createGate();
		children.script(
			fauxAssistantMessage("the first answer"),
			hangingStep(() => begun.open(), ok),
		);
		const first = children.run({ spec: { agentId: "resumed-1" as never } });
		await first.ended;
		const { run, stop } = stoppable(children, { spec: { agentId: "resumed-1" as never, run: 2, prompt: "and now?" } });
		await begun.opened;
		stop();
		await run.ended;
		expectStopped(run, "");
		expect(JSON.stringify(children.requests[1])).toContain("the first answer");
	});
});
