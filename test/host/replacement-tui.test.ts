import { describe, expect, it } from "vitest";
import { hang } from "../support/chat-reply.ts";
import { tmuxAvailable } from "../support/tmux.ts";
import { useTmux } from "../support/use-tmux.ts";
import { answering, isTask, launch, useDelegation } from "./extension-fixture.ts";
import { namedRuns } from "./replacement/replacement-world.ts";

describe.runIf(tmuxAvailable())("a session that a person leaves at the terminal (seed 000 §17 Lifecycle)", () => {
	it("by /reload, /fork, /new and /quit shows no error, leaves nothing at work, and has its agents afterwards", async () => {
		const { server, pi } = await useDelegation(
			{ parent: answering({ one: launch("one"), two: launch("two"), three: launch("three") }), child: hang("so far") },
			{ orchestrator: { maxConcurrent: 1, stopGrace: 3_600 } },
		);
		const terminal = await useTmux(pi);
		const seen = (pattern: RegExp) => terminal.untilScreen((screen) => pattern.test(screen), String(pattern));
		/** Resolves when the parent has answered, for so many times on the screen, and the agent is at work. */
		const start = async (task: string, answers: number) => {
			await terminal.enter(task);
			const child = await server.anyRequest(isTask(task));
			await terminal.untilScreen(
				(screen) => screen.split("noted").length - 1 === answers && screen.includes("agents: 1 running"),
				`the parent's answer to ${task}`,
			);
			return child;
		};
		await seen(/parent/);

		const one = await start("one", 1);
		await terminal.enter("/reload");
		expect(await one.ended).toBe("closed by client");
		await seen(/1 agent was interrupted/);
		await seen(/Reloaded keybindings/);

		const two = await start("two", 2);
		await terminal.enter("/fork");
		await seen(/Fork from Message/);
		await terminal.press("Enter");
		expect(await two.ended).toBe("closed by client");
		// The host puts the message into the editor, to be changed and sent again.
		await seen(/Forked to new session/);
		await terminal.press("C-c");
		await terminal.enter("/agents list");
		await seen(/No agents in this session/);

		const three = await start("three", 2);
		await terminal.enter("/new");
		expect(await three.ended).toBe("closed by client");
		await terminal.untilScreen((screen) => !/agents: \d/.test(screen));
		await terminal.enter("/quit");
		await seen(/pi ended: 0/);
		expect(await terminal.history()).not.toMatch(/stale|Error:|Extension error/);
		expect(server.openNow()).toBe(0);

		const [source = ""] = pi.sessionFiles();
		const again = pi.startRpc(["--session", source]);
		await again.request({ type: "get_state" });
		// One is said by the reload, the other now.
		expect(namedRuns(source, "subagent-notice")).toHaveLength(2);
		await again.stop();
	});
});
