import { fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { firstValueFrom, map, Subject, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import type { StopRequest } from "../../src/streams/outcome.ts";
import { createGate } from "../support/gate.ts";
import { type ChildFixture, useChildren } from "./child-fixture.ts";

const byUser: StopRequest = { status: "stopped", reason: "stopped_by_user" };
const ok = fauxAssistantMessage("ok");

/** A run whose grace is over when the test says so. */
function timed(children: ChildFixture, config = {}) {
	const scheduler = new VirtualTimeScheduler();
	const stop$ = new Subject<StopRequest>();
	const run = children.run({ env: { scheduler, stopGraceSeconds: 5 }, inputs: { stop$ }, config });
	return { run, scheduler, stop: () => stop$.next(byUser) };
}

/** A tool that ignores its signal until the test lets it go, and a hook that tells when the session has shut down. */
function deafTool(children: ChildFixture) {
	const release = createGate();
	const shutDown = createGate();
	Object.assign(children.shared, { release: release.opened, shutDown: shutDown.open });
	children.extension(
		"home/.pi/agent/extensions/deaf.js",
		`pi.registerTool({
			name: "deaf", label: "deaf", description: "deaf", parameters: { type: "object", properties: {} },
			async execute() { await shared.release; return { content: [{ type: "text", text: "late" }], details: {} }; },
		});
		pi.on("session_shutdown", () => shared.shutDown());`,
	);
	children.script(
		fauxAssistantMessage([fauxText("I call it."), fauxToolCall("deaf", {})], { stopReason: "toolUse" }),
		fauxAssistantMessage("too late"),
	);
	return { release: release.open, shutDown: shutDown.opened };
}

describe("a tool that ignores its signal", () => {
	it("is given up when the grace is over, with the stop's verdict and the text so far", async () => {
		const children = await useChildren();
		const { release, shutDown } = deafTool(children);
		const { run, scheduler, stop } = timed(children, { tools: ["deaf"] });
		await run.until("tool_started");
		stop();
		expect(run.types).not.toContain("settled");
		scheduler.flush();
		expect(scheduler.now()).toBe(5000);
		expect(run.outcome).toMatchObject({ verdict: byUser, text: "I call it." });
		expect(run.closed).toBe("grace_expired");
		expect(run.completed).toBe(true);
		const said = run.events.length;
		release();
		await shutDown;
		expect(run.events).toHaveLength(said);
		expect(children.calls).toBe(1);
	});

	it("says so when it comes to rest after all, to whoever asks and however late", async () => {
		const children = await useChildren();
		const { release } = deafTool(children);
		const { run, scheduler, stop } = timed(children, { tools: ["deaf"] });
		await run.until("tool_started");
		stop();
		scheduler.flush();
		const closed = run.events.at(-1);
		if (closed?.type !== "closed" || closed.how !== "grace_expired" || !closed.atRest$) throw new Error("not given up");
		const early = firstValueFrom(closed.atRest$.pipe(map(() => "at rest")), { defaultValue: "never" });
		release();
		expect(await early).toBe("at rest");
		const late = firstValueFrom(closed.atRest$.pipe(map(() => "at rest")), { defaultValue: "never" });
		expect(await late).toBe("at rest");
	});

	it("that heeds it in time is no zombie, and no timer is left", async () => {
		const children = await useChildren();
		const { release } = deafTool(children);
		const { run, scheduler, stop } = timed(children, { tools: ["deaf"] });
		await run.until("tool_started");
		stop();
		release();
		await run.ended;
		expect(run.outcome.verdict).toEqual(byUser);
		expect(run.closed).toBe("verified");
		expect(scheduler.actions).toEqual([]);
		expect(children.calls).toBe(1);
	});

	it("keeps nothing from being disposed of once it comes to rest after an early unsubscription", async () => {
		const children = await useChildren();
		const { release, shutDown } = deafTool(children);
		const { run, scheduler } = timed(children, { tools: ["deaf"] });
		await run.until("tool_started");
		run.subscription.unsubscribe();
		release();
		await shutDown;
		expect(run.types).not.toContain("settled");
		expect(scheduler.actions).toEqual([]);
		expect(children.calls).toBe(1);
	});
});

describe("an extension that does not come to an end", () => {
	it("in session_shutdown leaves the outcome in time, and the close to the grace", async () => {
		const children = await useChildren();
		const release = createGate();
		children.shared.release = release.opened;
		children.extension("home/.pi/agent/extensions/stuck.js", `pi.on("session_shutdown", () => shared.release);`);
		children.script(ok);
		const { run, scheduler } = timed(children);
		const { outcome } = await run.until("settled");
		expect(outcome.verdict).toEqual({ status: "completed", reason: "done" });
		expect(run.types).not.toContain("closed");
		scheduler.flush();
		expect(run.closed).toBe("grace_expired");
		release.open();
	});

	it("in session_start can be stopped, and is given up when the grace is over", async () => {
		const children = await useChildren();
		const release = createGate();
		const begun = createGate();
		const shutDown = createGate();
		Object.assign(children.shared, { release: release.opened, begun: begun.open, shutDown: shutDown.open });
		children.extension(
			"home/.pi/agent/extensions/stuck.js",
			`pi.on("session_start", () => { shared.begun(); return shared.release; });
			pi.on("session_shutdown", () => shared.shutDown());`,
		);
		children.script(ok);
		const { run, scheduler, stop } = timed(children);
		await begun.opened;
		stop();
		scheduler.flush();
		expect(run.outcome).toMatchObject({ verdict: byUser, text: "" });
		expect(run.closed).toBe("grace_expired");
		release.open();
		await shutDown.opened;
		expect(children.calls).toBe(0);
	});

	it("in its input hook can be stopped, and its run never reaches the model", async () => {
		const children = await useChildren();
		const release = createGate();
		const begun = createGate();
		const shutDown = createGate();
		Object.assign(children.shared, { release: release.opened, begun: begun.open, shutDown: shutDown.open });
		children.extension(
			"home/.pi/agent/extensions/stuck.js",
			`pi.on("input", async () => { shared.begun(); await shared.release; });
			pi.on("session_shutdown", () => shared.shutDown());`,
		);
		children.script(ok);
		const { run, scheduler, stop } = timed(children);
		await begun.opened;
		stop();
		scheduler.flush();
		expect(run.closed).toBe("grace_expired");
		release.open();
		await shutDown.opened;
		expect(children.calls).toBe(0);
	});
});
