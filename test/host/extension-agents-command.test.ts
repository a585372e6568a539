import { describe, expect, it } from "vitest";
import { hang, text } from "../support/chat-reply.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import {
	agentIdIn,
	answering,
	delegate,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

/** Gives a command and resolves with what the person is shown for it. */
async function command(rpc: PiRpc, message: string): Promise<{ text: string; type: unknown }> {
	const shown = rpc.untilNext((record) => record.method === "notify", `an answer to ${message}`);
	await rpc.request({ type: "prompt", message });
	const { message: said, notifyType } = (await shown) as { message?: unknown; notifyType?: unknown };
	return { text: String(said), type: notifyType };
}

const ids = (rpc: PiRpc): string[] =>
	toolEnds(rpc.events, "Agent").map((end) => agentIdIn(contentText(end.result)) ?? "no id");

describe("/agents", () => {
	const begin = shareDelegation({ orchestrator: { maxConcurrent: 1, stopGrace: 3_600 } });

	it("lists, shows, steers and stops, and asks no model", async () => {
		const { server, rpc } = await begin({
			parent: answering({ start: launch("first", "second", "third"), next: text("well") }),
			child: leftToTest,
		});
		expect((await command(rpc, "/agents")).text).toContain("No agents");
		await rpc.prompt("start");
		const [first = "", second = "", third = ""] = ids(rpc);
		const child = await server.anyRequest(isTask("first"));
		child.write("so far");

		const list = (await command(rpc, "/agents list")).text;
		expect(
			list
				.split("\n")
				.slice(1)
				.map((line) => line.split(/ {2,}/).slice(0, 2)),
		).toEqual([
			[first, "running"],
			[second, "queued"],
			[third, "queued"],
		]);
		expect((await command(rpc, `/agents show ${first}`)).text).toMatch(/^status +running$/m);
		expect(await command(rpc, `/agents steer ${first} look left`)).toMatchObject({ type: "info" });
		expect(await command(rpc, `/agents steer ${second} look left`)).toMatchObject({ type: "warning" });
		expect(await command(rpc, "/agents stop nobody")).toMatchObject({ type: "warning" });

		const one = await command(rpc, `/agents stop ${second}`);
		expect(one).toEqual({ type: "info", text: `Stopped ${second}: it had not started.` });
		expect(child.state).toBe("open");
		const rest = await command(rpc, "/agents stop --all");
		const [scope, ...reports] = rest.text.split("\n");
		expect(scope).toBe("All agents of this session: 2 agents.");
		expect(reports.sort()).toEqual(
			[`Stopped ${first}: its session has come to rest.`, `Stopped ${third}: it had not started.`].sort(),
		);
		expect(await child.ended).toBe("closed by client");
		expect((await command(rpc, "/agents stop --all")).text).toBe("There is nothing to stop.");
		// What a person has stopped is no news to them: it starts no turn, and goes beside their next message.
		const asked = server.requestsOf("parent").length;
		await rpc.prompt("next");
		await untilPublished(rpc, 3);
		expect(server.requestsOf("parent")).toHaveLength(asked + 1);
		// A queued agent that was stopped is never started.
		expect(server.requestsOf("child").map((request) => newUserTexts(request)[0])).toEqual(["first"]);
		const told = notes(rpc.events)
			.map((note) => note.text)
			.join("\n");
		expect(told.match(/^status: stopped \(stopped_by_user\)$/gm)).toHaveLength(3);
		expect(told).toContain("look left");
	});

	it("stops background agents alone when it is told so, and a foreground agent with its call's result as an error", async () => {
		const { server, rpc } = await begin({
			parent: answering({ start: launch("behind"), delegate: delegate("before") }),
			child: hang("half an answer"),
		});
		await rpc.prompt("start");
		await rpc.request({ type: "prompt", message: "delegate" });
		const [behind, before] = [await server.anyRequest(isTask("behind")), await server.anyRequest(isTask("before"))];
		await rpc.until((record) => contentText(record.partialResult).includes("half an answer"));
		expect((await command(rpc, "/agents stop --background")).text).toMatch(
			/^All agents in the background: 1 agent\. Those in the foreground go on\.\nStopped \S+: its session has come to rest\.$/,
		);
		expect([await behind.ended, before.state]).toEqual(["closed by client", "open"]);
		await command(rpc, "/agents stop --all");
		expect(await before.ended).toBe("closed by client");
		await untilPublished(rpc);
		const end = toolEnds(rpc.events, "Agent")[1];
		expect(end?.isError).toBe(true);
		expect(contentText(end?.result)).toMatch(/^status: stopped \(stopped_by_user\)\n.*half an answer/ms);
	});

	it("writes its answer to the error stream where nobody sees a notice", async () => {
		const { pi } = await useDelegation({ parent: text("done"), child: leftToTest }, { session: false });
		const run = await pi.runPrint(["/agents list"]);
		expect(run).toMatchObject({ code: 0, stderr: "No agents in this session.\n" });
	});
});
