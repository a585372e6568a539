import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxText, fauxThinking, fauxToolCall } from "@earendil-works/pi-ai";
import { NEVER, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { createStartRun } from "../../src/host/run-agent.ts";
import { createMailbox } from "../../src/operators/index.ts";
import { hang, text, truncated } from "../support/chat-reply.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { makeSpec, useChildren, userTexts } from "./child-fixture.ts";

const callLs = fauxAssistantMessage([fauxText("Let me look."), fauxToolCall("ls", { path: "." }, { id: "call-1" })], {
	stopReason: "toolUse",
});

describe("a run that goes through", () => {
	it("says what happens in order, settles once, closes once and completes", async () => {
		const children = await useChildren();
		children.script(callLs, fauxAssistantMessage("The folder is empty."));
		const run = children.run({ config: { tools: ["ls", "read"] } });
		await run.ended;
		expect(run.types.filter((type) => type !== "text_delta" && type !== "stirred")).toEqual([
			"session_ready",
			"turn_started",
			"message_ended",
			"tool_started",
			"tool_ended",
			"turn_ended",
			"turn_started",
			"message_ended",
			"turn_ended",
			"settled",
			"closed",
		]);
		expect(run.outcome).toEqual({
			verdict: { status: "completed", reason: "done" },
			text: "The folder is empty.",
			unread: [],
		});
		expect(run.closed).toBe("verified");
		expect(run.events.filter(({ type }) => type === "turn_ended")).toEqual([
			{ type: "turn_ended", continues: true },
			{ type: "turn_ended", continues: false },
		]);
		expect(await run.until("tool_ended")).toMatchObject({ toolCallId: "call-1", toolName: "ls", isError: false });
	});

	it("says what its session turned out to be before anything else", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("ok"));
		const run = children.run({ config: { tools: ["read"], thinking: "high" } });
		await run.ended;
		const { session } = await run.until("session_ready");
		expect(session).toMatchObject({ model: "faux/one", thinking: "off", tools: ["read"] });
		expect(run.types[0]).toBe("session_ready");
	});

	it("sends the prompt as it is, with the profile's system prompt and the project's context", async () => {
		const children = await useChildren({ projectFiles: { "AGENTS.md": "Use tabs." } });
		children.extension(
			"home/.pi/agent/extensions/help.js",
			`pi.registerCommand("help", { description: "help", handler: async () => log("a command ran") });`,
		);
		children.script(fauxAssistantMessage("ok"));
		await children.run({
			spec: { prompt: "/help me" },
			config: { systemPrompt: "You are the reviewer.", projectContext: true },
		}).ended;
		const [request = []] = children.requests;
		expect(children.log).toEqual([]);
		expect(userTexts(request)).toEqual([JSON.stringify([{ type: "text", text: "/help me" }])]);
		const system = JSON.stringify(request.filter(({ role }) => role === "system"));
		expect(system).toContain("You are the reviewer.");
		expect(system).toContain("Use tabs.");
	});

	it("starts nothing until it is subscribed to", async () => {
		const children = await useChildren();
		void createStartRun(children.env())(makeSpec(), { stop$: NEVER, steering: createMailbox() });
		await new Promise((resolve) => setImmediate(resolve));
		expect(children.home.filesBelow(join(children.home.agentDir, "orchestrator"))).toEqual([]);
	});
});

describe("what a run comes to", () => {
	it("is empty when the answer has no text", async () => {
		const children = await useChildren();
		children.script(callLs, fauxAssistantMessage([fauxThinking("hm"), fauxText(" \n")]));
		const run = children.run({ config: { tools: ["ls"] } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "completed", reason: "empty" });
	});

	it("is truncated, with the text that there is, when the answer hit the output limit", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("As far as I", { stopReason: "length" }));
		const run = children.run();
		await run.ended;
		expect(run.outcome).toMatchObject({
			verdict: { status: "completed", reason: "truncated" },
			text: "As far as I",
		});
	});

	it("is the provider's error in its own words, without a made-up text", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage([], { stopReason: "error", errorMessage: "no credit left" }));
		const run = children.run();
		await run.ended;
		expect(run.outcome).toEqual({
			verdict: { status: "error", reason: "provider_error" },
			text: "",
			message: "no credit left",
			unread: [],
		});
	});

	it("keeps the earlier text of the run when the provider fails in a later turn", async () => {
		const children = await useChildren();
		children.script(callLs, fauxAssistantMessage([], { stopReason: "error", errorMessage: "no credit left" }));
		const run = children.run({ config: { tools: ["ls"] } });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { reason: "provider_error" }, text: "Let me look." });
	});

	it("keeps the half of a sentence that a broken connection left", async () => {
		const server = await useOpenAiServer((_request, exchange) => {
			exchange.write("Half a");
			exchange.write(" sentence");
			setImmediate(() => exchange.cut());
			return undefined;
		});
		const children = await useChildren({ baseUrl: server.baseUrl });
		const run = children.run({ config: { model: "local/child" } });
		await run.ended;
		expect(run.outcome).toMatchObject({
			verdict: { status: "error", reason: "provider_error" },
			text: "Half a sentence",
		});
		expect(run.outcome.message).toBeTruthy();
		expect(server.requests).toHaveLength(1);
	});

	it("is an internal error when something in the session aborted it that was not asked to", async () => {
		const children = await useChildren();
		children.extension("home/.pi/agent/extensions/quitter.js", "pi.on('turn_start', (_event, ctx) => ctx.abort());");
		children.script(fauxAssistantMessage("ok"));
		const run = children.run();
		await run.ended;
		expect(run.outcome.verdict.status).toBe("error");
		expect(run.closed).toBe("verified");
	});

	it("is a startup failure for a model that does not exist", async () => {
		const children = await useChildren();
		const run = children.run({ config: { model: "faux/two" } });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { status: "error", reason: "startup_failure" }, text: "" });
		expect(run.outcome.message).toContain("faux/two");
		expect(run.types).toEqual(["settled", "closed"]);
	});

	it("is a startup failure in the host's words where there is no key for the model", async () => {
		const server = await useOpenAiServer(() => text("never"));
		const children = await useChildren();
		children.runtime.registerProvider("keyless", {
			baseUrl: server.baseUrl,
			api: "openai-completions",
			apiKey: "$NO_SUCH_VARIABLE_FOR_A_KEY",
			models: [
				{
					id: "m",
					name: "m",
					reasoning: false,
					input: ["text"],
					cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
					contextWindow: 1000,
					maxTokens: 100,
				},
			],
		});
		const run = children.run({ config: { model: "keyless/m" } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(run.outcome.message).toMatch(/key/i);
		expect(server.requests).toEqual([]);
		expect(run.closed).toBe("verified");
	});

	it("is a startup failure where the model runtime cannot be had", async () => {
		const children = await useChildren();
		const run = children.run({ env: { modelRuntime: () => Promise.reject(new Error("no runtime")) } });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { reason: "startup_failure" }, message: "no runtime" });
	});

	it("is a startup failure when an extension takes the prompt for itself", async () => {
		const children = await useChildren();
		children.extension("home/.pi/agent/extensions/taker.js", "pi.on('input', () => ({ action: 'handled' }));");
		const run = children.run();
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(children.calls).toBe(0);
	});
});

describe("a run's events", () => {
	it("carry the spend of each message, of failed ones too", async () => {
		const server = await useOpenAiServer((_request, { index }) =>
			index === 0
				? {
						kind: "stream",
						chunks: ["a"],
						calls: [{ name: "ls", args: {} }],
						finish: "tool_calls",
						usage: { input: 1000, output: 10, cacheRead: 500 },
					}
				: truncated("b", { usage: { input: 2000, output: 20 } }),
		);
		const children = await useChildren({ baseUrl: server.baseUrl });
		const run = children.run({ config: { model: "local/child", tools: ["ls"] } });
		await run.ended;
		const spends = run.events.flatMap((event) => (event.type === "message_ended" ? [event.spend] : []));
		expect(spends).toMatchObject([
			{ input: 1000, output: 10, cacheRead: 500, cacheWrite: 0 },
			{ input: 2000, output: 20, cacheRead: 0, cacheWrite: 0 },
		]);
		expect(spends[0]?.cost).toBeCloseTo((1000 + 2 * 10 + 0.1 * 500) / 1e6, 10);
		expect(spends[1]?.cost).toBeCloseTo((2000 + 2 * 20) / 1e6, 10);
	});

	it("tell of a retry by the parent's settings, and the answer of the retry counts", async () => {
		const children = await useChildren();
		const failed = fauxAssistantMessage("half", { stopReason: "error", errorMessage: "503 overloaded" });
		children.script(failed, fauxAssistantMessage("whole"));
		const settings = () => ({ retry: { enabled: true, maxRetries: 1, baseDelayMs: 1 } });
		const run = children.run({ env: { settings } });
		await run.ended;
		expect(await run.until("retrying")).toEqual({ type: "retrying", attempt: 1, message: "503 overloaded" });
		expect(run.outcome).toMatchObject({ verdict: { reason: "done" }, text: "whole" });
	});

	it("do not retry where the parent does not", async () => {
		const children = await useChildren({ settings: { retry: { enabled: false } } });
		children.script(fauxAssistantMessage([], { stopReason: "error", errorMessage: "503 overloaded" }));
		const run = children.run();
		await run.ended;
		expect(run.types).not.toContain("retrying");
		expect(children.calls).toBe(1);
	});

	it("tell of a compaction by the parent's settings", async () => {
		const children = await useChildren();
		const long = fauxAssistantMessage([fauxText("x".repeat(8_000)), fauxToolCall("ls", {})], { stopReason: "toolUse" });
		children.script(long, long, fauxAssistantMessage("a summary"), fauxAssistantMessage("done"));
		const settings = () => ({ compaction: { enabled: true, reserveTokens: 16_000, keepRecentTokens: 100 } });
		const run = children.run({ env: { settings }, config: { tools: ["ls"] } });
		await run.ended;
		const { spend } = await run.until("compacted");
		expect(spend.output).toBeGreaterThan(0);
		expect(run.outcome.verdict.status).toBe("completed");
	});
});

describe("a run and those who listen", () => {
	it("goes on when the listener for problems throws", async () => {
		const children = await useChildren();
		children.extension(
			"home/.pi/agent/extensions/clumsy.js",
			"pi.on('agent_start', () => { throw new Error('oops'); });",
		);
		children.script(fauxAssistantMessage("ok"));
		const onProblem = () => {
			throw new Error("a bad listener");
		};
		const run = children.run({ env: { onProblem } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "completed", reason: "done" });
	});

	it("goes on without steering when the mailbox fails, and reports what was not read", async () => {
		const children = await useChildren();
		children.script(fauxAssistantMessage("ok"));
		const steering = {
			deliver: () => throwError(() => new Error("no mail today")),
			drain: () => [{ text: "look here", from: "parent" as const }],
		};
		const run = children.run({ inputs: { steering } });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { reason: "done" }, unread: ["look here"] });
	});

	it("aborts and disposes its session without a word when it is unsubscribed from", async () => {
		const server = await useOpenAiServer(() => hang("so far"));
		const children = await useChildren({ baseUrl: server.baseUrl });
		children.extension("home/.pi/agent/extensions/end.js", "pi.on('session_shutdown', () => shared.over());");
		const over = new Promise<void>((resolve) => {
			children.shared.over = resolve;
		});
		const run = children.run({ config: { model: "local/child" } });
		await run.until("text_delta");
		run.subscription.unsubscribe();
		const said = run.events.length;
		expect(await server.exchanges[0]?.ended).toBe("closed by client");
		await over;
		expect(run.events).toHaveLength(said);
		expect(run.types).not.toContain("settled");
	});
});

describe("the user's settings file", () => {
	it("stays as it is, whatever an extension of the child sets", async () => {
		const children = await useChildren({ settings: { theme: "dark" } });
		const file = join(children.home.agentDir, "settings.json");
		const before = readFileSync(file, "utf8");
		children.extension(
			"home/.pi/agent/extensions/setter.js",
			`pi.on('session_start', async (_event, ctx) => {
				await pi.setModel(ctx.modelRegistry.find('faux', 'one'));
				pi.setThinkingLevel('high');
				log('set');
			});`,
		);
		children.script(fauxAssistantMessage("ok"));
		await children.run().ended;
		expect(children.log).toEqual(["set"]);
		expect(readFileSync(file, "utf8")).toBe(before);
	});
});
