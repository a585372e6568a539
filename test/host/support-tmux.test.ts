import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { text, toolCall } from "../support/chat-reply.ts";
import { lastText } from "../support/chat-request.ts";
import { startTmux, tmuxAvailable } from "../support/tmux.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";
import { useTmux } from "../support/use-tmux.ts";

const extensions = [fileURLToPath(new URL("../support/fixtures/tools.ts", import.meta.url))];

describe.runIf(tmuxAvailable())("the driver of an interactive pi", () => {
	it("types a prompt, sees the answer, aborts a tool with Escape and quits", async () => {
		const server = await useOpenAiServer((request) =>
			lastText(request, "user") === "wait" ? toolCall("wait", {}) : text("it's an answer"),
		);
		const pi = usePi({ baseUrl: server.baseUrl, extensions, session: false, projectFiles: { "it's.txt": "" } });
		const terminal = await useTmux(pi, { columns: 90, rows: 30 });
		await terminal.untilScreen((screen) => screen.includes("parent"));
		await terminal.enter("what's up");
		await terminal.untilScreen((screen) => screen.includes("it's an answer"));
		expect(lastText((await server.anyRequest(() => true)).request, "user")).toBe("what's up");

		await terminal.enter("wait");
		await server.until(() => server.requests.length === 2 && server.openNow() === 0);
		await terminal.untilScreen((screen) => screen.includes("Waiting") || screen.includes("Working"));
		await terminal.press("Escape");
		await terminal.untilScreen((screen) => screen.includes("the wait was aborted"));
		expect(await terminal.history()).toContain("it's an answer");

		await terminal.enter("/quit");
		await terminal.untilScreen((screen) => screen.includes("pi ended: 0"));
	});

	it("stops waiting for a screen when the terminal is stopped", async () => {
		const terminal = await startTmux(usePi({ extensions, model: null }));
		const waiting = expect(terminal.untilScreen(() => false, "a screen that never comes")).rejects.toThrow(
			"a screen that never comes",
		);
		await terminal.stop();
		await terminal.stop();
		await waiting;
	});
});
