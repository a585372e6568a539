import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { Subject } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { StopRequest } from "../../src/streams/outcome.ts";
import { type ChildFixture, useChildren, type WatchedRun } from "./child-fixture.ts";

/** What the agent's shell runs. Each says by `pids` which processes there are. */
const commands: Readonly<Record<string, string>> = {
	"with a process of its own in the background": "sleep 1000 & echo $$ $! >pids; wait",
	"that ignores SIGTERM, as its own processes do":
		"trap '' TERM HUP INT; sleep 1000 & echo $$ $! >pids; while :; do sleep 1; done",
	"in a shell within a shell": "sh -c 'sleep 1000 & echo $$ $! >pids; wait'; true",
};

/** How an agent ends before its command does. */
const ends: Readonly<Record<string, (run: WatchedRun, stop$: Subject<StopRequest>) => Promise<unknown>>> = {
	stopped: async (run, stop$) => {
		stop$.next({ status: "stopped", reason: "stopped_by_user" });
		await run.ended;
		expect(run.outcome).toMatchObject({ verdict: { reason: "stopped_by_user" }, text: "I begin." });
		expect(run.closed).toBe("verified");
	},
	"let go with its parent": async (run) => run.subscription.unsubscribe(),
};

/** Whether a process has ended. One that nobody has taken notice of yet has ended all the same. */
function isGone(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return true;
	}
	const stat = `/proc/${pid}/stat`;
	return existsSync(stat) && / Z /.test(readFileSync(stat, "utf8"));
}

/** The processes of the command, once it has named them. */
async function processesOf({ home }: ChildFixture): Promise<readonly number[]> {
	const file = join(home.cwd, "pids");
	const named = () => existsSync(file) && /^\d+ \d+\n$/.test(readFileSync(file, "utf8"));
	await vi.waitUntil(named, { timeout: 50_000, interval: 10 });
	const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
	onTestFinished(() => {
		for (const pid of pids) if (!isGone(pid)) process.kill(pid, "SIGKILL");
	});
	return pids;
}

const cells = Object.entries(ends).flatMap(([how, end]) =>
	Object.entries(commands).map(([what, command]) => ({ how, end, what, command })),
);

describe("an agent whose shell runs a command", () => {
	it.each(cells)("$what leaves no process of it when it is $how", async ({ end, command }) => {
		const children = await useChildren();
		const call = fauxToolCall("bash", { command });
		children.script(fauxAssistantMessage([fauxText("I begin."), call], { stopReason: "toolUse" }));
		const stop$ = new Subject<StopRequest>();
		const run = children.run({ inputs: { stop$ } });
		const pids = await processesOf(children);
		expect(pids.map(isGone)).toEqual([false, false]);
		await end(run, stop$);
		await vi.waitUntil(() => pids.every(isGone), { timeout: 50_000, interval: 10 });
		expect(children.calls).toBe(1);
	});
});
