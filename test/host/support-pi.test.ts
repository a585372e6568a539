import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failure, hang, text, toolCall } from "../support/chat-reply.ts";
import { freshToolResults, lastText } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { createPi } from "../support/pi.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, customMessages, lastAssistantText, toolEnds } from "../support/pi-record.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { usePi } from "../support/use-pi.ts";

const extensions = [fileURLToPath(new URL("../support/fixtures/tools.ts", import.meta.url))];

/** "wait" calls the waiting tool, "hang" hangs; all else greets, then repeats what the tool said. */
const greeter: ChatHandler = (request) => {
	const [result] = freshToolResults(request);
	if (result && request.messages.at(-1)?.role === "tool") {
		return text(`The tool said: ${result.text}`);
	}
	const message = lastText(request, "user");
	return message === "wait"
		? toolCall("wait", {})
		: message === "hang"
			? hang("so far")
			: toolCall("greet", { name: message });
};

describe("the driver of a real pi", () => {
	it("runs print mode to the end", async () => {
		const server = await useOpenAiServer(greeter);
		const pi = usePi({ baseUrl: server.baseUrl, extensions, session: false });
		const run = await pi.runPrint(["Ada"]);
		expect(run).toMatchObject({ code: 0, signal: null, stdout: "The tool said: Hello, Ada!\n" });
		expect(server.requestsOf("parent")).toHaveLength(2);
	});

	it("tells a failed run of print mode by its exit code and stderr", async () => {
		const server = await useOpenAiServer(() => failure(500, "out of order"));
		const pi = usePi({ baseUrl: server.baseUrl, extensions, session: false });
		const run = await pi.runPrint(["Ada"]);
		expect(run.code).toBe(1);
		expect(run.stderr).toContain("out of order");
	});

	it("runs json mode to the end, gives its events, and keeps the session in its own home, where a second run goes on with it", async () => {
		const server = await useOpenAiServer(greeter);
		const pi = usePi({ baseUrl: server.baseUrl, extensions });
		const run = await pi.runJson(["Ada"]);
		expect(run.code).toBe(0);
		expect(toolEnds(run.events, "greet").map((record) => contentText(record.result))).toEqual(["Hello, Ada!"]);
		expect(lastAssistantText(run.events)).toBe("The tool said: Hello, Ada!");
		expect(run.events.at(-1)?.type).toBe("agent_settled");

		await pi.runJson(["--continue", "Grace"]);
		const [file, ...others] = pi.sessionFiles();
		expect(others).toEqual([]);
		const users = readEntries(file ?? "").filter((entry) => entry.message?.role === "user");
		expect(users.map((entry) => contentText(entry.message))).toEqual(["Ada", "Grace"]);
	});

	it("prompts, aborts a tool and a stream, finds a custom message once, says why a command was refused, and stops over rpc", async () => {
		const server = await useOpenAiServer(greeter);
		const rpc = usePi({ baseUrl: server.baseUrl, extensions, session: false }).startRpc();

		expect(lastAssistantText(await rpc.prompt("Ada"))).toBe("The tool said: Hello, Ada!");

		const started = rpc.untilNext((record) => record.type === "tool_execution_start");
		await rpc.request({ type: "prompt", message: "wait" });
		expect((await started).toolName).toBe("wait");
		await rpc.request({ type: "abort" });
		expect(toolEnds(rpc.events, "wait").map((end) => [end.isError, contentText(end.result)])).toEqual([
			[true, "the wait was aborted"],
		]);

		const hanging = server.nextRequest((request) => lastText(request, "user") === "hang");
		await rpc.request({ type: "prompt", message: "hang" });
		const exchange = await hanging;
		await rpc.until((record) => record.type === "message_update");
		await rpc.request({ type: "abort" });
		expect(await exchange.ended).toBe("closed by client");

		await rpc.request({ type: "prompt", message: "/card from a command" });
		await rpc.until((record) => customMessages([record], "card").length > 0);

		await expect(rpc.request({ type: "set_model", provider: "none", modelId: "none" })).rejects.toThrow(
			"set_model was refused",
		);
		expect(await rpc.ask({ type: "set_model", provider: "none", modelId: "none" })).toMatchObject({ success: false });
		expect(await rpc.stop()).toEqual({ code: 0, signal: null });
		// However the host reports it.
		expect(customMessages(rpc.events, "card")).toEqual([
			{ customType: "card", text: "from a command", details: { length: 14 } },
		]);
	});

	it("rejects what waits for a record when the process ends, with the end of its stderr", async () => {
		const pi = usePi({ extensions: ["no-such-extension.ts"], model: null });
		await expect(pi.startRpc().until((record) => record.type === "agent_settled")).rejects.toThrow(
			/pi ended with code 1, stderr: .*no-such-extension/s,
		);
	});

	it("leaves no process and no file behind, not even of a run that hangs", async () => {
		const server = await useOpenAiServer(greeter);
		const pi = createPi({ baseUrl: server.baseUrl, extensions });
		const print = pi.startPrint(["hang"]);
		const rpc = pi.startRpc();
		await server.anyRequest(() => true);
		await rpc.request({ type: "get_state" });
		await pi.dispose();
		expect([print.exited, rpc.exited]).toEqual([
			{ code: null, signal: "SIGKILL" },
			{ code: 0, signal: null },
		]);
		expect(pi.filesBelow(pi.root)).toEqual([]);
	});

	it("writes settings, agent files and project files, and inherits no credentials", async () => {
		const pi = usePi({
			orchestrator: { maxConcurrent: 2 },
			agentFiles: { "agents/reviewer.md": "x" },
			projectFiles: { "src/a.txt": "y" },
			env: { EXTRA: "1" },
		});
		expect(pi.filesBelow(pi.agentDir)).toEqual(["agents/reviewer.md", "orchestrator.json", "settings.json"]);
		expect(pi.filesBelow(pi.cwd)).toEqual(["src/a.txt"]);
		const { env } = pi.command();
		expect(Object.keys(env).filter((name) => !["PATH", "TMPDIR", "LANG"].includes(name))).toEqual([
			"HOME",
			"PI_CODING_AGENT_DIR",
			"PI_OFFLINE",
			"NODE_COMPILE_CACHE",
			"EXTRA",
		]);
	});
});
