import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { Subject } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hostFeatures } from "../../src/host/host-features.ts";
import type { StopRequest } from "../../src/streams/outcome.ts";
import { type ChildFixture, hangingStep, useChildren, type WatchedRun } from "./child-fixture.ts";

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

/** An agent whose command has ended and left a process, while the model is asked what comes next. */
async function useLeft(command: string) {
	const children = await useChildren();
	let asked: () => void = () => undefined;
	const thinking = new Promise<void>((resolve) => {
		asked = resolve;
	});
	const call = fauxToolCall("bash", { command });
	children.script(
		fauxAssistantMessage([fauxText("I begin."), call], { stopReason: "toolUse" }),
		hangingStep(asked, fauxAssistantMessage("never")),
	);
	const stop$ = new Subject<StopRequest>();
	const run = children.run({ inputs: { stop$ } });
	const pids = await processesOf(children);
	await thinking;
	return { run, stop$, pid: pids[1] ?? 0 };
}

const leaving = "sleep 1000 >/dev/null 2>&1 & echo $$ $! >pids";
const canTell = process.platform === "linux" && hostFeatures().shellKnowsSession;

describe("an agent whose finished command has left a process in the background", () => {
	// Not skipped where it does not hold: a host is one or the other.
	if (canTell) {
		it.each(Object.entries(ends))("takes it with it when it is %s", async (_how, end) => {
			const { run, stop$, pid } = await useLeft(leaving);
			expect(isGone(pid)).toBe(false);
			await end(run, stop$);
			await vi.waitUntil(() => isGone(pid), { timeout: 50_000, interval: 10 });
		});

		it("takes it with it also out of a process group of its own", async () => {
			const { run, stop$, pid } = await useLeft(
				"setsid sh -c 'echo $$ $$ >pids; exec sleep 1000' >/dev/null 2>&1 </dev/null & true",
			);
			stop$.next({ status: "stopped", reason: "stopped_by_user" });
			await run.until("settled");
			expect(isGone(pid)).toBe(true);
		});

		it("says that it has ended one, before it has come to rest", async () => {
			const { run, stop$, pid } = await useLeft(leaving);
			stop$.next({ status: "stopped", reason: "stopped_by_user" });
			await run.until("settled");
			expect(isGone(pid)).toBe(true);
			await run.ended;
			expect(run.outcome.notes).toEqual([
				"A process that its shell commands had left in the background was ended with it.",
			]);
		});
	} else {
		it("says that it cannot tell, where it cannot", async () => {
			const { run, stop$ } = await useLeft(leaving);
			stop$.next({ status: "stopped", reason: "stopped_by_user" });
			await run.ended;
			expect(run.outcome.notes).toEqual([
				"Whether its shell commands have left processes in the background cannot be told here.",
			]);
		});
	}

	it("leaves it running when it ends by itself", async () => {
		const children = await useChildren();
		const call = fauxToolCall("bash", { command: leaving });
		children.script(fauxAssistantMessage([call], { stopReason: "toolUse" }), fauxAssistantMessage("The server is up."));
		const run = children.run();
		const [, pid = 0] = await processesOf(children);
		await run.ended;
		expect(isGone(pid)).toBe(false);
		expect(run.outcome.notes).toBeUndefined();
	});
});

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
