import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { text } from "../support/chat-reply.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { agentIdIn, answering, delegate, isTask, launch, untilPublished, useDelegation } from "./extension-fixture.ts";

const long = `first ${"0123456789".repeat(10_000)} last`;
const mode = (path: string) => statSync(path).mode & 0o777;
const outputIn = (message: string) => /^output: (.*)$/m.exec(message)?.[1] ?? "no output line";

describe("what agents leave on the disk", () => {
	it("is a ledger, session files and the full text of a long answer, below the agent directory and for nobody else's eyes", async () => {
		const { pi } = await useDelegation({
			parent: answering({ delegate: delegate("short"), start: launch("long") }),
			child: (request) => text(isTask("long")(request) ? long : "done"),
		});
		const rpc = pi.startRpc();
		const { sessionId } = (await rpc.request({ type: "get_state" })).data as { sessionId: string };
		await rpc.prompt("delegate");
		await rpc.request({ type: "prompt", message: "start" });
		const [note] = await untilPublished(rpc);
		await rpc.stop();

		const folder = join(pi.agentDir, "orchestrator", sessionId);
		const [short, background] = toolEnds(rpc.events, "Agent").map((end) => agentIdIn(contentText(end.result)));
		expect(pi.filesBelow(folder)).toEqual(
			[`${short}.jsonl`, `${background}.jsonl`, `${background}.md`, "ledger.jsonl"].sort(),
		);
		expect(new Set(pi.filesBelow(folder).map((file) => mode(join(folder, file))))).toEqual(new Set([0o600]));
		expect(mode(folder)).toBe(0o700);
		const entries = readEntries(join(folder, `${short}.jsonl`));
		expect(entries[0]).toMatchObject({ type: "session", id: short, parentSession: pi.sessionFiles()[0] });
		expect(
			entries
				.map((entry) => contentText(entry.message))
				.filter((said) => said !== "")
				.slice(-2),
		).toEqual(["short", "done"]);

		expect(outputIn(note?.text ?? "")).toBe(join(folder, `${background}.md`));
		expect(readFileSync(join(folder, `${background}.md`), "utf8")).toBe(long);
		expect(note?.text).toMatch(/first 0123.*characters cut here.* last/s);
		expect(note?.text.length).toBeLessThan(25_000);
	});

	it("is nothing with --no-session, once pi has ended", async () => {
		const { pi } = await useDelegation(
			{ parent: answering({ delegate: delegate("long") }), child: text(long) },
			{ session: false },
		);
		const before = pi.filesBelow(pi.root);
		const rpc = pi.startRpc();
		await rpc.prompt("delegate");
		const output = outputIn(contentText(toolEnds(rpc.events, "Agent")[0]?.result));
		expect(readFileSync(output, "utf8")).toBe(long);
		expect([mode(output), mode(dirname(output))]).toEqual([0o600, 0o700]);
		await rpc.stop();
		expect(existsSync(dirname(output))).toBe(false);
		const own = (file: string) => !/\/(auth|models-store)\.json$/.test(file);
		expect(pi.filesBelow(pi.root).filter(own)).toEqual(before.filter(own));
	});
});
