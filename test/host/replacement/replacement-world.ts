import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ChatReply, text, toolCalls } from "../../support/chat-reply.ts";
import type { ChatRequest } from "../../support/chat-request.ts";
import { type OpenAiServer, startOpenAiServer } from "../../support/openai-server.ts";
import { createPi, type Pi } from "../../support/pi.ts";
import { ownExtension } from "../../support/pi-cli.ts";
import { readEntries } from "../../support/pi-home.ts";
import { contentText, type PiEntry, toolEnds } from "../../support/pi-record.ts";
import type { PiRpc } from "../../support/pi-rpc.ts";
import { agentCall, agentIdIn, newUserTexts } from "../extension-fixture.ts";
import { openStartGate, type StartGate } from "./start-gate.ts";

/** A Pi whose sessions are replaced one after the other. What its parent is to do stands in the prompts. */
export interface ReplacementWorld {
	readonly server: OpenAiServer;
	/** Where agents with the model `slow` wait while they start. */
	readonly gate: StartGate;
	readonly pi: Pi;
	/** The running process. */
	readonly rpc: PiRpc;
	/** Ends the process, which must say that all was well, and starts another on that session. */
	restart(file: string): Promise<void>;
	/** Whether the parent's answers to tool results stay open from now on. */
	hold(held: boolean): void;
	/** The file of the current session. */
	file(): Promise<string>;
	/** Starts agents in the background and gives their ids. While the parent is held its run goes on after that. */
	launch(tasks: readonly string[], options?: LaunchOptions): Promise<string[]>;
	/** What `get_subagent_result` says of an agent. */
	read(id: string): Promise<string>;
	/** What a command of ours answers. */
	command(line: string): Promise<string>;
	dispose(): Promise<void>;
}

export interface LaunchOptions {
	readonly model?: string;
	/** Whether the parent's run is still under way when this resolves. */
	readonly held?: boolean;
}

const fixture = fileURLToPath(new URL("../../support/fixtures/replacement.ts", import.meta.url));

/** The first process of it is running when this resolves. The caller disposes of it. */
export async function openReplacementWorld(): Promise<ReplacementWorld> {
	let holding = false;
	const gate = await openStartGate();
	const server = await startOpenAiServer((request) =>
		request.model === "parent" ? answerOfParent(request, holding) : undefined,
	);
	const pi = createPi({
		baseUrl: server.baseUrl,
		models: [{ id: "parent" }, { id: "child" }, { id: "slow" }],
		extensions: [ownExtension(), fixture],
		env: { START_URL: gate.url },
		// Were anything waited for that does not come, the test would be over before this.
		orchestrator: { maxConcurrent: 1, stopGrace: 3_600 },
	});
	let rpc = pi.startRpc();
	const answers = (from: number, tool: string) => toolEnds(rpc.events.slice(from), tool).map(({ result }) => result);

	return {
		server,
		gate,
		pi,
		get rpc() {
			return rpc;
		},
		restart: async (file) => {
			const { code } = await rpc.stop();
			if (code !== 0) throw new Error(`pi ended with ${code}: ${rpc.stderr}`);
			rpc = pi.startRpc(["--session", file]);
			await rpc.request({ type: "get_state" });
		},
		hold: (held) => {
			holding = held;
		},
		file: async () => {
			const { data } = await rpc.request({ type: "get_state" });
			return (data as { sessionFile: string }).sessionFile;
		},
		launch: async (tasks, { model = "child", held = false } = {}) => {
			const from = rpc.events.length;
			holding = held;
			if (held) await rpc.request({ type: "prompt", message: `launch ${model}: ${tasks.join(", ")}` });
			else await rpc.prompt(`launch ${model}: ${tasks.join(", ")}`);
			await rpc.untilHolds(() => answers(from, "Agent").length === tasks.length, "the agents to be started");
			return answers(from, "Agent").map((result) => agentIdIn(contentText(result)) ?? "no id");
		},
		read: async (id) => {
			const from = rpc.events.length;
			await rpc.prompt(`read: ${id}`);
			return contentText(answers(from, "get_subagent_result")[0]);
		},
		command: async (line) => {
			const from = rpc.events.length;
			await rpc.request({ type: "prompt", message: line });
			return rpc.events
				.slice(from)
				.filter(({ method }) => method === "notify")
				.map(({ message }) => String(message))
				.join("\n");
		},
		dispose: async () => {
			gate.close();
			await pi.dispose();
			await server.close();
		},
	};
}

function answerOfParent(request: ChatRequest, holding: boolean): ChatReply | undefined {
	const news = newUserTexts(request);
	if (news.length === 0) return holding ? undefined : text("noted");
	const [, what, model, rest = ""] =
		news.map((message) => /^(launch|call|read|resume)( \w+)?: (.*)$/.exec(message)).findLast((match) => match) ?? [];
	const words = rest.split(", ");
	const more = { model: `local/${model?.trim() ?? "child"}` };
	switch (what) {
		case "launch":
			return toolCalls(words.map((task) => agentCall(task, { ...more, run_in_background: true })));
		case "call":
			return toolCalls(words.map((task) => agentCall(task, more)));
		case "read":
			return toolCalls(words.map((id) => ({ name: "get_subagent_result", args: { agent_id: id } })));
		case "resume":
			return toolCalls(words.map((id) => agentCall("go on", { resume: id, run_in_background: true })));
		default:
			return text("ok");
	}
}

/** The entries of a session that are ours, of one kind. None where the session has no file yet. */
export function ownEntries(file: string, customType: "subagent-result" | "subagent-notice"): PiEntry[] {
	return entriesOf(file).filter((entry) => entry.customType === customType);
}

/** The runs that a session's messages of ours name, in order. */
export function namedRuns(file: string, customType: "subagent-result" | "subagent-notice"): string[] {
	return ownEntries(file, customType).flatMap(({ details }) => {
		const { delivery, interrupted } = details as { delivery?: string[]; interrupted?: string[] };
		return delivery ?? interrupted ?? [];
	});
}

function entriesOf(file: string): PiEntry[] {
	try {
		readFileSync(file);
	} catch {
		return [];
	}
	return readEntries(file);
}
