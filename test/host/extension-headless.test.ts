import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failure, hang, text, toolCall } from "../support/chat-reply.ts";
import type { ChatRequest } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { ownExtension } from "../support/pi-cli.ts";
import type { PiProcess } from "../support/pi-process.ts";
import { lastAssistantText, type PiRecord } from "../support/pi-record.ts";
import { deliveries, isTask, launch, leftToTest, newUserTexts, notes, useDelegation } from "./extension-fixture.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../support/fixtures/${name}.ts`, import.meta.url));
/** `npm run test:replacement` sends every signal to every mode. */
const whole = process.env.REPLACEMENT === "whole";

const tasks = ["one", "two", "three", "four", "five"];

/** A parent that starts agents for these tasks and tells, at each message from them, all that it has been told. */
const telling =
	(...of: readonly string[]): ChatHandler =>
	(request) => {
		const news = newUserTexts(request);
		if (news.includes("start")) return launch(...of);
		if (news.length === 0) return text("noted");
		return text(`told: ${answersIn(request).join(", ")}`);
	};

/** Which of the answers stand somewhere in the conversation. */
function answersIn(request: ChatRequest): string[] {
	const conversation = JSON.stringify(request.messages);
	return tasks.map((task) => `answer ${task}.`).filter((answer) => conversation.includes(answer));
}

/** A child that answers its task by name. */
const child: ChatHandler = (request) => text(`answer ${newUserTexts(request)[0]}.`);

const allTold = "told: answer one., answer two., answer three., answer four., answer five.";
const lines = (stderr: string, pattern: RegExp) => stderr.split("\n").filter((line) => pattern.test(line));

/** What the entries of json mode tell about background agents. */
function progress(records: readonly PiRecord[]): { readonly agentId: string; readonly status: string }[] {
	return records
		.filter(({ entry }) => entry?.customType === "subagent-progress")
		.map(({ entry }) => entry?.data as { agentId: string; status: string });
}

describe("the end of a one-shot session with agents at work", () => {
	it("print: waits for five background agents, and the answer has all their results in hand", async () => {
		const { server, pi } = await useDelegation({ parent: telling(...tasks), child }, { session: false });
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 0, signal: null });
		expect(run.stdout).toBe(`${allTold}\n`);
		expect(lines(run.stderr, /^Agent [0-9a-f]{8} started: about /)).toHaveLength(5);
		expect(lines(run.stderr, /^Agent [0-9a-f]{8} completed after [\d.]+s: about /)).toHaveLength(5);
		expect(run.stderr.trimEnd().split("\n")).toHaveLength(10);
		expect(server.openNow()).toBe(0);
	});

	it("json: as well, holds each of several prompts, and tells of each agent's start and end as events", async () => {
		const [first = "", ...more] = tasks;
		const parent: ChatHandler = (request, exchange) =>
			newUserTexts(request).includes("again") ? launch(...more) : telling(first)(request, exchange);
		const { server, pi } = await useDelegation({ parent, child }, { session: false });
		const run = await pi.runJson(["start", "again"]);
		expect(run).toMatchObject({ code: 0, signal: null, stderr: "" });
		expect(lastAssistantText(run.events)).toBe(allTold);
		expect(notes(run.events).flatMap(deliveries)).toHaveLength(5);
		expect(
			progress(run.events)
				.map(({ status }) => status)
				.sort(),
		).toEqual([...Array(5).fill("completed"), ...Array(5).fill("running")]);
		expect(new Set(progress(run.events).map(({ agentId }) => agentId)).size).toBe(5);
		// The second prompt comes when the first one's agent has been told of, and the run's end when all have.
		const order = server.requestsOf("parent").map((request) => answersIn(request).length);
		expect(order.slice(0, 5)).toEqual([0, 0, 1, 1, 1]);
		expect(order.at(-1)).toBe(5);
	});

	it("gives the model what is ready as one message, and waits for what is running or in line", async () => {
		const { server, pi } = await useDelegation(
			{ parent: leftToTest, child: leftToTest },
			{ session: false, orchestrator: { maxConcurrent: 2 } },
		);
		server.answer((request, exchange) => {
			if (request.model === "child") return undefined;
			return newUserTexts(request).length === 0 ? undefined : telling("one", "two", "three", "four")(request, exchange);
		});
		const process = pi.startPrint(["start"]);
		const busy = await server.anyRequest(
			({ model, messages }) => model === "parent" && messages.at(-1)?.role === "tool",
		);
		for (const task of ["one", "two"]) (await server.anyRequest(isTask(task))).play(text(`answer ${task}.`));
		await process.untilHolds(() => lines(process.stderr, /completed/).length === 2, "two agents to have ended");
		const third = await server.anyRequest(isTask("three"));
		const fourth = await server.anyRequest(isTask("four"));
		busy.play(text("noted"));
		const first = await server.anyRequest((request) => request.model === "parent" && answersIn(request).length === 2);
		expect(newUserTexts(first.request)).toHaveLength(1);
		await first.ended;
		third.play(text("answer three."));
		const second = await server.anyRequest((request) => request.model === "parent" && answersIn(request).length === 3);
		await second.ended;
		expect(process.exited).toBeUndefined();
		fourth.play(text("answer four."));
		expect(await process.exit).toEqual({ code: 0, signal: null });
		expect(process.stdout).toBe("told: answer one., answer two., answer three., answer four.\n");
		expect(server.requestsOf("parent")).toHaveLength(5);
	});

	it("is over for what a model goes on starting when the time is: once more it is asked, and not for ever", async () => {
		const parent: ChatHandler = (request) => {
			const news = newUserTexts(request);
			return news.length === 0 ? text("noted") : launch("one");
		};
		const { server, pi } = await useDelegation(
			{ parent, child: leftToTest },
			{ session: false, orchestrator: { headlessHold: 0 } },
		);
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 1, signal: null, stdout: "noted\n" });
		expect(run.stderr).toContain("Agents were waited for 0 s (headlessHold); what remains is stopped.");
		expect(run.stderr).toMatch(/^Agents stopped with the session: [0-9a-f]{8}\.$/m);
		// The prompt, the receipt, the stopped agent's result, and the receipt of the agent that it led to.
		expect(server.requestsOf("parent")).toHaveLength(4);
		const told = newUserTexts(server.requestsOf("parent")[2] ?? { model: "", messages: [] })[0];
		expect(told).toMatch(/^agent_id: \S+\nstatus: stopped \(parent_shutdown\)\n/);
		expect(told).toMatch(/Give your final answer now; agents that you start now are stopped\.$/);
		expect(server.openNow()).toBe(0);
	});

	it("gives up at its limit: what remains is stopped, what there is goes out, and the exit says so", async () => {
		const { server, pi } = await useDelegation(
			{
				parent: telling("one", "two"),
				child: (request, exchange) => (isTask("one")(request) ? child(request, exchange) : hang()),
			},
			{ session: false, orchestrator: { headlessHold: 2 } },
		);
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 1, signal: null, stdout: "told: answer one.\n" });
		expect(run.stderr).toMatch(/^Agent [0-9a-f]{8} stopped \(parent_shutdown\) after /m);
		expect(
			server
				.requestsOf("parent")
				.at(-1)
				?.messages.map(({ role }) => role)
				.at(-1),
		).toBe("user");
		expect(server.openNow()).toBe(0);
	});
});

describe("a parent whose provider fails in a one-shot session", () => {
	it("is not waited with: its agents are stopped and named, and their words are on the error stream", async () => {
		const { server, pi } = await useDelegation({ parent: leftToTest, child: leftToTest }, { session: false });
		server.answer((request) => {
			if (isTask("one")(request)) return text("answer one.");
			if (request.model === "child") return undefined;
			return newUserTexts(request).length === 0 ? undefined : launch("one", "two");
		});
		const process = pi.startPrint(["start"]);
		const busy = await server.anyRequest(
			({ model, messages }) => model === "parent" && messages.at(-1)?.role === "tool",
		);
		await server.anyRequest(isTask("two"));
		await process.untilHolds(() => /completed/.test(process.stderr), "an agent to have ended");
		busy.play(failure(400, "out of order"));
		expect(await process.exit).toEqual({ code: 1, signal: null });
		expect(process.stdout).toBe("");
		expect(process.stderr).toMatch(/^Agents stopped with the session: [0-9a-f]{8}; ended unread: [0-9a-f]{8}\.$/m);
		expect(process.stderr).toContain("answer one.");
		expect(server.openNow()).toBe(0);
	});

	it("on the results themselves: ends, and asks no more", async () => {
		const { server, pi } = await useDelegation(
			{
				parent: (request, exchange) =>
					answersIn(request).length > 0 ? failure(400, "out of order") : telling("one")(request, exchange),
				child,
			},
			{ session: false },
		);
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 1, stdout: "" });
		expect(server.requestsOf("parent")).toHaveLength(3);
	});
});

describe("another extension at the boundary of a one-shot session", () => {
	it.each(["drops-entries", "ends-run"])("(%s) does not keep the results from the answer", async (rival) => {
		const { pi } = await useDelegation(
			{ parent: telling("one"), child },
			{ session: false, extensions: [ownExtension(), fixture(rival)] },
		);
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 0, stdout: "told: answer one.\n" });
	});
});

/** Starts an agent that has written something and goes on, and waits until the parent is held at its boundary. */
async function untilHeld(mode: "print" | "json") {
	const { server, pi } = await useDelegation(
		{
			parent: telling("one"),
			// Its second request shows that the text before it has arrived.
			child: (request) =>
				newUserTexts(request).length > 0 ? toolCall("read", { path: "notes.md" }, { text: "half an answer" }) : hang(),
		},
		{ extensions: [fixture("says-boundary"), ownExtension()], orchestrator: { stopGrace: 3_600 } },
	);
	const process: PiProcess = mode === "print" ? pi.startPrint(["start"]) : pi.startJson(["start"]);
	const busy = await server.anyRequest((request) => request.model === "child" && newUserTexts(request).length === 0);
	await process.untilHolds(() => process.stderr.includes("at the boundary\n"), "the boundary");
	return { server, process, busy };
}

const signals = [
	{ signal: "SIGTERM", exit: { code: 143, signal: null } },
	{ signal: "SIGINT", exit: { code: null, signal: "SIGINT" } },
	{ signal: "SIGHUP", exit: { code: 129, signal: null } },
] as const;
const modes = ["print", "json"] as const;

describe.each(modes)("a signal while %s mode waits for agents", (mode) => {
	// One in two, so that each mode and each signal is among them.
	it.each(signals.filter((_, index) => whole || index % modes.length === modes.indexOf(mode)))(
		"$signal ends it: the agent is stopped, its words are shown, nothing more is asked",
		async ({ signal, exit }) => {
			const { server, process, busy } = await untilHeld(mode);
			const asked = server.requests.length;
			process.kill(signal);
			expect(await process.exit).toEqual(exit);
			expect(await busy.ended).toBe("closed by client");
			expect(server.requests).toHaveLength(asked);
			expect(process.stderr).toMatch(/^Agents stopped with the session: [0-9a-f]{8}\.$/m);
			expect(process.stderr).toMatch(/status: stopped \(parent_shutdown\)\n[\s\S]*half an answer/);
			expect(process.stderr).not.toMatch(/stale|^ +at /m);
		},
	);
});

describe("a signal while agents do not come to rest", () => {
	it.each(["SIGTERM", "SIGINT"] as const)(
		"(%s) ends the process all the same, long before their grace is over",
		async (signal) => {
			const { server, pi } = await useDelegation(
				{ parent: telling("one"), child: toolCall("read", { path: "notes.md" }, { text: "half an answer" }) },
				{
					session: false,
					extensions: [fixture("says-boundary"), fixture("deaf-hook"), ownExtension()],
					orchestrator: { stopGrace: 3_600 },
				},
			);
			const process = pi.startPrint(["start"]);
			await process.untilHolds(() => process.stderr.includes("at the boundary\n"), "the boundary");
			await process.untilHolds(() => process.stderr.includes("deaf from now on\n"), "the agent's tool call");
			process.kill(signal);
			expect(await process.exit).toEqual(
				signal === "SIGTERM" ? { code: 143, signal: null } : { code: null, signal: "SIGINT" },
			);
			expect(process.stderr).toMatch(/^Agents stopped with the session: [0-9a-f]{8}\.$/m);
			expect(server.requestsOf("child")).toHaveLength(1);
		},
	);
});
