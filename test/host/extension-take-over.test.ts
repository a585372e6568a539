import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, toolResults } from "../support/chat-request.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, type PiEntry, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { watchLedger } from "../support/watch-ledger.ts";
import {
	agentCall,
	agentIdIn,
	answering,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const groupIn = (request: ChatRequest): string | undefined =>
	toolResults(request)
		.map((result) => /^group_id: (\S+)$/m.exec(result.text)?.[1])
		.find((id) => id !== undefined);
const members = ["north", "south", "east"].map((name) => ({ name, prompt: `task of ${name}` }));
const script = answering({
	start: launch("task"),
	crew: toolCalls([agentCall("brief", { members, run_in_background: true })]),
	hello: text("hello"),
	schedule: toolCalls([agentCall("later", { schedule: "0 0 1 1 *" })]),
	"read group": (request) => toolCalls([{ name: "get_subagent_result", args: { agent_id: groupIn(request) } }]),
});

/** The `pi` that stays. The others, those that are killed, are started by the tests. */
const begin = shareDelegation();

async function fileOf(rpc: PiRpc): Promise<string> {
	const { data } = await rpc.request({ type: "get_state" });
	return (data as { sessionFile: string }).sessionFile;
}
const open = (rpc: PiRpc, sessionPath: string) => rpc.request({ type: "switch_session", sessionPath });
const notified = (rpc: PiRpc): string[] =>
	rpc.events.filter(({ method }) => method === "notify").map(({ message }) => String(message));
const entriesOf = (file: string, customType: string): PiEntry[] =>
	readEntries(file).filter((entry) => entry.customType === customType);
const deliveredIn = (file: string): string[] =>
	entriesOf(file, "subagent-result").flatMap(({ details }) => (details as { delivery: string[] }).delivery);

async function kill(rpc: PiRpc): Promise<void> {
	rpc.kill("SIGKILL");
	await rpc.exit;
}

describe("a crew whose pi was killed, when its session is opened again", () => {
	it("comes as a crew in one message, names who was interrupted, and is read and shown by its old id", async () => {
		const { server, pi } = await begin({
			parent: script,
			child: (request) => (newUserTexts(request)[0]?.includes("task of east") ? undefined : text("found")),
		});
		const first = pi.startRpc();
		const ledger = await watchLedger(pi, first);
		onTestFinished(ledger.close);
		await first.prompt("crew");
		const groupId = /^group_id: (\S+)$/m.exec(contentText(toolEnds(first.events, "Agent")[0]?.result))?.[1];
		await ledger.until((lines) => lines.filter(({ type }) => type === "settled").length === 2, "the end of two");
		await server.anyRequest((request) => newUserTexts(request)[0]?.includes("task of east") ?? false);
		const file = await fileOf(first);
		await kill(first);

		const second = pi.startRpc(["--session", file]);
		await second.prompt("hello");
		const [note] = notes(second.events);
		expect(note?.text).toMatch(new RegExp(`^group_id: ${groupId}\ncrew: 3 members, 2 completed, 1 error\n`));
		expect(note?.text.match(/^(?:group_id|interrupted|member): .*$/gm)).toEqual([
			`group_id: ${groupId}`,
			"interrupted: east",
			"member: north",
			"member: south",
		]);
		expect(notes(second.events)).toHaveLength(1);
		await second.prompt("read group");
		const [end] = toolEnds(second.events, "get_subagent_result");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result)).toMatch(new RegExp(`^group_id: ${groupId}\n`));
		await second.request({ type: "prompt", message: `/agents show ${groupId}` });
		expect(notified(second).at(-1)).toContain("task of north".slice(8));
		expect(notified(second).join()).not.toContain("No agent");
		await second.stop();
		expect(second.stderr).toBe("");
	});
});

describe("of two pi on one session, the one that stays", () => {
	it("takes over what the other has left when that is killed, with the next message, and nothing twice", async () => {
		const { server, pi, rpc: other, leave } = await begin({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		const ledger = await watchLedger(pi, first);
		onTestFinished(ledger.close);
		await first.prompt("hello");
		const file = await fileOf(first);
		await open(other, file);
		await other.prompt("hello");
		// What one has published before the other knows of it is in the session file, and nowhere else.
		server.answer((request, exchange) =>
			request.model === "child" ? text("the first answer") : script(request, exchange),
		);
		await first.prompt("start");
		await untilPublished(first);
		const published = deliveredIn(file);
		expect(published).toHaveLength(1);
		server.answer((request, exchange) => {
			if (request.model === "child") return text("the second answer");
			// The model is at work when the result comes, and for ever.
			return newUserTexts(request).length === 0 ? undefined : script(request, exchange);
		});
		const settled = ledger.until((lines) => lines.filter(({ type }) => type === "settled").length === 2, "its end");
		await first.request({ type: "prompt", message: "start" });
		await settled;
		await kill(first);

		server.answer(script);
		await other.prompt("hello");
		const came = notes(other.events);
		expect(came.map((note) => note.text)).toEqual([expect.stringContaining("the second answer")]);
		expect(published).not.toContain(came.flatMap(deliveries)[0]);
		expect(new Set(deliveredIn(file)).size).toBe(2);
		expect(deliveredIn(file)).toHaveLength(2);
		expect(notified(other)).toContainEqual(expect.stringMatching(/^Another pi .* has ended: .*1 result/));
		await other.prompt("hello");
		expect(deliveredIn(file)).toHaveLength(2);
		await leave();
		expect(other.stderr).toBe("");
	});

	it("finds out by itself that the other has gone, names what was interrupted, and starts no turn", async () => {
		const { server, pi, rpc: other, leave } = await begin({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.prompt("schedule");
		await first.prompt("start");
		const id = agentIdIn(contentText(toolEnds(first.events, "Agent")[1]?.result)) ?? "no id";
		await server.anyRequest(isTask("task"));
		const file = await fileOf(first);
		await open(other, file);
		await other.prompt("hello");
		const asked = server.requests.length;
		expect(notified(other)).toContainEqual(expect.stringMatching(/^Another pi \(process \d+\) has this session open/));
		await kill(first);

		await other.untilHolds(
			() => notified(other).some((line) => line.includes("1 interrupted agent")),
			"what the other has left",
		);
		await other.untilHolds(() => notified(other).some((line) => line.includes("1 schedule is live")), "the schedules");
		expect(entriesOf(file, "subagent-notice").map(({ details }) => details)).toEqual([{ interrupted: [`${id}#1`] }]);
		expect(server.requests).toHaveLength(asked);
		const { data } = await other.request({ type: "get_state" });
		const lease = join(pi.agentDir, "orchestrator", (data as { sessionId: string }).sessionId, "lease.json");
		expect(JSON.parse(readFileSync(lease, "utf8"))).toMatchObject({ pid: other.pid });
		await leave();
		expect(existsSync(lease)).toBe(false);
		expect(other.stderr).toBe("");
	});
});
