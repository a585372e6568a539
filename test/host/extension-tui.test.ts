import { describe, expect, it } from "vitest";
import { hang, text } from "../support/chat-reply.ts";
import { tmuxAvailable } from "../support/tmux.ts";
import { useTmux } from "../support/use-tmux.ts";
import { answering, delegate, isTask, launch, useDelegation } from "./extension-fixture.ts";

describe.runIf(tmuxAvailable())("the terminal (seed 000 §17 Rendering)", () => {
	it("draws a foreground agent, which Escape stops, lists it, and draws background agents in the footer, and a result that comes by itself in one line", async () => {
		const { server, pi } = await useDelegation(
			{
				parent: answering({ delegate: delegate("the work"), start: launch("other work", "more work") }),
				child: hang("half an answer"),
			},
			{ session: false, orchestrator: { maxConcurrent: 1, stopGrace: 3_600 } },
		);
		const terminal = await useTmux(pi);
		await terminal.untilScreen((screen) => screen.includes("parent"));
		await terminal.enter("delegate");
		const child = await server.anyRequest(isTask("the work"));
		await terminal.untilScreen((screen) => /Agent about the work/.test(screen) && /running · .*tokens/.test(screen));
		await terminal.untilScreen((screen) => screen.includes("agents: 1 running"));
		await terminal.press("Escape");
		expect(await child.ended).toBe("closed by client");
		await terminal.untilScreen((screen) => /stopped \(stopped_by_parent\) · /.test(screen));
		await terminal.untilScreen((screen) => !screen.includes("agents: 1"));

		await terminal.enter("/agents list");
		await terminal.untilScreen((screen) =>
			/^ *\w+ +stopped \(stopped_by_parent\) +general-purpose .* about the work *$/m.test(screen),
		);
		expect(server.requestsOf("parent")).toHaveLength(1);

		await terminal.enter("start");
		await terminal.untilScreen((screen) => screen.includes("agents: 1 running · 1 queued"));
		await terminal.untilScreen((screen) => screen.includes("noted"));
		const first = await server.anyRequest(isTask("other work"));
		server.answer((request, exchange) =>
			request.model === "child" ? text("the second answer") : answering({})(request, exchange),
		);
		first.finish();
		await terminal.untilScreen((screen) => /agent ✓ completed · about other work · \w+/.test(screen));
		await terminal.untilScreen((screen) => /agent ✓ completed · about more work · \w+/.test(screen));
		await terminal.untilScreen((screen) => !/agents: \d/.test(screen));
		expect(await terminal.screen()).not.toContain("the second answer");
		await terminal.enter("/quit");
		await terminal.untilScreen((screen) => screen.includes("pi ended: 0"));
	});
});
