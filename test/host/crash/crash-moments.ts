import type { ChatExchange } from "../../support/chat-exchange.ts";
import type { PiRecord } from "../../support/pi-record.ts";
import { notes } from "../extension-fixture.ts";
import { answerTo, type CrashWorld, turns } from "./crash-world.ts";

/** Where in the life of an agent the process is killed. */
export const phases = [
	"write-ahead",
	"start",
	"stream",
	"settled but unread",
	"handed but not committed",
	"committed",
	"resume",
	"replacement",
] as const;
export type Phase = (typeof phases)[number];

/** Brings the world to a moment of that phase, where the process is to be killed. Moments are events, never times. */
export function reachMoment(world: CrashWorld, phase: Phase, variant: number): Promise<void> {
	return moments[phase](world, variant);
}

const moments: Readonly<Record<Phase, (world: CrashWorld, variant: number) => Promise<void>>> = {
	"write-ahead": async (world, variant) => {
		const opened = ledgerCount(world, "opened");
		const called = calls(world, "tool_execution_start", 1 + (variant % 2));
		const answered = calls(world, "tool_execution_end", 1 + (variant % 2));
		await launch(world, 1 + (variant % 3) + (variant % 2));
		const events = [called, opened(1), opened(1 + (variant % 2)), answered];
		await events[variant % events.length];
		await turns(Math.floor(variant / events.length) % 6);
	},
	start: async (world, variant) => {
		const started = ledgerCount(world, "started");
		const [first = ""] = await launch(world, 1 + (variant % 4));
		await (variant % 2 === 0 ? world.child(first) : started(1));
		await turns(Math.floor(variant / 2) % 6);
	},
	stream: async (world, variant) => {
		const [first = ""] = await launch(world, 1 + (variant % 4));
		const child = await world.child(first);
		for (let chunk = 0; chunk <= variant % 5; chunk++) {
			child.write(`chunk ${chunk} `);
			await turns(variant % 3);
		}
	},
	"settled but unread": async (world, variant) => {
		const settled = ledgerCount(world, "settled");
		const count = 1 + (variant % 2);
		world.hold(true);
		const tasks = await launch(world, count + (variant % 3));
		await finish(world, tasks.slice(0, count), variant);
		await settled(count);
		await turns(variant % 7);
	},
	"handed but not committed": async (world, variant) => {
		const settled = ledgerCount(world, "settled");
		const count = 1 + (variant % 2);
		const atBoundary = variant % 4 < 2;
		world.hold(atBoundary);
		const tasks = await launch(world, count);
		const busy = atBoundary ? await heldAnswer(world) : undefined;
		// The note's own request, or the note itself, or only what comes before it.
		const asked = optional(world.server.nextRequest((request) => request.model === "parent"));
		const noted = optional(world.rpc.untilNext((record) => notes([record]).length > 0, "the note"));
		await finish(world, tasks, variant);
		await settled(count);
		if (busy) {
			world.hold(false);
			busy.write("that is all");
			busy.finish();
		}
		const events = [asked, busy?.ended ?? asked, noted];
		await events[Math.floor(variant / 2) % events.length];
		await turns(variant % 5);
	},
	committed: async (world, variant) => {
		const tasks = await launch(world, 1 + (variant % 2));
		await publish(world, tasks, variant);
		await turns(variant % 5);
	},
	resume: async (world, variant) => {
		const tasks = await launch(world, 1);
		await publish(world, tasks, variant);
		const agent = world.lines().findLast(({ type }) => type === "opened");
		if (agent?.type !== "opened") throw new Error("no agent to resume");
		const opened = ledgerCount(world, "opened");
		const settled = ledgerCount(world, "settled");
		const [again = ""] = world.tasks(1);
		await world.rpc.request({ type: "prompt", message: `resume: ${agent.agent} ${again}` });
		const stage = variant % 4;
		if (stage === 0) return opened(1);
		const child = await world.child(again);
		if (stage > 1) child.write(`a part of ${again}`);
		if (stage < 3) return turns(variant % 6);
		child.write(answerTo(again));
		child.finish();
		return settled(1);
	},
	replacement: async (world, variant) => {
		const settled = ledgerCount(world, "settled");
		const left = ledgerCount(world, "left");
		const tasks = await launch(world, 1 + (variant % 4));
		const child = await world.child(tasks[0] ?? "");
		await idle(world);
		const replaced = optional(world.rpc.ask({ type: variant % 2 === 0 ? "new_session" : "clone" }));
		const events = [child.ended, settled(1), left(1), replaced];
		await events[Math.floor(variant / 2) % events.length];
		await turns(variant % 5);
	},
};

/** The parent starts agents for that many tasks, in the background. Resolves when it has been told to. */
async function launch(world: CrashWorld, count: number): Promise<readonly string[]> {
	const tasks = world.tasks(count);
	await world.rpc.request({ type: "prompt", message: `launch: ${tasks.join(", ")}` });
	return tasks;
}

/** The agents that have these tasks answer. Of more than two, the last start only when the first have ended. */
async function finish(world: CrashWorld, tasks: readonly string[], variant: number): Promise<void> {
	for (const task of tasks) {
		const child = await world.child(task);
		// Some answers are short enough for the ledger, others have files of their own.
		child.write(answerTo(task) + "x".repeat(variant % 3 === 0 ? 2_000 : 0));
		child.finish();
	}
}

/** Waits until the parent has come to the end of its turn. */
async function idle({ rpc }: CrashWorld): Promise<void> {
	await rpc.untilHolds(() => {
		const last = rpc.events.findLast(({ type }) => type === "agent_start" || type === "agent_settled");
		return last?.type === "agent_settled";
	}, "the parent to be idle");
}

/** They answer, and the parent has taken note of it. */
async function publish(world: CrashWorld, tasks: readonly string[], variant: number): Promise<void> {
	const from = world.rpc.events.length;
	await finish(world, tasks, variant);
	await world.rpc.untilHolds(() => {
		const news = world.rpc.events.slice(from);
		const last = news.findLastIndex((record) => notes([record]).length > 0);
		const told = tasks.every((task) => JSON.stringify(news).includes(answerTo(task)));
		return told && last >= 0 && news.slice(last).some((record) => record.type === "agent_settled");
	}, "the results to be published");
}

/** The parent's answer that is being held open. */
function heldAnswer({ server }: CrashWorld): Promise<ChatExchange> {
	return server.until(() =>
		server.exchanges.find(
			({ request, state }) =>
				request.model === "parent" && state === "open" && request.messages.at(-1)?.role === "tool",
		),
	);
}

/** Counts the lines of a kind from now on. */
function ledgerCount(world: CrashWorld, type: string): (count: number) => Promise<void> {
	const number = () => world.lines().filter((line) => line.type === type).length;
	const before = number();
	return (count) => optional(world.untilLedger(() => number() >= before + count, `${count} lines ${type}`));
}

function calls({ rpc }: CrashWorld, type: string, count: number): Promise<unknown> {
	const from = rpc.events.length;
	const isCall = (record: PiRecord) => record.type === type && record.toolName === "Agent";
	return optional(rpc.untilHolds(() => rpc.events.slice(from).filter(isCall).length >= count, `${count} of ${type}`));
}

/** Of several events that may be waited for, those that are not may never come. */
function optional<T>(event: Promise<T>): Promise<T> {
	event.catch(() => {});
	return event;
}
