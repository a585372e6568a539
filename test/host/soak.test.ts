import { describe, expect, it, onTestFinished } from "vitest";
import orchestrator from "../../src/index.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { type FauxScript, untilAborted } from "../support/faux-model.ts";
import { processState } from "../support/process-state.ts";
import type { SdkParent } from "../support/sdk-parent.ts";
import { useSdkParent } from "../support/use-sdk-parent.ts";

/** `npm run test:soak` asks for more than there are in every run of the tests. */
const cycles = Number(process.env.SOAK_CYCLES ?? 100);
const full = process.env.SOAK_CYCLES !== undefined;
/** By then everything is there that stays for good. */
const warm = full ? 100 : 20;

/** Calls that are aborted as soon as their agent's model has been asked, by the task. */
const aborts = new Map<string, AbortController>();

const script: FauxScript = async ({ user, signal }) => {
	if (user.startsWith("hang")) {
		aborts.get(user)?.abort();
		await untilAborted(signal);
	}
	return `answer to ${user}`;
};

/** What the sessions tell the test: each is reachable at least as long as its manager is not collected. */
interface Seen {
	begun: number;
	ended: number;
	collected: number;
	watch(manager: object): void;
}

function watchSessions(name: string): Seen {
	const registry = new FinalizationRegistry<void>(() => {
		seen.collected++;
	});
	const seen: Seen = { begun: 0, ended: 0, collected: 0, watch: (manager) => registry.register(manager) };
	Object.assign(globalThis, { [name]: seen });
	onTestFinished(() => {
		Reflect.deleteProperty(globalThis, name);
	});
	return seen;
}

/** An extension of the user's, which the parent and each child load. */
const watching = (name: string): string => `export default function (pi) {
	const seen = globalThis[${JSON.stringify(name)}];
	pi.on("session_start", (_event, ctx) => {
		seen.begun++;
		seen.watch(ctx.sessionManager);
	});
	pi.on("session_shutdown", () => void seen.ended++);
}
`;

let calls = 0;

/** Calls a tool as the host does, without a model that asks for it: the parent's conversation stays as it is. */
async function use(parent: SdkParent, name: string, params: object, signal?: AbortSignal): Promise<string> {
	const tool = parent.session.agent.state.tools.find((one) => one.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	const { content } = await tool.execute(`call-${calls++}`, params, signal);
	return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Spawns an agent and reads what it came to: in the foreground, in the background, aborted, and resumed. */
async function cycle(parent: SdkParent, number: number): Promise<void> {
	const task = { prompt: `task ${number}`, description: `task ${number}`, model: "local/child" };
	if (number % 4 === 0) {
		expect(await use(parent, "Agent", task)).toContain(`\n\nanswer to task ${number}`);
		return;
	}
	if (number % 4 === 1) {
		const abort = new AbortController();
		const prompt = `hang ${number}`;
		aborts.set(prompt, abort);
		// Not with `rejects`, which would keep each error, and by its stack the session, until the test is over.
		const words = await use(parent, "Agent", { ...task, prompt }, abort.signal).catch(({ message }) => message);
		expect(words).toMatch(/^agent_id: \S+\nstatus: stopped /);
		aborts.delete(prompt);
		return;
	}
	const started = await use(parent, "Agent", { ...task, run_in_background: true });
	const id = /^agent_id: (\S+)$/m.exec(started)?.[1];
	expect(await use(parent, "get_subagent_result", { agent_id: id, wait: true })).toContain("answer to task");
	if (number % 4 === 3) {
		const resume = { prompt: "task again", description: "again", resume: id };
		expect(await use(parent, "Agent", resume)).toContain("\n\nanswer to task again");
	}
}

describe("agents of one session of pi, one after the other", () => {
	it(`leave their records and nothing else behind after ${cycles}: no timer, no listener, no session`, {
		timeout: full ? 3_600_000 : 120_000,
	}, async () => {
		const name = "soak";
		const seen = watchSessions(name);
		const parent = await useSdkParent({
			extensions: [orchestrator],
			script,
			stored: true,
			forgetful: true,
			agentFiles: { "extensions/watching.js": watching(name) },
		});
		for (let number = 0; number < warm; number++) await cycle(parent, number);
		await parent.until(() => seen.begun - seen.ended === 1, "the children's ends");
		await collectGarbage();
		const before = processState();
		const heap = process.memoryUsage().heapUsed;
		const heapOfEach = async (done: number): Promise<number> => {
			await collectGarbage();
			return Math.round((process.memoryUsage().heapUsed - heap) / (done - warm));
		};
		for (let number = warm; number < cycles; number++) {
			await cycle(parent, number);
			if (full && number % 1_000 === 999) console.info(`${number + 1} cycles, ${await heapOfEach(number)} bytes each`);
		}
		const each = await heapOfEach(cycles);
		expect(processState()).toEqual(before);
		expect(parent.extensionErrors).toEqual([]);
		// The parent's own, and the last child's until a next one is spawned.
		expect(seen.begun - seen.ended).toBe(1);
		expect(seen.begun - seen.collected).toBeLessThanOrEqual(2);
		if (full) expect(each).toBeLessThan(8 * 1024);
	});
});
