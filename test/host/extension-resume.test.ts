import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failure, type ReplyToolCall, text, toolCalls } from "../support/chat-reply.ts";
import { userTexts } from "../support/chat-request.ts";
import type { ChatHandler, OpenAiServer } from "../support/openai-server.ts";
import { contentText, type PiRecord, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import {
	agentCall,
	agentIdIn,
	deliveries,
	isTask,
	newUserTexts,
	notes,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

/** It makes the calls that stand in the prompt, and has "ok" for all the rest. */
const obedient: ChatHandler = (request) => {
	const order = newUserTexts(request).findLast((message) => message.startsWith("["));
	return order === undefined ? text("ok") : toolCalls(JSON.parse(order) as ReplyToolCall[]);
};

const order = (...calls: ReplyToolCall[]): string => JSON.stringify(calls);
const resume = (id: string, more: Readonly<Record<string, unknown>> = {}): ReplyToolCall => ({
	name: "Agent",
	args: { prompt: "go on", description: "more of it", resume: id, ...more },
});
const read = (id: string, more: Readonly<Record<string, unknown>> = {}): ReplyToolCall => ({
	name: "get_subagent_result",
	args: { agent_id: id, ...more },
});
const background = { run_in_background: true };

/** What the calls of a prompt gave back, in order, once the session has settled. */
async function make(rpc: PiRpc, ...calls: ReplyToolCall[]): Promise<PiRecord[]> {
	return toolEnds(await rpc.prompt(order(...calls)));
}
const texts = (ends: readonly PiRecord[]): string[] => ends.map(({ result }) => contentText(result));
const idOf = (ends: readonly PiRecord[], place = 0): string => agentIdIn(texts(ends)[place] ?? "") ?? "no id";
const correlation = (end: PiRecord | undefined): unknown =>
	(end?.result?.details as { correlation_id?: unknown } | undefined)?.correlation_id;

/** The request of an agent that has been told this last, among those still to come. */
const told = (server: OpenAiServer, message: string) =>
	server.nextRequest((request) => request.model !== "parent" && newUserTexts(request).at(-1) === message);

describe("an agent that has ended", () => {
	const begin = shareDelegation();

	it("goes on in its conversation, however it ended: completed, failed or stopped (seed 000 §17 Lifecycle: resumed)", async () => {
		const { server, rpc, leave } = await begin({
			parent: obedient,
			child: (request) => {
				const task = newUserTexts(request).at(-1);
				if (task === "hangs") return undefined;
				return task === "fails" ? failure(400, "no such luck") : text(`answer to ${task}`);
			},
		});
		const ended = await make(rpc, agentCall("done"), agentCall("fails"), agentCall("hangs", background));
		expect(texts(ended).map((one) => /^status: (.*)$/m.exec(one)?.[1])).toEqual([
			"completed",
			"error (provider_error)",
			"running",
		]);
		const ids = ended.map((_end, place) => idOf(ended, place));
		await server.anyRequest(isTask("hangs"));
		await rpc.request({ type: "prompt", message: `/agents stop ${ids[2]}` });
		const again = await make(rpc, ...ids.map((id) => resume(id)));
		for (const [place, task] of ["done", "fails", "hangs"].entries()) {
			expect(texts(again)[place]).toMatch(
				new RegExp(`^agent_id: ${ids[place]}\nstatus: completed\n.*\n\nanswer to go on$`, "s"),
			);
			expect(again[place]?.result?.details).toMatchObject({ agent_id: ids[place], run: 2 });
			expect(correlation(again[place])).toBe(correlation(ended[place]));
			const asked = server.requests.filter((request) => newUserTexts(request).at(-1) === "go on")[place];
			expect(JSON.stringify(asked)).toContain(task);
		}
		await leave();
		expect(rpc.stderr).toBe("");
	});

	it("stands in line where no slot is free, goes on once when it is told to twice, and is waited for as it is now", async () => {
		const { server, rpc, leave } = await begin(
			{ parent: obedient, child: (request) => (isTask("first")(request) ? text("the first answer") : undefined) },
			{ maxConcurrent: 1 },
		);
		const id = idOf(await make(rpc, agentCall("first")));
		const blocked = await make(rpc, agentCall("blocks", background), resume(id, background), resume(id, background));
		expect(texts(blocked)[1]).toMatch(new RegExp(`^agent_id: ${id}\nstatus: queued`));
		expect(blocked[2]?.isError).toBe(true);
		expect(texts(blocked)[2]).toContain("steer_subagent");
		const waiting = rpc.prompt(order(read(id, { wait: true })));
		await rpc.untilNext(({ type }) => type === "tool_execution_start");
		const goesOn = told(server, "go on");
		(await server.anyRequest(isTask("blocks"))).finish();
		const child = await goesOn;
		expect(newUserTexts(child.request)).toEqual(["go on"]);
		child.write("the second answer");
		child.finish();
		const [waited] = toolEnds(await waiting);
		expect(contentText(waited?.result)).toMatch(/\n\nthe second answer$/);
		expect(waited?.result?.details).toMatchObject({ agent_id: id, run: 2 });
		expect(notes(rpc.events).flatMap(deliveries)).not.toContain(`${id}#2`);
		await leave();
		expect(rpc.stderr).toBe("");
	});

	it("is known after a restart, with what it said and whether that was read, and goes on as the call says", async () => {
		const { server, pi } = await useDelegation(
			{ parent: obedient, child: (request) => text(`answer to ${newUserTexts(request).at(-1)}`) },
			{ models: [{ id: "parent" }, { id: "child", reasoning: true }, { id: "other", reasoning: true }] },
		);
		const first = pi.startRpc();
		const id = idOf(await make(first, agentCall("alone")));
		const group = await make(first, {
			name: "Agent",
			args: {
				...(agentCall("brief").args as object),
				members: [
					{ name: "one", prompt: "part one" },
					{ name: "two", prompt: "part two", after: ["one"] },
				],
			},
		});
		const groupId = /group_id: (\S+)/.exec(texts(group)[0] ?? "")?.[1] ?? "no group";
		const members = [...(texts(group)[0] ?? "").matchAll(/^agent_id: (\S+)$/gm)].map((match) => match[1] ?? "");
		expect(members).toHaveLength(2);
		await first.stop();

		const second = pi.startRpc(["--session", pi.sessionFiles()[0] ?? ""]);
		await second.request({ type: "prompt", message: "/agents list" });
		const listed = second.events.findLast(({ method }) => method === "notify")?.message;
		for (const one of [id, ...members]) expect(listed).toMatch(new RegExp(`^${one} +completed .* 1 `, "m"));
		// Readings run side by side, and one that fails is the first to be over.
		const [alone] = texts(await make(second, read(id)));
		const [member] = texts(await make(second, read(members[1] ?? "")));
		const [whole] = texts(await make(second, read(groupId)));
		expect(alone).toMatch(/^status: completed$.*\n\nanswer to alone$/ms);
		expect(member).toMatch(/^status: completed$.*\n\nanswer to .*part two/ms);
		expect(whole).toMatch(new RegExp(`^group_id: ${groupId}\ncrew: 2 members, 2 completed\n`));
		expect(whole).toMatch(/\nmember: one\n.*\nanswer to .*part one.*\nmember: two\n.*\nanswer to .*part two/s);

		const again = await make(
			second,
			resume(id, { model: "local/other", thinking: "high", max_turns: 1, ...background }),
			resume(groupId),
		);
		expect(texts(again)[0]).toContain("status: running");
		expect(texts(again)[0]).toContain("set by: model (call), thinking high (call), max_turns 1 (call)");
		expect(again[1]?.isError).toBe(true);
		await untilPublished(second);
		const [asked] = server.requestsOf("other");
		expect(asked).toMatchObject({ reasoning_effort: "high" });
		expect(asked && userTexts(asked)).toEqual(["alone", "go on"]);

		const [kept] = texts(await make(second, resume(members[1] ?? "", background)));
		expect(kept).toContain("set by: model (kept), thinking off (kept)");
		await untilPublished(second, 2);
		expect(server.requestsOf("child").map(userTexts).at(-1)).toEqual([expect.stringContaining("part two"), "go on"]);
		expect(notes(second.events).flatMap(deliveries).sort()).toEqual([`${id}#2`, `${members[1]}#2`].sort());
		await second.stop();
		expect(second.stderr).toBe("");
	});

	it("does not go on with the conversation of another", async () => {
		const { server, pi, rpc } = await begin({ parent: obedient, child: text("an answer") });
		const ended = await make(rpc, agentCall("mine"), agentCall("yours"));
		const folder = join(pi.agentDir, "orchestrator");
		const path = (id: string) => join(folder, pi.filesBelow(folder).find((file) => file.endsWith(`${id}.jsonl`)) ?? "");
		copyFileSync(path(idOf(ended, 1)), path(idOf(ended, 0)));
		const asked = server.requestsOf("child").length;
		const [refused] = await make(rpc, resume(idOf(ended)));
		expect(refused?.isError).toBe(true);
		expect(contentText(refused?.result)).toMatch(
			/status: error \(startup_failure\).*does not begin as one of this agent/s,
		);
		expect(server.requestsOf("child")).toHaveLength(asked);
	});
});
