import { setImmediate } from "node:timers/promises";
import type { LedgerLine } from "../../../src/streams/index.ts";
import type { ChatExchange } from "../../support/chat-exchange.ts";
import { text, toolCalls } from "../../support/chat-reply.ts";
import type { ChatRequest } from "../../support/chat-request.ts";
import { type OpenAiServer, startOpenAiServer } from "../../support/openai-server.ts";
import { createPi, type Pi } from "../../support/pi.ts";
import { readEntries } from "../../support/pi-home.ts";
import type { PiEntry } from "../../support/pi-record.ts";
import type { PiRpc } from "../../support/pi-rpc.ts";
import { watchLedger } from "../../support/watch-ledger.ts";
import { agentCall, newUserTexts } from "../extension-fixture.ts";

/** A Pi that is killed again and again, with one session that it opens each time. */
export interface CrashWorld {
	readonly server: OpenAiServer;
	readonly pi: Pi;
	readonly sessionId: string;
	/** The running process. */
	readonly rpc: PiRpc;
	/** The session's file. */
	readonly file: string;
	/** Whether the parent's answers to tool results stay open from now on; until the process is killed. */
	hold(held: boolean): void;
	/** Tasks that no agent has had. */
	tasks(count: number): string[];
	/** The lines of the ledger that can be read. */
	lines(): LedgerLine[];
	/** Resolves when the ledger has that. */
	untilLedger(holds: (lines: readonly LedgerLine[]) => boolean, what: string): Promise<void>;
	entries(): PiEntry[];
	/** The first request of the agent that has the task. */
	child(task: string): Promise<ChatExchange>;
	/** Kills the process as nothing can resist. */
	kill(): Promise<void>;
	/** Starts Pi again on the same session. */
	reopen(): Promise<void>;
	dispose(): Promise<void>;
}

/** The first process of it is running when this resolves, and has had one exchange. */
export async function openCrashWorld(): Promise<CrashWorld> {
	let holding = false;
	const server = await startOpenAiServer((request) =>
		request.model === "parent" ? answerOfParent(request, holding) : undefined,
	);
	const pi = createPi({ baseUrl: server.baseUrl, orchestrator: { maxConcurrent: 2, stopGrace: 3_600 } });
	let rpc = pi.startRpc();
	const ledger = await watchLedger(pi, rpc);
	await rpc.prompt("quiet");
	const [file] = pi.sessionFiles();
	if (file === undefined) throw new Error("the session has no file");
	let tasks = 0;

	return {
		server,
		pi,
		sessionId: ledger.sessionId,
		get rpc() {
			return rpc;
		},
		file,
		hold: (held) => {
			holding = held;
		},
		tasks: (count) => Array.from({ length: count }, () => `task-${++tasks}`),
		lines: ledger.lines,
		untilLedger: ledger.until,
		entries: () => readEntries(file),
		child: (task) => server.anyRequest((request) => isTaskOf(request, task)),
		kill: async () => {
			rpc.kill("SIGKILL");
			await rpc.exit;
			holding = false;
		},
		reopen: async () => {
			rpc = pi.startRpc(["--session", file]);
			await rpc.request({ type: "get_state" });
		},
		dispose: async () => {
			ledger.close();
			await pi.dispose();
			await server.close();
		},
	};
}

/** Lets what is under way get on by so many turns of the event loop, in this process. */
export async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** How the answer to a task begins, or all of it. */
export function answerTo(task: string): string {
	return `the answer to ${task}.`;
}

export function isTaskOf(request: ChatRequest, task: string): boolean {
	return request.model === "child" && newUserTexts(request).some((message) => message.split("\n").includes(task));
}

/** What the parent is told to do stands in its prompt: `launch: a, b`, `read: id, id`, `resume: id task`, `quiet`. */
function answerOfParent(request: ChatRequest, holding: boolean) {
	const news = newUserTexts(request);
	const order = news.map((message) => /^(launch|read|resume): (.*)$/.exec(message)).find((match) => match !== null);
	if (order === undefined || order === null) return news.length === 0 && holding ? undefined : text("ok");
	const [, what, rest = ""] = order;
	const words = rest.split(", ");
	const background = { run_in_background: true };
	if (what === "launch") return toolCalls(words.map((task) => agentCall(task, background)));
	if (what === "read") return toolCalls(words.map((id) => ({ name: "get_subagent_result", args: { agent_id: id } })));
	const [id, task = ""] = rest.split(" ");
	return toolCalls([agentCall(task, { ...background, resume: id })]);
}
