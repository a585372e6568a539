import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hang, text } from "../support/chat-reply.ts";
import { type ChatRequest, toolNames, userTexts } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import {
	agentIdIn,
	answering,
	delegate,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	promptUntilCall,
	untilLive,
	untilPublished,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const settings = { compaction: { enabled: true, reserveTokens: 16_000, keepRecentTokens: 1 } };
const long = "a long answer ".repeat(400);

/** A request that is the host's own, for a summary of the conversation. */
const isSummary = (request: ChatRequest) => toolNames(request).length === 0;

/** A parent that follows the script, sums up what it is asked to sum up, and takes note of results. */
function summing(script: Parameters<typeof answering>[0]): ChatHandler {
	return (request, exchange) => {
		if (isSummary(request)) return text("this is the summary");
		const isNews = newUserTexts(request).at(-1)?.startsWith("agent_id: ") ?? false;
		return isNews ? text("received") : answering(script)(request, exchange);
	};
}

const rosters = (request: ChatRequest | undefined) =>
	(request ? userTexts(request) : []).filter((message) => message.includes("When this conversation was compacted"));

describe("a compaction of the parent's conversation", () => {
	const begin = shareDelegation({ settings });

	it("leaves live agents known: one short list behind the summary, in each request from then on, and in no file", async () => {
		const parent = summing({
			talk: text(long),
			start: launch("first", "second"),
			"go on": text("ok"),
			"and on": text("ok"),
		});
		const { server, pi, rpc, leave } = await begin({ parent, child: leftToTest });
		await rpc.prompt("talk");
		await rpc.prompt("start");
		const ids = toolEnds(rpc.events, "Agent").map((end) => agentIdIn(contentText(end.result)));
		await server.anyRequest(isTask("second"));
		await rpc.request({ type: "compact" });
		for (const prompt of ["go on", "and on"]) {
			await rpc.prompt(prompt);
			const last = server.requestsOf("parent").at(-1);
			expect(last && userTexts(last).at(-1)).toBe(prompt);
			const [roster, ...more] = rosters(last);
			expect(more).toEqual([]);
			expect(roster?.split("\n").slice(1)).toEqual([
				`- ${ids[0]} (general-purpose, running): about first`,
				`- ${ids[1]} (general-purpose, running): about second`,
			]);
			const texts = last ? userTexts(last) : [];
			expect(texts.findIndex((message) => message.includes("this is the summary"))).toBe(
				texts.indexOf(roster ?? "") - 1,
			);
		}
		await leave();
		const file = readFileSync(pi.sessionFiles().at(-1) ?? "", "utf8");
		expect(file).toContain("this is the summary");
		expect(file).not.toContain("When this conversation was compacted");
	});

	it("says nothing of agents when none is live", async () => {
		const parent = summing({ talk: text(long), delegate: delegate("task"), "go on": text("ok") });
		const { server, rpc } = await begin({ parent, child: text("the answer") });
		await rpc.prompt("talk");
		await rpc.prompt("delegate");
		await rpc.request({ type: "compact" });
		await rpc.prompt("go on");
		expect(rosters(server.requestsOf("parent").at(-1))).toEqual([]);
	});

	it("that aborts the parent's run stops the foreground agent alone, and mutes nothing (seed 000 §8)", async () => {
		const parent = summing({ talk: text(long), start: launch("background"), delegate: delegate("foreground") });
		const { server, rpc } = await begin(
			{ parent, child: (request) => (isTask("foreground")(request) ? hang("half an answer") : undefined) },
			{ stopGrace: 3_600 },
		);
		await rpc.prompt("talk");
		await rpc.prompt("start");
		const background = await server.anyRequest(isTask("background"));
		await untilLive(rpc);
		await promptUntilCall(rpc, "delegate", "Agent");
		const foreground = await server.anyRequest(isTask("foreground"));
		const update = await rpc.until((record) => contentText(record.partialResult).includes("half an answer"));
		await rpc.request({ type: "compact" });
		expect(await foreground.ended).toBe("closed by client");
		expect(background.state).toBe("open");
		const shown = rpc.untilNext(
			(record) => record.method === "notify" && String(record.message).includes("half an answer"),
		);
		await rpc.request({ type: "prompt", message: `/agents show ${agentIdIn(contentText(update.partialResult))}` });
		await shown;
		// The person has said nothing since: the result starts a turn of its own.
		background.play(text("the background's answer"));
		const [note] = await untilPublished(rpc);
		expect(note?.text).toContain("the background's answer");
		const last = server.requestsOf("parent").at(-1);
		expect(JSON.stringify(last?.messages)).toContain("the background's answer");
	});
});
