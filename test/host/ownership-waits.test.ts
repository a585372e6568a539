import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hostFeatures } from "../../src/host/host-features.ts";
import { text, toolCalls } from "../support/chat-reply.ts";
import { freshToolResults } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import {
	answering,
	deliveries,
	isTask,
	launch,
	newUserTexts,
	notes,
	promptUntilCall,
	read,
	startedIds,
	untilLive,
	untilNoneLive,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

/** `ctx.executeTool` came with 0.99, as did the returned `isError`. Before, all calls of a turn share one signal. */
const hasNestedCalls = hostFeatures().returnedIsError;

const twoWaits = fileURLToPath(new URL("../support/fixtures/two-waits.ts", import.meta.url));

interface Waits {
	readonly a: { readonly isError: boolean; readonly text: string };
	readonly b: { readonly isError: boolean; readonly text: string };
}

/** With the tool that waits twice, and without. */
const beginTwice = shareDelegation({ extensions: [ownExtension(), twoWaits], orchestrator: { maxConcurrent: 16 } });
const begin = shareDelegation();

/** The outcomes of the calls of `wait_twice`, in the order of their calls. */
function waits(rpc: PiRpc): Waits[] {
	const ends = new Map(toolEnds(rpc.events, "wait_twice").map((end) => [end.toolCallId, end.result?.details as Waits]));
	return rpc.events.flatMap(({ type, toolName, toolCallId }) => {
		const found = type === "tool_execution_start" && toolName === "wait_twice" ? ends.get(toolCallId) : undefined;
		return found === undefined ? [] : [found];
	});
}

/** Waits until that many waits inside of `wait_twice` are under way. */
async function untilWaiting(rpc: PiRpc, count: number): Promise<void> {
	const begun = () =>
		rpc.events.filter(
			({ type, parentToolCallId }) => type === "tool_execution_start" && parentToolCallId !== undefined,
		);
	await rpc.untilHolds(() => begun().length >= count, `${count} waits`);
}

/** The parent waits twice for each of its agents. */
function waitTwice(more: readonly Readonly<Record<string, unknown>>[] = [{}]): ChatHandler {
	return (request) => {
		const ids = startedIds(request);
		return toolCalls(more.map((args, index) => ({ name: "wait_twice", args: { agent_id: ids[index], ...args } })));
	};
}

describe.runIf(hasNestedCalls)(
	"two waits for one agent with a signal each (seed 000 §17.1; on hosts with ctx.executeTool, since 0.99)",
	() => {
		it("leave it to the second when the first aborts: that returns the result, and nothing is published (seed 000 §17 Ownership: mixed abort/completion)", async () => {
			const parent = answering({ start: launch("task"), wait: waitTwice(), "go on": text("ok") });
			const { server, rpc, leave } = await beginTwice({ parent, child: () => undefined });
			await rpc.prompt("start");
			const child = await server.anyRequest(isTask("task"));
			await rpc.request({ type: "prompt", message: "wait" });
			await untilWaiting(rpc, 2);
			const left = rpc.untilNext((record) => record.type === "tool_execution_end", "the end of a wait");
			await rpc.request({ type: "prompt", message: "/leave a" });
			expect(contentText((await left).result)).toMatch(/^agent_id: \S+\nstatus: running\n/);
			expect(toolEnds(rpc.events, "wait_twice")).toEqual([]);
			expect(child.state).toBe("open");

			const settled = rpc.untilNext((record) => record.type === "agent_settled");
			child.play(text("the answer"));
			await settled;
			const [outcome] = waits(rpc);
			expect(outcome?.a.isError).toBe(true);
			expect(outcome?.b).toEqual({ isError: false, text: expect.stringMatching(/\n\nthe answer$/) });
			await rpc.prompt("go on");
			await leave();
			expect(notes(rpc.events)).toEqual([]);
		});

		it("give it back when both abort: the agent goes on, and its result is published once (seed 000 §17 Ownership: all waiters cancelled)", async () => {
			const script = answering({ start: launch("task"), wait: waitTwice(), "go on": text("ok") });
			const { server, rpc, leave } = await beginTwice({
				// What the parent says to the end of the waits is left to the test.
				parent: (request, exchange) =>
					freshToolResults(request)[0]?.name === "wait_twice" && newUserTexts(request).length === 0
						? undefined
						: script(request, exchange),
				child: () => undefined,
			});
			await rpc.prompt("start");
			const child = await server.anyRequest(isTask("task"));
			await rpc.request({ type: "prompt", message: "wait" });
			await untilWaiting(rpc, 2);
			await rpc.request({ type: "prompt", message: "/leave ab" });
			const busy = await server.until(() =>
				server.exchanges.find(({ request, state }) => request.model === "parent" && state === "open"),
			);
			expect(waits(rpc)[0]).toMatchObject({ a: { isError: true }, b: { isError: true } });
			expect(child.state).toBe("open");
			await untilLive(rpc);
			child.play(text("the answer"));
			await untilNoneLive(rpc);
			expect(notes(rpc.events)).toEqual([]);
			const settled = rpc.untilNext((record) => record.type === "agent_settled");
			busy.play(text("noted"));
			await settled;
			expect(notes(rpc.events).map(deliveries)).toEqual([[expect.stringMatching(/#1$/)]]);
			await rpc.prompt("go on");
			await leave();
			expect(notes(rpc.events)).toHaveLength(1);
		});

		it("never lose it and never double it, wherever around its settlement they abort (seed 000 invariants 18 and 19)", async () => {
			// The first leave before the agent has settled, the last long after; what is in between falls close to it.
			const steps = [0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 1_000];
			const tasks = steps.map((_, index) => `task-${String(index).padStart(2, "0")}`);
			const parent = answering({
				start: launch(...tasks),
				wait: waitTwice(steps.map((after) => ({ leave: "ab", after }))),
				"go on": text("ok"),
			});
			const { server, rpc, leave } = await beginTwice({ parent, child: () => undefined });
			await rpc.prompt("start");
			const children = await Promise.all(tasks.map((task) => server.anyRequest(isTask(task))));
			await rpc.request({ type: "prompt", message: "wait" });
			await untilWaiting(rpc, 2 * tasks.length);
			const settled = rpc.untilNext((record) => record.type === "agent_settled");
			for (const [index, child] of children.entries()) child.play(text(`answer of ${tasks[index]}`));
			await settled;
			await rpc.prompt("go on");
			await leave();

			const arrived = waits(rpc).map(({ a, b }, index) => {
				const answer = `answer of ${tasks[index]}`;
				// A wait that was aborted tells of an agent that runs, with its last words.
				const returned = [a, b].filter((wait) => !wait.isError && wait.text.includes(answer)).length;
				const published = notes(rpc.events).filter((note) => note.text.includes(answer)).length;
				return `${returned} returned, ${published} published`;
			});
			expect(arrived).toHaveLength(steps.length);
			expect(new Set(arrived)).toEqual(new Set(["0 returned, 1 published", "2 returned, 0 published"]));
			expect(arrived[0]).toBe("0 returned, 1 published");
			expect(arrived.at(-1)).toBe("2 returned, 0 published");
		});
	},
);

describe("two waits of one turn", () => {
	it("give the result back when Esc ends both, and it comes once, beside the next message (seed 000 §17.1)", async () => {
		const parent = answering({
			start: launch("task"),
			wait: read([0, 0], { wait: true }),
			"go on": text("ok"),
			"and on": text("ok"),
		});
		const { server, rpc, leave } = await begin({ parent, child: () => undefined });
		await rpc.prompt("start");
		const child = await server.anyRequest(isTask("task"));
		await untilLive(rpc);
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		await rpc.request({ type: "abort" });
		expect(toolEnds(rpc.events, "get_subagent_result").map((end) => end.isError)).toEqual([true, true]);
		expect(child.state).toBe("open");
		child.play(text("the answer"));
		await untilNoneLive(rpc);
		expect(notes(rpc.events)).toEqual([]);
		await rpc.prompt("go on");
		await rpc.prompt("and on");
		await leave();
		expect(notes(rpc.events).map(deliveries)).toEqual([[expect.stringMatching(/#1$/)]]);
	});

	it("and an end of the agent that meets their Esc give its result once, whichever is first (seed 000 §11.3, invariant 19)", async () => {
		const rounds = Array.from({ length: 6 }, (_, round) => `task ${round}`);
		const script: Record<string, ReturnType<typeof launch> | ChatHandler> = { "go on": text("ok") };
		for (const [round, task] of rounds.entries()) {
			script[`start ${task}`] = launch(task);
			script[`wait ${task}`] = read([round, round], { wait: true });
		}
		const { server, rpc, leave } = await begin({ parent: answering(script), child: () => undefined });
		for (const [round, task] of rounds.entries()) {
			await rpc.prompt(`start ${task}`);
			const child = await server.anyRequest(isTask(task));
			await promptUntilCall(rpc, `wait ${task}`, "get_subagent_result");
			const settled = rpc.untilNext((record) => record.type === "agent_settled");
			const acts = [() => child.play(text(`answer to ${task}`)), () => rpc.send({ type: "abort" })];
			for (const act of round % 2 === 0 ? acts : acts.reverse()) act();
			await settled;
			await rpc.prompt("go on");
		}
		await rpc.prompt("go on");
		await leave();
		const arrivals = rounds.map((task) => {
			const returned = toolEnds(rpc.events, "get_subagent_result").some(
				(end) => end.isError === false && contentText(end.result).includes(`answer to ${task}`),
			);
			const published = notes(rpc.events).filter((note) => note.text.includes(`answer to ${task}`)).length;
			return (returned ? 1 : 0) + published;
		});
		expect(arrivals).toEqual(rounds.map(() => 1));
	});
});

describe("a result that the parent reads while it is busy", () => {
	it("is not published after the final answer of that turn, nor later (seed 000 invariant 17)", async () => {
		const script = answering({ start: launch("task"), "and now": text("ok") });
		let listed = 0;
		const { server, rpc, leave } = await begin({
			parent: (request, exchange) => {
				if (newUserTexts(request).length > 0) return script(request, exchange);
				const [result] = freshToolResults(request);
				if (result?.name === "Agent") return read([0])(request, exchange);
				if (result?.name === "get_subagent_result" && /^status: (?:queued|running)$/m.test(result.text))
					return read([0])(request, exchange);
				listed += 1;
				return listed < 3 ? toolCalls([{ name: "ls", args: { path: "." } }]) : text("the final answer");
			},
			child: text("the answer"),
		});
		await rpc.prompt("start");
		expect(contentText(toolEnds(rpc.events, "get_subagent_result").at(-1)?.result)).toMatch(/\n\nthe answer$/);
		const asked = server.requestsOf("parent").length;
		await rpc.prompt("and now");
		await leave();
		expect(server.requestsOf("parent")).toHaveLength(asked + 1);
		expect(notes(rpc.events)).toEqual([]);
	});
});
