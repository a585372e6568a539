import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { NEVER } from "rxjs";
import { describe, expect, it } from "vitest";
import { createStartRun } from "../../src/host/run-agent.ts";
import { createMailbox } from "../../src/operators/index.ts";
import type { AgentId } from "../../src/streams/ids.ts";
import { readEntries } from "../support/pi-home.ts";
import { hangingStep, makeSpec, useChildren, userTexts, watchRun } from "./child-fixture.ts";

const agentId = "knitter-1" as AgentId;

describe("the file of a child's session", () => {
	it("is named for the agent, is the user's alone, and is whole while the run lasts", async () => {
		const children = await useChildren();
		const sessionsDir = join(children.home.agentDir, "orchestrator", "parent");
		const file = join(sessionsDir, "knitter-1.jsonl");
		let onDisk = "";
		children.script(() => {
			onDisk = readFileSync(file, "utf8");
			return fauxAssistantMessage("knitted");
		});
		const run = children.run({ spec: { agentId }, env: { parentSessionFile: "/somewhere/parent.jsonl" } });
		await run.ended;
		expect((await run.until("session_ready")).session.sessionFile).toBe(file);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(sessionsDir).mode & 0o777).toBe(0o700);
		expect(statSync(join(children.home.agentDir, "orchestrator")).mode & 0o777).toBe(0o700);
		expect(onDisk).toContain("do it");
		const [header] = readEntries(file);
		expect(header).toMatchObject({ type: "session", id: "knitter-1", parentSession: "/somewhere/parent.jsonl" });
		expect(header).toMatchObject({ cwd: children.home.cwd });
		expect(SessionManager.open(file).getSessionId()).toBe("knitter-1");
		expect(readFileSync(file, "utf8")).toContain("knitted");
	});

	it("is opened again for a resume, with what was said and the model, tools and prompt of now", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("first answer"), fauxAssistantMessage("second answer"));
		await children.run({ spec: { agentId, prompt: "first" } }).ended;
		const config = { tools: ["read"], systemPrompt: "You are another." };
		const run = children.run({ spec: { agentId, run: 2, prompt: "second" }, config });
		await run.ended;
		expect(run.outcome.text).toBe("second answer");
		expect((await run.until("session_ready")).session.tools).toEqual(["read"]);
		const [, request = []] = children.requests;
		expect(userTexts(request)).toHaveLength(2);
		expect(JSON.stringify(request)).toContain("first answer");
		expect(JSON.stringify(request)).toContain("You are another.");
	});

	it("that ends in half a line is mended before it is gone on with, and loses nothing more", async () => {
		const children = await useChildren();
		const file = join(children.home.agentDir, "orchestrator", "parent", "knitter-1.jsonl");
		children.script(fauxAssistantMessage("one"), fauxAssistantMessage("two"), fauxAssistantMessage("three"));
		await children.run({ spec: { agentId, prompt: "first" } }).ended;
		truncateSync(file, statSync(file).size - 20);
		await children.run({ spec: { agentId, run: 2, prompt: "second" } }).ended;
		await children.run({ spec: { agentId, run: 3, prompt: "third" } }).ended;
		const texts = userTexts(children.requests[2] ?? []);
		expect(texts).toEqual(["first", "second", "third"].map((text) => JSON.stringify([{ type: "text", text }])));
	});

	it("that is there already is not taken over by a new agent", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("one"), fauxAssistantMessage("two"));
		await children.run({ spec: { agentId } }).ended;
		const second = children.run({ spec: { agentId } });
		await second.ended;
		expect(second.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(children.calls).toBe(1);
	});

	it("that is gone cannot be resumed, and the outcome says so", async () => {
		const children = await useChildren();
		const run = children.run({ spec: { agentId, run: 2 } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(run.outcome.message).toContain("no conversation to go on with");
		expect(children.calls).toBe(0);
	});

	it("is there after a run that failed to start, so that it can be tried again", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("at last"));
		await children.run({ spec: { agentId }, config: { model: "faux/none" } }).ended;
		const run = children.run({ spec: { agentId, run: 2, prompt: "try again", unheard: ["do it"] } });
		await run.ended;
		expect(run.outcome.text).toBe("at last");
		expect(userTexts(children.requests[0] ?? [])).toEqual([
			JSON.stringify([{ type: "text", text: "do it\n\ntry again" }]),
		]);
	});

	it("is begun by the resume of an agent that never had a session, with the task that it never heard", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("at last"));
		const run = children.run({ spec: { agentId, run: 2, prompt: "go on", unheard: ["the task"], mayBegin: true } });
		await run.ended;
		expect(run.outcome.text).toBe("at last");
		expect(userTexts(children.requests[0] ?? [])).toEqual([
			JSON.stringify([{ type: "text", text: "the task\n\ngo on" }]),
		]);
	});

	it("is told no task twice", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("one"), fauxAssistantMessage("two"));
		await children.run({ spec: { agentId, prompt: "the task" } }).ended;
		await children.run({ spec: { agentId, run: 2, prompt: "go on", unheard: ["the task"] } }).ended;
		expect(userTexts(children.requests[1] ?? []).at(-1)).toBe(JSON.stringify([{ type: "text", text: "go on" }]));
	});

	it.each([
		["has lost a part in the middle", (lines: string[]) => lines.toSpliced(2, 1), "a part of it is missing"],
		["has lost everything but its first line", (lines: string[]) => lines.slice(0, 1), "there is nothing in it"],
		["has lost its first line", (lines: string[]) => lines.slice(1), "does not begin as one of this agent"],
		["is full of something else", () => ["{}", "[]", "x"], "does not begin as one of this agent"],
		["is empty", () => [], "does not begin as one of this agent"],
	] as const)("that %s is not gone on with, and is left as it is", async (_what, damage, why) => {
		const children = await useChildren();
		const file = join(children.home.agentDir, "orchestrator", "parent", "knitter-1.jsonl");
		children.script(fauxAssistantMessage("one"), fauxAssistantMessage("two"));
		await children.run({ spec: { agentId, prompt: "first" } }).ended;
		const lines = readFileSync(file, "utf8").trimEnd().split("\n");
		const damagedText = damage(lines)
			.map((line) => `${line}\n`)
			.join("");
		writeFileSync(file, damagedText);
		const run = children.run({ spec: { agentId, run: 2 } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(run.outcome.message).toContain(why);
		expect(readFileSync(file, "utf8").trimEnd()).toBe(damagedText.trimEnd());
		expect(children.calls).toBe(1);
	});

	it("does not exist where there is no folder for it, and such an agent cannot be resumed", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("kept in memory"));
		const { sessionsDir: _none, ...env } = children.env();
		const inputs = { stop$: NEVER, steering: createMailbox<never>() };
		const run = watchRun(createStartRun(env)(makeSpec({ spec: { agentId } }), inputs));
		await run.ended;
		expect(run.outcome.text).toBe("kept in memory");
		expect((await run.until("session_ready")).session).not.toHaveProperty("sessionFile");
		expect(children.home.filesBelow(children.home.agentDir).filter((path) => path.endsWith(".jsonl"))).toEqual([]);
		const resumed = watchRun(createStartRun(env)(makeSpec({ spec: { agentId, run: 2 } }), inputs));
		await resumed.ended;
		expect(resumed.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
	});

	it("is not opened by the host's list of sessions", async () => {
		const children = await useChildren();
		children.script(hangingStep(() => {}, fauxAssistantMessage("x")));
		const run = children.run({ spec: { agentId } });
		await run.until("turn_started");
		expect(children.home.sessionFiles()).toEqual([]);
	});
});
