import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { text, toolCall, toolCalls } from "../support/chat-reply.ts";
import { type ChatMessage, type ChatRequest, systemText, textOf } from "../support/chat-request.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { agentCall, answering, startedIds, useDelegation } from "./extension-fixture.ts";

/** A conversation as one reads it: who said what, calls and their answers included. */
const told = (messages: readonly ChatMessage[]): string[] =>
	messages
		.filter(({ role }) => role !== "system" && role !== "developer")
		.map(
			(message) =>
				`${message.role}: ${message.tool_calls?.map((call) => call.function.name).join() ?? textOf(message)}`,
		);

const preface = /^user: What stands above is a copy of the conversation .*\n\nlook$/s;
const remembered = ["user: remember", "assistant: ls", expect.stringMatching(/^tool: /), "assistant: I remember."];
const inheriting = (more: Readonly<Record<string, unknown>> = {}) =>
	agentCall("look", { inherit_context: true, ...more });

const parent = answering({
	remember: toolCall("ls", {}),
	delegate: toolCalls([{ name: "ls", args: {} }, inheriting()], { text: "I shall ask." }),
	"delegate in the background": toolCalls([inheriting({ run_in_background: true })]),
	resume: (request) => toolCalls([agentCall("and then?", { resume: startedIds(request)[0] })]),
	ask: toolCalls([inheriting({ estimate_only: true })]),
});

/** The child's provider leaves system messages where they stand, so that it shows where Pi puts them. */
const models = [{ id: "parent" }, { id: "child", compat: { supportsMidConvoSystemMessages: true } }];

describe("an agent that starts from a copy of the conversation", () => {
	it("is told all of it but the message under way; it leaves its parent's file alone, and can be resumed", async () => {
		let atRequest = "";
		const { server, pi } = await useDelegation(
			{
				parent: (request, exchange) =>
					// The first prompt takes two turns: its tool result is no answer to anything else.
					request.messages.at(-1)?.role === "tool" && told(request.messages).length === 3
						? text("I remember.")
						: parent(request, exchange),
				child: () => {
					atRequest ||= readFileSync(String(pi.sessionFiles()[0]), "utf8");
					return text("seen");
				},
			},
			{ projectFiles: { "AGENTS.md": "Use tabs." }, models },
		);
		const rpc = pi.startRpc(["--tools", "ls,read,Agent,get_subagent_result,steer_subagent"]);
		for (const message of ["remember", "ask", "delegate", "resume"]) await rpc.prompt(message);
		const [first, second, ...more] = server.requestsOf("child");
		expect(more).toEqual([]);
		const asked = ["user: ask", "assistant: Agent", expect.stringContaining("tool: Estimate"), "assistant: noted"];
		expect(told(first?.messages ?? [])).toEqual([
			...remembered,
			...asked,
			"user: delegate",
			expect.stringMatching(preface),
		]);
		expect(told(second?.messages ?? [])).toEqual([
			...told(first?.messages ?? []),
			"assistant: seen",
			"user: and then?",
		]);
		for (const request of [first, second]) {
			expect(request?.messages[0]?.role).toMatch(/^(system|developer)$/);
			expect(request?.messages.filter(({ role }) => role === "system" || role === "developer")).toHaveLength(1);
			expect(systemText(request as ChatRequest)).toMatch(/^You are a subagent: /);
		}
		const now = readFileSync(String(pi.sessionFiles()[0]), "utf8");
		expect(atRequest.length).toBeGreaterThan(0);
		expect(now.slice(0, atRequest.length)).toBe(atRequest);
		expect(now).not.toContain("What stands above");
		const [estimate, result, resumed] = toolEnds(rpc.events, "Agent").map((end) => contentText(end.result));
		expect(estimate).toMatch(/^context: starts from a copy of this conversation \(call\)$/m);
		expect(estimate).toMatch(/^prompt: .*, context [\d.k]+\)$/m);
		// What the parent has spent is not the agent's.
		expect(result).toMatch(/^status: completed\n.* turns: 1 .*\n\nseen$/ms);
		expect(resumed).toMatch(/^status: completed\n.*\n\nseen$/ms);
	});

	it("has it where neither session is kept, too", async () => {
		const { server, pi } = await useDelegation({ parent, child: text("seen") }, { session: false, models });
		await pi.runJson(["delegate in the background"]);
		const [request] = server.requestsOf("child");
		const prompt = "user: delegate in the background";
		expect(told(request?.messages ?? [])).toEqual([prompt, expect.stringMatching(preface)]);
		expect(request?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
	});
});
