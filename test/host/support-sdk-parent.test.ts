import { existsSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { text, toolCall } from "../support/chat-reply.ts";
import { freshToolResults } from "../support/chat-request.ts";
import { call, fail, untilAborted } from "../support/faux-model.ts";
import tools from "../support/fixtures/tools.ts";
import { createSdkParent } from "../support/sdk-parent.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { useSdkParent } from "../support/use-sdk-parent.ts";

describe("the parent session in this process", () => {
	it("runs an extension's tool for a scripted faux model", async () => {
		const parent = await useSdkParent({
			extensions: [tools],
			script: ({ results, user }) =>
				results[0] ? `The tool said: ${results[0].text}` : call(["greet", { name: user }]),
		});
		await parent.session.prompt("Ada");
		expect(parent.session.getLastAssistantText()).toBe("The tool said: Hello, Ada!");
	});

	it("speaks to the model server instead where there is no script", async () => {
		const server = await useOpenAiServer((request) => {
			const [result] = freshToolResults(request);
			return result ? text(`The tool said: ${result.text}`) : toolCall("greet", { name: "Grace" });
		});
		const parent = await useSdkParent({ extensions: [tools], baseUrl: server.baseUrl });
		await parent.session.prompt("hello");
		expect(parent.session.getLastAssistantText()).toBe("The tool said: Hello, Grace!");
		expect(server.requestsOf("parent")).toHaveLength(2);
	});

	it("reports provider failures, and aborts a model that hangs", async () => {
		const parent = await useSdkParent({
			extensions: [],
			async script({ user, signal }) {
				if (user === "fail") {
					return fail("out of order");
				}
				await untilAborted(signal);
				return "never seen";
			},
		});
		const last = () => parent.session.messages.findLast((message) => message.role === "assistant");
		await parent.session.prompt("fail");
		expect(last()).toMatchObject({ stopReason: "error", errorMessage: "out of order" });
		const prompted = parent.session.prompt("hang");
		await parent.until(() => parent.session.isStreaming && parent.events.at(-1)?.type === "message_end");
		await parent.session.abort();
		await prompted;
		expect(last()).toMatchObject({ stopReason: "aborted" });
	});

	it("starts, replaces and shuts down sessions as Pi does, and collects what extensions throw", async () => {
		const seen: string[] = [];
		function watcher(pi: ExtensionAPI): void {
			pi.on("session_start", (event, ctx) => {
				seen.push(`start ${event.reason} in ${ctx.mode}, trusted: ${ctx.isProjectTrusted()}`);
			});
			pi.on("session_shutdown", (event) => {
				seen.push(`shutdown ${event.reason}`);
			});
			pi.on("agent_start", () => {
				throw new Error("a clumsy handler");
			});
		}
		const parent = await createSdkParent({
			extensions: [watcher],
			script: () => "an answer",
			mode: "json",
			stored: true,
		});
		await parent.session.prompt("one");
		expect(parent.sessionFiles()).toHaveLength(1);
		await parent.runtime.newSession();
		await parent.session.prompt("two");
		expect(parent.session.messages.filter((message) => message.role === "user")).toMatchObject([
			{ content: [{ text: "two" }] },
		]);
		await parent.shutdown();
		await parent.dispose();
		expect(seen).toEqual([
			"start startup in json, trusted: false",
			"shutdown new",
			"start new in json, trusted: false",
			"shutdown quit",
		]);
		expect(parent.extensionErrors.map((error) => error.includes("a clumsy handler"))).toEqual([true, true]);
		expect(existsSync(parent.root)).toBe(false);
		expect(process.env.PI_CODING_AGENT_DIR).toBeUndefined();
	});
});
