import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { text, toolCall } from "../support/chat-reply.ts";
import { freshToolResults } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import type { PiOptions } from "../support/pi.ts";
import { ownExtension } from "../support/pi-cli.ts";
import type { PiRecord } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import {
	agentIdIn,
	answering,
	delegate,
	launch,
	newUserTexts,
	promptUntilCall,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const gate = fileURLToPath(new URL("../support/fixtures/asking-gate.ts", import.meta.url));
const projectFiles = { "one.md": "the first file", "two.md": "the second file" };

/** A child that reads the file that its task names, and repeats what came of it. */
const child: ChatHandler = (request) => {
	const task = newUserTexts(request)[0];
	return task === undefined
		? text(`it says: ${freshToolResults(request)[0]?.text}`)
		: toolCall("read", { path: `${task}.md` });
};

const options: PiOptions = {
	extensions: [gate, ownExtension()],
	projectFiles,
	orchestrator: { stopGrace: 3_600 },
};

/** The dialogs that the person has been shown, in order. */
const dialogs = (rpc: PiRpc): PiRecord[] => rpc.events.filter((record) => record.method === "confirm");

const answer = (rpc: PiRpc, dialog: PiRecord | undefined, confirmed: boolean) =>
	rpc.writeLine({ type: "extension_ui_response", id: dialog?.id, confirmed });

const untilAsked = (rpc: PiRpc, count: number) =>
	rpc.untilHolds(() => dialogs(rpc).length >= count, `${count} questions`);

describe("what a child's gate asks", () => {
	const begin = shareDelegation(options);

	it.each([
		{ answered: "yes", confirmed: true, result: "the first file" },
		{ answered: "no", confirmed: false, result: "the person said no" },
	])("is shown to the person with the agent's name, and $answered is what it gets", async ({ confirmed, result }) => {
		const { rpc } = await begin({ parent: answering({ start: launch("one") }), child });
		await rpc.prompt("start");
		await untilAsked(rpc, 1);
		const [dialog] = dialogs(rpc);
		expect(dialog?.title).toMatch(/^Agent [0-9a-f]{8} \(general-purpose\): May it be read\?$/);
		expect(dialog?.message).toBe("one.md");
		answer(rpc, dialog, confirmed);
		const [note] = await untilPublished(rpc);
		expect(note?.text).toContain(`it says: ${result}`);
		expect(dialog?.title).toContain(agentIdIn(note?.text ?? ""));
	});

	it("is one question at a time, whoever asks", async () => {
		const { server, rpc } = await begin({ parent: answering({ start: launch("one", "two") }), child });
		await rpc.prompt("start");
		await untilAsked(rpc, 1);
		await server.until(() => server.requestsOf("child").length === 2 && server.openNow() === 0);
		// A round through the process: whatever was to be asked at once has been asked by then.
		await rpc.request({ type: "get_state" });
		expect(dialogs(rpc)).toHaveLength(1);
		answer(rpc, dialogs(rpc)[0], true);
		await untilAsked(rpc, 2);
		answer(rpc, dialogs(rpc)[1], true);
		const texts = (await untilPublished(rpc, 2)).map((note) => note.text).join("\n");
		expect(texts).toContain("it says: the first file");
		expect(texts).toContain("it says: the second file");
	});

	it("does not outlive its agent: a stop answers it, and the next is asked", async () => {
		const { rpc } = await begin({ parent: answering({ start: launch("one"), again: launch("two") }), child });
		await rpc.prompt("start");
		await untilAsked(rpc, 1);
		const stopped = rpc.untilNext(
			(record) => record.method === "notify" && String(record.message).includes("has come to rest"),
		);
		await rpc.request({ type: "prompt", message: "/agents stop --all" });
		await stopped;
		await rpc.prompt("again");
		await untilAsked(rpc, 2);
		answer(rpc, dialogs(rpc)[1], true);
		const texts = (await untilPublished(rpc, 2)).map((note) => note.text).join("\n");
		expect(texts).toContain("it says: the second file");
	});

	it("of a foreground agent ends with an abort of its call", async () => {
		const { rpc } = await begin({ parent: answering({ delegate: delegate("one"), "go on": text("ok") }), child });
		await promptUntilCall(rpc, "delegate", "Agent");
		await untilAsked(rpc, 1);
		await rpc.request({ type: "abort" });
		await rpc.prompt("go on");
	});

	it("is refused with the gate's own reason where there is nobody to ask", async () => {
		const { server, pi } = await useDelegation({ parent: answering({ delegate: delegate("one") }), child }, options);
		expect(await pi.runPrint(["delegate"])).toMatchObject({ code: 0, stdout: "noted\n" });
		const [refused] = freshToolResults(server.requestsOf("child")[1] ?? { model: "", messages: [] });
		expect(refused?.text).toContain("reading needs an approval, and nobody is there to give it");
	});
});
