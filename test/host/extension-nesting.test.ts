import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChatExchange } from "../support/chat-exchange.ts";
import { type ChatReply, hang, text, toolCall, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, toolNames, toolResults, userTexts } from "../support/chat-request.ts";
import type { ChatHandler, OpenAiServer } from "../support/openai-server.ts";
import type { PiOptions } from "../support/pi.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { watchLedger } from "../support/watch-ledger.ts";
import {
	agentIdIn,
	answering,
	deliveries,
	leftToTest,
	newUserTexts,
	notes,
	type Say,
	startedIds,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const profile = (name: string, ...fields: readonly string[]) =>
	["---", `description: The ${name}.`, `model: local/${name}`, ...fields, "---", `You are the ${name}.`].join("\n");

const agentFiles = {
	"agents/lead.md": profile("lead", "tools: [read]", "subagents: [worker]"),
	"agents/worker.md": profile("worker", "tools: [read, bash]", "subagents: [helper]"),
	"agents/helper.md": profile("helper", "tools: [read]"),
	"agents/keeper.md": profile("keeper", "tools: [write]", "subagents: [hermit]"),
	"agents/hermit.md": profile("hermit", "tools: [read, write]", "isolation: worktree", "subagents: [scribe]"),
	"agents/scribe.md": profile("scribe", "tools: [write]"),
};

type Speakers = Readonly<Partial<Record<"parent" | "lead" | "worker" | "keeper" | "hermit" | "scribe", Say>>>;

const models = ["parent", "lead", "worker", "helper", "keeper", "hermit", "scribe"].map((id) => ({ id }));

/** The models of the agents are called like their types. */
function spoken(speakers: Speakers): { readonly parent: ChatHandler; readonly child: ChatHandler } {
	const speak: ChatHandler = (request, exchange) => {
		const say = speakers[request.model as keyof Speakers];
		if (say === undefined) throw new Error(`nobody speaks for ${request.model}`);
		return typeof say === "function" ? say(request, exchange) : say;
	};
	return { parent: speak, child: speak };
}

const useTree = (speakers: Speakers, options: PiOptions = {}) =>
	useDelegation(spoken(speakers), { models, agentFiles, ...options });

const begin = shareDelegation({ models, agentFiles, trust: true });

const usage = { usage: { input: 1_000, output: 100 } };

const call = (type: string, prompt: string, more: Readonly<Record<string, unknown>> = {}) =>
	toolCall("Agent", { prompt, description: `about ${prompt}`, subagent_type: type, ...more }, usage);

/** It gives its task to a worker, in the foreground or not, and then passes on what it has been told. */
const lead: ChatHandler = (request) => {
	const [task = ""] = userTexts(request);
	const told = [...toolResults(request).map((result) => result.text), ...newUserTexts(request)];
	if (newUserTexts(request).includes("look")) {
		const agent_id = toolResults(request).flatMap((result) => agentIdIn(result.text) ?? [])[0];
		return toolCall("get_subagent_result", { agent_id });
	}
	if (task === "busy" && toolResults(request).length === 1 && newUserTexts(request).length === 0) return hang();
	if (toolResults(request).length > 0) return text(`lead heard: ${told.join(" | ")}`, usage);
	return call("worker", `part of ${task}`, task === "in front" ? {} : { run_in_background: true });
};

const parent = answering({
	"in front": call("lead", "in front"),
	behind: call("lead", "behind", { run_in_background: true }),
	stop: call("lead", "to be stopped", { run_in_background: true }),
	kill: call("lead", "to be killed", { run_in_background: true }),
	"kill a busy one": call("lead", "busy", { run_in_background: true }),
	resume: (request) => call("lead", "look", { resume: startedIds(request).at(-1) }),
	"resume the first": (request) => call("lead", "look", { resume: startedIds(request)[0] }),
});

const isPart = (task: string) => (request: ChatRequest) =>
	request.model === "worker" && newUserTexts(request)[0] === `part of ${task}`;

/** The lead's answer after it has started its worker in the background: behind that it is held. */
const isHeld = (task: string) => (request: ChatRequest) =>
	request.model === "lead" && userTexts(request)[0] === task && request.messages.at(-1)?.role === "tool";

const toldTypes = (request: ChatRequest | undefined): string =>
	request?.tools?.find((tool) => tool.function.name === "Agent")?.function.description ?? "";

/** Gives a command and resolves with what the person is shown for it. */
async function command(rpc: PiRpc, message: string): Promise<string> {
	const shown = rpc.untilNext((record) => record.method === "notify", `an answer to ${message}`);
	await rpc.request({ type: "prompt", message });
	return String((await shown).message);
}

const git = (cwd: string, ...args: readonly string[]): string =>
	execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@test.invalid", ...args], {
		cwd,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	}).trim();

const lastResult = (rpc: PiRpc): string => contentText(toolEnds(rpc.events, "Agent").at(-1)?.result);
const lastId = (rpc: PiRpc): string => agentIdIn(lastResult(rpc)) ?? "no id";

/** Starts a lead, and waits until it is held with its worker at work. */
async function untilHeld(rpc: PiRpc, server: OpenAiServer, prompt: string, task: string): Promise<ChatExchange> {
	await rpc.prompt(prompt);
	const worker = await server.anyRequest(isPart(task));
	worker.write("half of it");
	await (await server.anyRequest(isHeld(task))).ended;
	return worker;
}

describe("an agent whose profile has subagents (seed 000 §14.1)", () => {
	it("starts them within its own bounds, is held for them on one slot, and takes them with it when it is stopped", async () => {
		const worker: ChatHandler = (request) => (isPart("in front")(request) ? text("worked", usage) : undefined);
		const { server, pi } = await useTree({ parent, lead, worker }, { orchestrator: { maxConcurrent: 1 } });
		const rpc = pi.startRpc();

		await rpc.prompt("in front");
		expect(lastResult(rpc)).toMatch(/lead heard: agent_id: \S+\nstatus: completed\n[^|]*\n\nworked$/);
		// It is told why its worker starts nobody: that is at the last level.
		expect(lastResult(rpc)).toContain("it starts no agents: helper");
		const [leads] = server.requestsOf("lead");
		expect(leads && toolNames(leads)).toEqual(["read", "Agent", "get_subagent_result", "steer_subagent"]);
		expect(toldTypes(leads)).toMatch(/Types:\n- worker: The worker\.$/);
		const [workers] = server.requestsOf("worker");
		expect(workers && toolNames(workers)).toEqual(["read"]);
		// Two requests of the lead's and one of its worker's: on the session's result, and on none of the lead's.
		expect(toolEnds(rpc.events, "Agent")[0]?.result?.usage).toMatchObject({ input: 3_000, output: 300 });
		const [leadFile = "no file"] = pi
			.filesBelow(join(pi.agentDir, "orchestrator"))
			.filter((path) => path.includes(lastId(rpc)));
		const results = readEntries(join(pi.agentDir, "orchestrator", leadFile)).flatMap(({ message }) =>
			message?.role === "toolResult" ? [message] : [],
		);
		expect(results.map((message) => message.usage)).toEqual([undefined]);

		const atWork = await untilHeld(rpc, server, "behind", "behind");
		expect(notes(rpc.events)).toEqual([]);
		atWork.finish("stop", usage.usage);
		const [note] = await untilPublished(rpc);
		expect(note && deliveries(note)).toEqual([`${lastId(rpc)}#1`]);
		expect(note?.text).toMatch(/lead heard: .*\| agent_id: \S+\nstatus: completed\n.*\nhalf of it\n/s);

		const hung = await untilHeld(rpc, server, "stop", "to be stopped");
		const stopped = lastId(rpc);
		// Held is no reason not to read what it is sent.
		await command(rpc, `/agents steer ${stopped} hurry`);
		const heard = await server.anyRequest(
			(request) => request.model === "lead" && newUserTexts(request).includes("hurry"),
		);
		await heard.ended;
		const list = (await command(rpc, "/agents list")).split("\n").slice(-2);
		expect(list[0]).toMatch(new RegExp(`^${stopped} +running +lead `));
		const [, below = "no id"] = /^ {2}(\S+) +running +worker /.exec(list[1] ?? "") ?? [];
		const asked = server.requests.length;
		expect((await command(rpc, `/agents stop ${stopped}`)).split("\n").sort()).toEqual(
			[
				`Stopped ${stopped}: its session has come to rest.`,
				`Stopped ${below}, started by ${stopped}: its session has come to rest.`,
			].sort(),
		);
		expect(await hung.ended).toBe("closed by client");
		expect(await command(rpc, `/agents show ${below}`)).toMatch(/^status +stopped \(stopped_by_parent\)$/m);
		expect(await command(rpc, `/agents resume ${below}`)).toContain(`resume ${stopped} instead`);
		expect(server.requests).toHaveLength(asked);

		await rpc.prompt("resume");
		// What became of its worker stands beside the prompt; and it is still its own to read.
		expect(lastResult(rpc)).toMatch(/lead heard: .*\| agent_id: \S+\nstatus: stopped \(stopped_by_parent\)\n/s);
		expect(await rpc.stop()).toEqual({ code: 0, signal: null });
		expect(rpc.stderr).toBe("");
	});

	it("is not held any more when it has been asked to wrap up: it has what is ready, and the rest ends with it", async () => {
		const dear = { input: 850_000, output: 0 };
		const chief: ChatHandler = (request) => {
			if (toolResults(request).length > 0) return text(`lead heard: ${newUserTexts(request).join(" | ")}`);
			const parts = ["quick", "endless"].map((task) => ({
				prompt: `part of ${task}`,
				description: task,
				subagent_type: "worker",
				run_in_background: true,
			}));
			return toolCalls(parts.map((args) => ({ name: "Agent", args })));
		};
		const { server, rpc } = await begin(spoken({ parent, lead: chief, worker: leftToTest }), { maxCostUsd: 1 });
		await rpc.prompt("behind");
		const endless = await server.anyRequest(isPart("endless"));
		const quick = await server.anyRequest(isPart("quick"));
		await (await server.anyRequest(isHeld("behind"))).ended;
		quick.write("dear");
		quick.finish("stop", dear);
		const [note] = await untilPublished(rpc);
		expect(note?.text).toMatch(/^status: steered \(wrapped_up\)$/m);
		expect(note?.text).toContain("The money for subagents is nearly spent.");
		expect(await endless.ended).toBe("closed by client");
		expect(await command(rpc, "/agents list")).toMatch(/^ {2}\S+ +stopped \(stopped_by_parent\) +worker /m);
	});

	it("is interrupted together with them, and has them and what they came to when it is resumed", async () => {
		const worker: ChatHandler = (request) => (isPart("busy")(request) ? text("in time") : undefined);
		const { server, pi } = await useTree({ parent, lead, worker });
		const first = pi.startRpc();
		const ledger = await watchLedger(pi, first);
		onTestFinished(ledger.close);
		await untilHeld(first, server, "kill", "to be killed");
		const held = lastId(first);
		await first.prompt("kill a busy one");
		const busy = lastId(first);
		await server.anyRequest(isHeld("busy"));
		await ledger.until((lines) => lines.some(({ type }) => type === "settled"), "the end of its worker");
		first.kill("SIGKILL");
		await first.exit;

		const [file = ""] = pi.sessionFiles();
		const second = pi.startRpc(["--session", file]);
		await second.request({ type: "get_state" });
		const [notice, ...more] = readEntries(file).filter(({ customType }) => customType === "subagent-notice");
		expect(more).toEqual([]);
		expect([...contentText(notice).matchAll(/^- (\S+) /gm)].map(([, id]) => id)).toEqual([held, busy]);
		await second.prompt("resume");
		const [back] = server.requestsOf("lead").filter((request) => newUserTexts(request).includes("look"));
		expect(back && userTexts(back).join()).toMatch(/busy,look,agent_id: \S+\nstatus: completed\n.*\nin time\n/s);
		await second.prompt("resume the first");
		expect(lastResult(second)).toMatch(/lead heard: .*\| agent_id: \S+\nstatus: error \(interrupted\)\n/s);
		// It is told so beside its prompt, and need not ask: its conversation has its worker as one that runs.
		const again = server
			.requestsOf("lead")
			.find((request) => userTexts(request)[0] === "to be killed" && newUserTexts(request)[0] === "look");
		expect(again && userTexts(again).join()).toMatch(
			/^to be killed,look,agent_id: \S+\nstatus: error \(interrupted\)\n.*\nIt was interrupted when the host ended/s,
		);
		// Neither was the session's to have.
		expect(notes(second.events)).toEqual([]);
		expect(await second.stop()).toEqual({ code: 0, signal: null });
	});

	it("works in one worktree with them where it has one, at whatever level, and none of them writes outside of it", async () => {
		const scribe: ChatHandler = (request) => {
			const written = toolResults(request);
			if (written.length === 0) return toolCall("write", { path: "new.txt", content: "new" });
			if (written.length === 1) return toolCall("write", { path: join(pi.cwd, "out.txt"), content: "out" });
			return text(written.map((result) => result.text).join(" | "));
		};
		const passing =
			(reply: ChatReply): ChatHandler =>
			(request) => {
				const told = toolResults(request).map((result) => result.text);
				return told.length === 0 ? reply : text(told.join(" | "));
			};
		const keeper = passing(call("hermit", "alone"));
		const hermit = passing(call("scribe", "write"));
		const { pi, rpc } = await begin(
			spoken({ parent: answering({ go: call("keeper", "keep") }), keeper, hermit, scribe }),
			{ maxDepth: 3 },
			{ projectFiles: { "a.txt": "a" } },
		);
		git(pi.cwd, "init", "--quiet", "--initial-branch=main");
		git(pi.cwd, "add", "--all");
		git(pi.cwd, "commit", "--quiet", "--message=first");
		await rpc.prompt("go");
		expect(lastResult(rpc)).toContain(`${pi.cwd} is outside of your worktree`);
		const [, id] = [...lastResult(rpc).matchAll(/^agent_id: (\S+)$/gm)].map(([, found]) => found);
		expect(lastResult(rpc)).toContain(`Its work is on the branch agent/${id}, not in your files: 1 file (A new.txt).`);
		expect(git(pi.cwd, "show", `agent/${id}:new.txt`)).toBe("new");
		expect(git(pi.cwd, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")).toBe(`agent/${id}\nmain`);
		expect(git(pi.cwd, "status", "--porcelain")).toBe("");
	});
});
