import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { watchLedger } from "../../support/watch-ledger.ts";
import { createWatcher } from "../../support/watcher.ts";
import { isTask } from "../extension-fixture.ts";
import type { ReplacementWorld } from "./replacement-world.ts";

/** Agents at one point of their lives, in the session that is about to be left. */
export interface AgentsAt {
	/** In the order in which they were started. */
	readonly ids: readonly string[];
	/** What becomes of them: cut short, which is said once; ended, and published once; ended, and read by the call. */
	readonly fate: "interrupted" | "published" | "read";
	/** What `get_subagent_result` says of the last one, after its header, in the end. */
	readonly text: RegExp;
	/** What is done once the session is on its way out. */
	readonly meanwhile?: () => void;
	/** A process that an agent has started. */
	readonly pid?: number;
}

export type AgentState = (world: ReplacementWorld, task: string) => Promise<AgentsAt>;

const noText = /^It was stopped because the session ended\.\nIt had written no text\.$/;

/** One stands in line behind another, which waits for its model. */
const queued: AgentState = async (world, task) => {
	const ids = await world.launch([`${task} before`, task]);
	await world.server.anyRequest(isTask(`${task} before`));
	return { ids, fate: "interrupted", text: noText };
};

/** Its session is being made. */
const starting: AgentState = async (world, task) => {
	const ids = await world.launch([task], { model: "slow" });
	await world.gate.asked();
	return { ids, fate: "interrupted", text: noText, meanwhile: world.gate.admit };
};

/** It has written something, and has a shell at work. */
const running: AgentState = async (world, task) => {
	const [id] = await world.launch([task]);
	const child = await world.server.anyRequest(isTask(task));
	const pid = untilPid(world.pi.cwd, task);
	child.write("half of it");
	child.writeToolCall({ name: "bash", args: { command: `echo $$ > '${task}'; exec sleep 3600` } });
	child.finish();
	return { ids: [id ?? ""], fate: "interrupted", text: /\n\nhalf of it$/, pid: await pid };
};

/** It has ended while the parent, which a person has interrupted, waits for that person. */
const settledAndMuted: AgentState = async (world, task) => {
	const ids = await world.launch([task], { held: true });
	await world.rpc.request({ type: "abort" });
	await settle(world, task);
	return { ids, fate: "published", text: /^This result is published/ };
};

/** It has ended while the parent is at work. */
const settledAndBusy: AgentState = async (world, task) => {
	const ids = await world.launch([task], { held: true });
	await settle(world, task);
	return { ids, fate: "published", text: /^This result is published/ };
};

/** The parent waits for it in a call. */
const called: AgentState = async (world, task) => {
	const ledger = await watchLedger(world.pi, world.rpc);
	await world.rpc.request({ type: "prompt", message: `call child: ${task}` });
	await world.server.anyRequest(isTask(task));
	const [line] = ledger.lines();
	ledger.close();
	return {
		ids: line?.type === "opened" ? [line.agent] : [],
		fate: "read",
		text: /^It was stopped together with the call/,
	};
};

export const agentStates = { queued, starting, running, called, settledAndMuted, settledAndBusy };

/** The agent ends, which is on record when this resolves. */
async function settle(world: ReplacementWorld, task: string): Promise<void> {
	const ledger = await watchLedger(world.pi, world.rpc);
	const child = await world.server.anyRequest(isTask(task));
	child.write("the whole of it");
	child.finish();
	await ledger.until((lines) => lines.some(({ type }) => type === "settled"), "the end of the agent");
	ledger.close();
}

/** The process id that a shell writes into a file of that name. */
async function untilPid(folder: string, name: string): Promise<number> {
	const watcher = createWatcher();
	const files = watch(folder, () => watcher.notify());
	const read = (): number => {
		try {
			return Number(readFileSync(join(folder, name), "utf8"));
		} catch {
			return 0;
		}
	};
	const pid = await watcher.until(() => read(), "the shell of an agent");
	files.close();
	return pid;
}
