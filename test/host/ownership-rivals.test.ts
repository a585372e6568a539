import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hostFeatures } from "../../src/host/host-features.ts";
import { failure, text } from "../support/chat-reply.ts";
import { rivalBehaviours } from "../support/fixtures/rivals.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { readEntries } from "../support/pi-home.ts";
import { contentText, type PiEntry } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { isTask, launch, newUserTexts, notes, untilLive, untilNoneLive, useDelegation } from "./extension-fixture.ts";

const rivals = fileURLToPath(new URL("../support/fixtures/rivals.ts", import.meta.url));

/** It starts an agent for each "start <task>", lets the test answer what comes of that, and has "ok" for all the rest. */
const parent: ChatHandler = (request) => {
	const news = newUserTexts(request);
	if (news.length === 0) return undefined;
	const task = news.map((message) => /^start (.*)$/.exec(message)?.[1]).find((found) => found !== undefined);
	return task === undefined ? text("ok") : launch(task);
};

/** How often each answer stands in a result message of the session's file. */
function published(entries: readonly PiEntry[], answers: readonly string[]): Record<string, number> {
	const texts = entries
		.filter(({ type, customType }) => type === "custom_message" && customType === "subagent-result")
		.map(contentText);
	return Object.fromEntries(answers.map((answer) => [answer, texts.filter((one) => one.includes(answer)).length]));
}

/** How many entries the rival has seen at each boundary. */
function seenByRival(rpc: PiRpc): string[] {
	return rpc.events.flatMap(({ method, message }) => {
		const seen = method === "notify" ? /^the rival saw (\d+)$/.exec(String(message))?.[1] : undefined;
		return seen === undefined ? [] : [seen];
	});
}

describe("a rival extension at the boundary (seed 000 invariants 18 and 20)", () => {
	it.each([
		{ order: "after", extensions: [ownExtension(), rivals] },
		{ order: "before", extensions: [rivals, ownExtension()] },
	])("that is asked $order ours loses and doubles no result, whatever it returns", async ({ order, extensions }) => {
		const { server, pi } = await useDelegation({ parent, child: () => undefined }, { extensions });
		const rpc = pi.startRpc();
		const firstSeen: Record<string, string | undefined> = {};
		for (const behaviour of rivalBehaviours) {
			await rpc.request({ type: "prompt", message: `/rival ${behaviour}` });
			const seenBefore = seenByRival(rpc).length;
			await rpc.request({ type: "prompt", message: `start ${behaviour}` });
			const child = await server.anyRequest(isTask(behaviour));
			const busy = await server.until(() =>
				server.exchanges.find(({ request, state }) => request.model === "parent" && state === "open"),
			);
			await untilLive(rpc);
			child.play(text(`answer to ${behaviour}.`));
			await untilNoneLive(rpc);
			busy.play(text("done for now"));
			await rpc.untilHolds(
				() => notes(rpc.events).some((note) => note.text.includes(`answer to ${behaviour}.`)),
				`the result under a rival that returns ${behaviour}`,
			);
			await rpc.untilHolds(() => rpc.events.at(-1)?.type === "agent_settled", "the session to settle");
			firstSeen[behaviour] = seenByRival(rpc)[seenBefore];
			await rpc.prompt("and now");
		}
		await rpc.prompt("last");
		await rpc.stop();

		const answers = rivalBehaviours.map((behaviour) => `answer to ${behaviour}.`);
		const once = Object.fromEntries(answers.map((answer) => [answer, 1]));
		expect(published(readEntries(pi.sessionFiles()[0] ?? ""), answers)).toEqual(once);
		// Each had our entry in its hands at the first boundary, where it comes after us on a host with boundaries.
		if (hostFeatures().boundary) {
			const seen = order === "after" ? "1" : "0";
			expect(firstSeen).toEqual(Object.fromEntries(rivalBehaviours.map((behaviour) => [behaviour, seen])));
		}
		// The parent's model has read all of them.
		const read = server.requestsOf("parent").at(-1);
		expect(answers.filter((answer) => !JSON.stringify(read?.messages).includes(answer))).toEqual([]);
	});
});

describe("a parent whose provider fails", () => {
	it("is not woken by results that arrive one after another: they come with the person's next message (seed 000 invariant 18)", async () => {
		const tasks = ["first", "second", "third"];
		const { server, pi } = await useDelegation({
			parent: (request) => {
				const news = newUserTexts(request);
				if (news.includes("start")) return launch(...tasks);
				return news.length === 0 ? text("noted") : failure(500, "out of order");
			},
			child: () => undefined,
		});
		const rpc = pi.startRpc();
		await rpc.prompt("start");
		const children = await Promise.all(tasks.map((task) => server.anyRequest(isTask(task))));
		await untilLive(rpc);
		// The first wakes an idle parent, whose provider fails on it: that was the last turn of its own.
		const failed = rpc.untilNext((record) => record.type === "agent_settled");
		children[0]?.play(text("answer 1"));
		await failed;
		const asked = server.requestsOf("parent").length;
		children[1]?.play(text("answer 2"));
		children[2]?.play(text("answer 3"));
		await untilNoneLive(rpc);
		await rpc.request({ type: "get_state" });
		expect(server.requestsOf("parent")).toHaveLength(asked);
		server.answer(() => text("ok"));
		await rpc.prompt("go on");
		await rpc.stop();
		expect(server.requestsOf("parent")).toHaveLength(asked + 1);
		const answers = ["answer 1", "answer 2", "answer 3"];
		expect(published(readEntries(pi.sessionFiles()[0] ?? ""), answers)).toEqual({
			"answer 1": 1,
			"answer 2": 1,
			"answer 3": 1,
		});
	});
});
