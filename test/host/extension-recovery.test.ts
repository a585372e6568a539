import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import type { Pi } from "../support/pi.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, customMessages, type PiEntry, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { watchLedger } from "../support/watch-ledger.ts";
import {
	agentCall,
	agentIdIn,
	answering,
	delegate,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	read,
	startedIds,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const script = answering({
	start: launch("task"),
	three: launch("first", "second", "third"),
	delegate: delegate("task"),
	hello: text("hello"),
	read: read([0]),
	resume: (request) => toolCalls([agentCall("go on", { resume: startedIds(request)[0] })]),
});

/** The last `pi` to open what others have left. The others are started by the tests, and most of them killed. */
const begin = shareDelegation();

async function fileOf(rpc: PiRpc): Promise<string> {
	const { data } = await rpc.request({ type: "get_state" });
	return (data as { sessionFile: string }).sessionFile;
}
const reopen = (pi: Pi, file: string): PiRpc => pi.startRpc(["--session", file]);
const open = (rpc: PiRpc, sessionPath: string) => rpc.request({ type: "switch_session", sessionPath });
const firstId = (rpc: PiRpc): string => agentIdIn(contentText(toolEnds(rpc.events, "Agent")[0]?.result)) ?? "no id";
const noticesIn = (file: string): PiEntry[] =>
	readEntries(file).filter(({ customType }) => customType === "subagent-notice");
const notified = (rpc: PiRpc): unknown[] =>
	rpc.events.filter(({ method }) => method === "notify").map(({ message }) => message);

async function kill(rpc: PiRpc): Promise<void> {
	rpc.kill("SIGKILL");
	await rpc.exit;
}

describe("a session whose pi was killed, when it is opened again", () => {
	it("says once what was interrupted, starts no turn, and the agent goes on in its own conversation", async () => {
		const { server, pi } = await useDelegation({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.prompt("start");
		const id = firstId(first);
		await server.anyRequest(isTask("task"));
		const file = await fileOf(first);
		await kill(first);

		const second = reopen(pi, file);
		await second.request({ type: "get_state" });
		const [notice] = noticesIn(file);
		expect(contentText(notice)).toMatch(/^1 agent was interrupted/);
		expect(contentText(notice)).toContain(`- ${id} · error (interrupted) · about task`);
		const asked = server.requests.length;
		await kill(second);
		const third = reopen(pi, file);
		await third.prompt("hello");
		expect(noticesIn(file)).toHaveLength(1);
		// The person's message, which the model gets behind the notice, is all that was asked.
		expect(server.requests).toHaveLength(asked + 1);
		expect(newUserTexts(server.requests[asked] ?? { model: "", messages: [] }).at(-1)).toBe("hello");

		const settled = third.prompt("resume");
		const child = await server.anyRequest(
			(request) => request.model === "child" && newUserTexts(request).at(-1) === "go on",
		);
		expect(newUserTexts(child.request)).toEqual(["task", "go on"]);
		child.write("the end of it");
		child.finish();
		await settled;
		const result = toolEnds(third.events, "Agent")[0]?.result;
		expect(contentText(result)).toMatch(new RegExp(`^agent_id: ${id}\nstatus: completed\n.*\n\nthe end of it$`, "s"));
		expect(result?.details).toMatchObject({ agent_id: id, run: 2 });
		expect(await third.stop()).toEqual({ code: 0, signal: null });
		expect(third.stderr).toBe("");
	});

	it("brings a result that nobody had read beside the next message, once, long or short", async () => {
		const long = `${"long ".repeat(1_000)}end`;
		const { server, pi, rpc: third, leave } = await begin({ parent: leftToTest, child: text(long) });
		server.answer((request, exchange) => {
			if (request.model === "child") return text(long);
			return newUserTexts(request).length === 0 ? undefined : script(request, exchange);
		});
		const first = pi.startRpc();
		const ledger = await watchLedger(pi, first);
		onTestFinished(ledger.close);
		await first.request({ type: "prompt", message: "start" });
		await ledger.until((lines) => lines.some(({ type }) => type === "settled"), "the end of the run");
		const file = await fileOf(first);
		await kill(first);
		expect(statSync(join(ledger.folder, "ledger.jsonl")).mode & 0o777).toBe(0o600);
		expect(readFileSync(join(ledger.folder, "ledger.jsonl"), "utf8")).not.toContain("long long");

		server.answer((request, exchange) => (request.model === "child" ? text(long) : script(request, exchange)));
		const second = reopen(pi, file);
		const asked = server.requests.length;
		await second.prompt("hello");
		await kill(second);
		await open(third, file);
		await third.prompt("hello");
		const published = customMessages(
			readEntries(file).map((entry) => ({ type: "entry_appended", entry })),
			"subagent-result",
		);
		expect(published.map(deliveries)).toHaveLength(1);
		expect(published[0]?.text).toContain("long long");
		expect(server.requests).toHaveLength(asked + 2);
		await leave();
	});

	it("tells the end of an agent that never started, and begins it with its own task", async () => {
		const { server, pi, rpc: second } = await begin({ parent: script, child: leftToTest }, { maxConcurrent: 1 });
		const first = pi.startRpc();
		await first.prompt("three");
		await server.anyRequest(isTask("first"));
		const file = await fileOf(first);
		await kill(first);
		await open(second, file);
		await second.prompt("hello");
		const [notice] = noticesIn(file);
		expect(contentText(notice)).toMatch(/^3 agents were interrupted/);
		const last = agentIdIn(contentText(toolEnds(first.events, "Agent")[2]?.result));
		await second.request({ type: "prompt", message: `/agents resume ${last}` });
		const child = await server.anyRequest(
			(request) => request.model === "child" && JSON.stringify(request).includes("third"),
		);
		expect(newUserTexts(child.request)).toEqual(["third\n\nGo on where you left off."]);
		child.write("done after all");
		child.finish();
		const published = await untilPublished(second);
		expect(published.map(deliveries)).toEqual([[`${last}#2`]]);
	});

	it("does not go on with an agent whose conversation is gone or damaged, and says so", async () => {
		const { server, pi, rpc: second } = await begin({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.prompt("start");
		const id = firstId(first);
		await server.anyRequest(isTask("task"));
		const session = await fileOf(first);
		await kill(first);
		const folder = join(pi.agentDir, "orchestrator");
		const path = join(folder, pi.filesBelow(folder).find((file) => file.endsWith(`${id}.jsonl`)) ?? "");
		const whole = readFileSync(path, "utf8");
		await open(second, session);
		writeFileSync(path, whole.split("\n").slice(1).join("\n"));
		await second.prompt("resume");
		rmSync(path);
		await second.prompt("resume");
		const answers = toolEnds(second.events, "Agent");
		expect(answers.map(({ isError }) => isError)).toEqual([true, true]);
		expect(contentText(answers[0]?.result)).toMatch(/status: error \(startup_failure\).*is damaged/s);
		expect(contentText(answers[1]?.result)).toMatch(/status: error \(startup_failure\).*cannot be opened/s);
		expect(server.requestsOf("child")).toHaveLength(1);
	});

	it("names an agent whose call was waiting for it, and answers in print mode all the same", async () => {
		const { server, pi } = await useDelegation({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.request({ type: "prompt", message: "delegate" });
		const child = await server.anyRequest(isTask("task"));
		child.write("some");
		const file = await fileOf(first);
		await kill(first);
		const print = await pi.runPrint(["--session", file, "hello"]);
		expect(print).toMatchObject({ code: 0, stdout: "hello\n", stderr: "" });
		expect(contentText(noticesIn(file)[0])).toContain("about task");
	});
});

describe("other ends and beginnings of a session", () => {
	it("an end in good order with work under way loses nothing, and says so once when the session is opened again", async () => {
		const { server, pi, rpc: second, leave } = await begin({ parent: script, child: leftToTest });
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const id = firstId(rpc);
		const child = await server.anyRequest(isTask("task"));
		child.write("half of it");
		const file = await fileOf(rpc);
		await rpc.stop();
		expect(await child.ended).toBe("closed by client");
		await open(second, file);
		await second.prompt("hello");
		const notices = noticesIn(file);
		expect(notices.map(({ details }) => details)).toEqual([{ interrupted: [`${id}#1`] }]);
		expect(contentText(notices[0])).toContain(`${id} · stopped (parent_shutdown)`);
		await second.prompt("read");
		expect(contentText(toolEnds(second.events, "get_subagent_result")[0]?.result)).toContain(`agent_id: ${id}`);
		expect(notes(second.events)).toEqual([]);
		await leave();
	});

	it("a fork adopts nothing of its source", async () => {
		const { server, pi } = await useDelegation({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.prompt("start");
		await server.anyRequest(isTask("task"));
		const file = await fileOf(first);
		await kill(first);
		const fork = pi.startRpc(["--fork", file]);
		await fork.prompt("hello");
		await fork.prompt("read");
		expect(contentText(toolEnds(fork.events, "get_subagent_result")[0]?.result)).toContain("there is no agent");
		await fork.stop();
		const other = pi.sessionFiles().find((file) => noticesIn(file).length > 0);
		expect(other).toBeUndefined();
	});

	it("of two that have a session open one takes over what was left, and the other says why it does not", async () => {
		const { server, pi, rpc: other, leave } = await begin({ parent: script, child: leftToTest });
		const first = pi.startRpc();
		await first.prompt("start");
		await server.anyRequest(isTask("task"));
		const file = await fileOf(first);
		await kill(first);
		const holder = reopen(pi, file);
		await holder.prompt("hello");
		await open(other, file);
		await other.prompt("hello");
		expect(noticesIn(file)).toHaveLength(1);
		const pattern = new RegExp(`^Another pi \\(process ${holder.pid}\\) has this session open`);
		expect(notified(other)).toEqual([expect.stringMatching(pattern)]);
		expect(notified(holder)).toEqual([]);
		// Agents that it starts itself are its own, and those of the holder are left to that.
		const ours = holder.events.length;
		await holder.prompt("start");
		const own = agentIdIn(contentText(toolEnds(holder.events.slice(ours), "Agent")[0]?.result)) ?? "no id";
		await holder.stop();
		// What the holder has left is taken over by the one that stays, and not again when that opens the session anew.
		await other.prompt("hello");
		const told = [expect.anything(), { interrupted: [`${own}#1`] }];
		expect(noticesIn(file).map(({ details }) => details)).toEqual(told);
		expect(notified(other)).toHaveLength(2);
		await open(other, file);
		await other.prompt("hello");
		expect(noticesIn(file).map(({ details }) => details)).toEqual(told);
		await leave();
		expect(other.stderr + holder.stderr).toBe("");
	});

	it("a session that starts no agents leaves no files", async () => {
		const { pi } = await useDelegation({ parent: script, child: leftToTest });
		const rpc = pi.startRpc();
		await rpc.prompt("hello");
		await rpc.stop();
		expect(readdirSync(pi.agentDir)).not.toContain("orchestrator");
	});

	it("without a session on the disk nothing is written down", async () => {
		const { pi } = await useDelegation({ parent: script, child: text("the answer") }, { session: false });
		const rpc = pi.startRpc();
		await rpc.prompt("delegate");
		expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toMatch(/the answer$/);
		await rpc.stop();
		expect(pi.filesBelow(join(pi.agentDir, "orchestrator"))).toEqual([]);
		expect(rpc.stderr).toBe("");
	});
});
