import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { createMailbox } from "../../src/operators/index.ts";
import type { StopRequest } from "../../src/streams/outcome.ts";
import type { SteeringMessage } from "../../src/streams/ports.ts";
import type { RunEvent } from "../../src/streams/run-event.ts";
import { createGate } from "../support/gate.ts";
import { hangingStep, type Step, useChildren, userTexts } from "./child-fixture.ts";

const byParent: StopRequest = { status: "stopped", reason: "stopped_by_parent" };
const ok = fauxAssistantMessage("ok");
const callLs = fauxAssistantMessage([fauxToolCall("ls", {})], { stopReason: "toolUse" });
const tools = ["ls"];

function fromParent(text: string): SteeringMessage {
	return { text, from: "parent" };
}

function said(text: string): string {
	return JSON.stringify([{ type: "text", text }]);
}

/** What was read, in order. */
function readBy(events: readonly RunEvent[]): string[] {
	return events.flatMap((event) => (event.type === "steering_read" ? [event.message] : []));
}

describe("steering", () => {
	it("that was held before there was a session is in the first request, after the prompt and in order", async () => {
		const children = await useChildren();
		children.script(ok);
		const steering = createMailbox<SteeringMessage>();
		steering.post(fromParent("first"));
		steering.post(fromParent("second"));
		const run = children.run({ inputs: { steering } });
		await run.ended;
		expect(children.requests.map(userTexts)).toEqual([[said("do it"), said("first"), said("second")]]);
		expect(readBy(run.events)).toEqual(["first", "second"]);
		expect(run.outcome).toMatchObject({ verdict: { reason: "done" }, unread: [] });
	});

	it.each([
		["the last tool runs", "tool_started", [callLs, ok]],
		["the last tool has ended", "tool_ended", [callLs, ok]],
		["the turn with the last tool has ended", "turn_ended", [callLs, ok]],
	] as const)("that arrives while %s is read in the next request", async (_when, type, steps) => {
		const children = await useChildren();
		children.script(...steps);
		const steering = createMailbox<SteeringMessage>();
		let posted = false;
		const hear = (event: RunEvent) => {
			if (event.type === type && !posted) {
				posted = true;
				steering.post(fromParent("mind the gap"));
			}
		};
		const run = children.run({ inputs: { steering }, config: { tools }, hear });
		await run.ended;
		expect(children.requests.map(userTexts)).toEqual([[said("do it")], [said("do it"), said("mind the gap")]]);
		expect(readBy(run.events)).toEqual(["mind the gap"]);
		expect(run.outcome.unread).toEqual([]);
	});

	it.each(["text_delta", "message_ended", "turn_ended"] as const)(
		"that arrives with %s of the final answer makes another turn",
		async (type) => {
			const children = await useChildren();
			children.script(ok, fauxAssistantMessage("and more"));
			const steering = createMailbox<SteeringMessage>();
			let posted = false;
			const hear = (event: RunEvent) => {
				if (event.type === type && !posted) {
					posted = true;
					steering.post(fromParent("one more thing"));
				}
			};
			const run = children.run({ inputs: { steering }, hear });
			await run.ended;
			expect(children.calls).toBe(2);
			expect(readBy(run.events)).toEqual(["one more thing"]);
			expect(run.outcome).toMatchObject({ verdict: { reason: "done" }, text: "and more", unread: [] });
		},
	);

	it("is one batch at a boundary: all of it is in the next request", async () => {
		const children = await useChildren();
		children.script(callLs, ok);
		const steering = createMailbox<SteeringMessage>();
		const hear = (event: RunEvent) => {
			if (event.type === "tool_started") {
				["a", "b", "c"].map(fromParent).forEach(steering.post);
			}
		};
		const run = children.run({ inputs: { steering }, config: { tools }, hear });
		await run.ended;
		expect(children.calls).toBe(2);
		expect(readBy(run.events)).toEqual(["a", "b", "c"]);
	});

	it("is passed on to the letter, a slash at its beginning too", async () => {
		const children = await useChildren();
		children.extension(
			"home/.pi/agent/extensions/command.js",
			`pi.registerCommand("deploy", { description: "deploy", handler: async () => log("deployed") });`,
		);
		children.script(ok);
		const steering = createMailbox<SteeringMessage>();
		steering.post(fromParent("/deploy now"));
		await children.run({ inputs: { steering } }).ended;
		expect(children.requests.map(userTexts)).toEqual([[said("do it"), said("/deploy now")]]);
		expect(children.log).toEqual([]);
	});

	it("of the same text twice is read twice", async () => {
		const children = await useChildren();
		children.script(callLs, ok);
		const steering = createMailbox<SteeringMessage>();
		steering.post(fromParent("do it"));
		steering.post(fromParent("do it"));
		const run = children.run({ inputs: { steering }, config: { tools } });
		await run.ended;
		expect(readBy(run.events)).toEqual(["do it", "do it"]);
	});

	it("waits in the mailbox through a failed request, for the boundary after the retry", async () => {
		const children = await useChildren();
		const steering = createMailbox<SteeringMessage>();
		const failing: Step = () => {
			steering.post(fromParent("hold on"));
			return fauxAssistantMessage([], { stopReason: "error", errorMessage: "503 overloaded" });
		};
		children.script(failing, callLs, ok);
		const settings = () => ({ retry: { enabled: true, maxRetries: 1, baseDelayMs: 1 } });
		const run = children.run({ env: { settings }, inputs: { steering }, config: { tools } });
		await run.ended;
		expect(children.requests.map((request) => userTexts(request).length)).toEqual([1, 1, 2]);
		expect(run.outcome.unread).toEqual([]);
	});
});

describe("steering that was never read", () => {
	it("is named in the outcome in the order it was sent, whatever had been handed over, and only the parent's", async () => {
		const children = await useChildren();
		const begun = createGate();
		children.script(
			callLs,
			hangingStep(() => begun.open(), ok),
			ok,
		);
		const steering = createMailbox<SteeringMessage>();
		const stop$ = new Subject<StopRequest>();
		const hear = (event: RunEvent) => {
			// In the boundary's own tick, after the hand-over: read at the next boundary at the earliest.
			if (event.type === "turn_ended" && event.continues) {
				queueMicrotask(() => steering.post(fromParent("late")));
			}
		};
		const run = children.run({ inputs: { steering, stop$ }, config: { tools }, hear });
		await begun.opened;
		steering.post({ text: "please wrap up", from: "limit" });
		steering.post(fromParent("later"));
		stop$.next(byParent);
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: byParent, unread: ["late", "later"] });
		expect(readBy(run.events)).toEqual([]);
		expect(steering.size).toBe(0);
	});

	it("because the stop came in the boundary's tick does not leak into a resumed run", async () => {
		const children = await useChildren();
		children.script(callLs, ok, ok);
		const steering = createMailbox<SteeringMessage>();
		const stop$ = new Subject<StopRequest>();
		const hear = (event: RunEvent) => {
			if (event.type === "turn_ended" && event.continues) {
				steering.post(fromParent("left over"));
				// The message is in the host's queue by then, and the abort would read it out on the way to the end.
				queueMicrotask(() => stop$.next(byParent));
			}
		};
		const first = children.run({
			spec: { agentId: "leaky-1" as never },
			inputs: { steering, stop$ },
			config: { tools },
			hear,
		});
		await first.ended;
		expect(first.outcome).toMatchObject({ verdict: byParent, unread: ["left over"] });
		const second = children.run({ spec: { agentId: "leaky-1" as never, run: 2, prompt: "go on" } });
		await second.ended;
		expect(second.outcome.verdict.reason).toBe("done");
		expect(JSON.stringify(children.requests.at(-1))).not.toContain("left over");
	});

	it("because the stop came while a tool ran stays unread: the host would read it out on the way to the end", async () => {
		const children = await useChildren();
		const call = fauxToolCall("bash", { command: "sleep 60" });
		children.script(fauxAssistantMessage([call], { stopReason: "toolUse" }), ok);
		const steering = createMailbox<SteeringMessage>();
		const stop$ = new Subject<StopRequest>();
		const run = children.run({ inputs: { steering, stop$ } });
		await run.until("tool_started");
		steering.post(fromParent("hurry up"));
		stop$.next(byParent);
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: byParent, unread: ["hurry up"] });
		expect(readBy(run.events)).toEqual([]);
		expect(children.calls).toBe(1);
	});

	it("because the run failed to start is named too", async () => {
		const children = await useChildren();
		const steering = createMailbox<SteeringMessage>();
		steering.post(fromParent("hello?"));
		const run = children.run({ inputs: { steering }, config: { model: "faux/none" } });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { reason: "startup_failure" }, unread: ["hello?"] });
	});

	it("because the provider failed does not start another request", async () => {
		const children = await useChildren();
		const steering = createMailbox<SteeringMessage>();
		const failing: Step = () => {
			steering.post(fromParent("are you there?"));
			return fauxAssistantMessage([], { stopReason: "error", errorMessage: "no credit left" });
		};
		children.script(failing, ok);
		const run = children.run({ inputs: { steering } });
		await run.ended;
		expect(children.calls).toBe(1);
		expect(run.outcome).toMatchObject({ verdict: { reason: "provider_error" }, unread: ["are you there?"] });
	});
});
