import { describe, expect, it } from "vitest";
import { text, toolCall } from "../support/chat-reply.ts";
import { type ChatRequest, toolNames, toolResults } from "../support/chat-request.ts";
import type { ChatHandler, OpenAiServer } from "../support/openai-server.ts";
import type { Pi, PiOptions } from "../support/pi.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";
import { answering, newUserTexts, type Say } from "./extension-fixture.ts";

const profile = (name: string, ...fields: readonly string[]) =>
	["---", `description: The ${name}.`, `model: local/${name}`, ...fields, "---", `You are the ${name}.`].join("\n");

const agentFiles = {
	"agents/lead.md": profile("lead", "tools: [read]", "subagents: [worker]"),
	"agents/worker.md": profile("worker", "tools: [read, bash]", "subagents: [helper]"),
	"agents/helper.md": profile("helper", "tools: [read]"),
};

type Speakers = Readonly<Record<"parent" | "lead" | "worker", Say>> & { readonly helper?: Say };

/** A real `pi` whose agents' models are called like their types. */
async function useTree(speakers: Speakers, options: PiOptions = {}): Promise<{ server: OpenAiServer; pi: Pi }> {
	const server = await useOpenAiServer((request, exchange) => {
		const say = speakers[request.model as keyof Speakers];
		if (say === undefined) throw new Error(`nobody speaks for ${request.model}`);
		return typeof say === "function" ? say(request, exchange) : say;
	});
	const models = ["parent", "lead", "worker", "helper"].map((id) => ({ id }));
	return { server, pi: usePi({ baseUrl: server.baseUrl, models, agentFiles, ...options }) };
}

const call = (type: string, prompt: string, more: Readonly<Record<string, unknown>> = {}) =>
	toolCall("Agent", { prompt, description: `about ${prompt}`, subagent_type: type, ...more });

const usage = { usage: { input: 1_000, output: 100 } };

/** It passes on what it was told by tools and messages. */
const passingOn: ChatHandler = (request) => {
	const told = [...toolResults(request).map((result) => result.text), ...newUserTexts(request)];
	return text(`lead heard: ${told.join(" | ")}`, usage);
};

const toldTypes = (request: ChatRequest | undefined): string =>
	request?.tools?.find((tool) => tool.function.name === "Agent")?.function.description ?? "";

describe("an agent whose profile has subagents (seed 000 §14.1)", () => {
	it("starts them as the session does, within its own bounds, and all is paid for once", async () => {
		const lead: ChatHandler = (request, exchange) => {
			if (newUserTexts(request)[0] === "lead on") return call("worker", "part");
			return passingOn(request, exchange);
		};
		const { server, pi } = await useTree({
			parent: answering({ go: call("lead", "lead on") }),
			lead,
			worker: text("worked", usage),
		});
		const rpc = pi.startRpc();
		await rpc.prompt("go");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(contentText(end?.result)).toMatch(/lead heard: agent_id: \S+\nstatus: completed\n[^|]*\n\nworked$/);
		const [leads] = server.requestsOf("lead");
		expect(leads && toolNames(leads)).toEqual(["read", "Agent", "get_subagent_result", "steer_subagent"]);
		expect(toldTypes(leads)).toContain("Types:\n- worker: The worker.");
		expect(toldTypes(leads)).not.toContain("helper");
		const [workers] = server.requestsOf("worker");
		expect(workers && toolNames(workers)).toEqual(["read"]);
		await rpc.stop();
	});
});
