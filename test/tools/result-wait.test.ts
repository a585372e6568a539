import { describe, expect, it } from "vitest";
import { createGetSubagentResultTool, type ResultParams, ToolCallAborted } from "../../src/tools/index.ts";
import { abortListeners } from "../support/abort.ts";
import { config } from "./records.ts";
import { callOf, type FixtureOptions, promisesRun, rejection, toolsFixture } from "./tools-fixture.ts";

function start(options: FixtureOptions & { readonly background?: number } = {}) {
	const fixture = toolsFixture(options);
	for (let i = 0; i < (options.background ?? 1); i++) {
		fixture.agents.spawn({ prompt: "Count.", description: "counts", config, background: true });
	}
	const tool = createGetSubagentResultTool(fixture.deps);
	const wait = (signal?: AbortSignal, over: Partial<ResultParams> = {}) =>
		tool.run(callOf({ agent_id: "agent1", wait: true, ...over }, signal));
	const owner = () => [...fixture.published.values()][0]?.claim.state;
	return { ...fixture, wait, owner };
}

/** Whether a promise has settled once everything that can go on has. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
	let settled = false;
	promise.then(
		() => {
			settled = true;
		},
		() => {
			settled = true;
		},
	);
	await promisesRun();
	return !settled;
}

describe("waiting for a result", () => {
	it("claims it before anything is awaited, and returns it at the end", async () => {
		const { wait, run, owner } = start();
		const answer$ = wait();
		expect(owner()).toEqual({ kind: "pending", claims: 1 });
		run().end({ text: "seven" });
		expect(owner()?.kind).toBe("delivered");
		expect((await answer$).text).toMatch(/status: completed\n[\s\S]*seven$/);
	});

	it("goes on while the agent is queued, while it starts and while it runs (seed 000 §17.2)", async () => {
		const { wait, run, runs } = start({ background: 2, maxConcurrent: 1 });
		const answer$ = wait(undefined, { agent_id: "agent2" });
		expect(await isPending(answer$)).toBe(true);
		run().end();
		expect(runs).toHaveLength(2);
		expect(await isPending(answer$)).toBe(true);
		run(1).end({ text: "at last" });
		expect((await answer$).text).toMatch(/^agent_id: agent2\nstatus: completed\n[\s\S]*at last$/);
	});

	it("ends with the agent that is stopped in line", async () => {
		const { wait, stopByUser } = start({ background: 2, maxConcurrent: 1 });
		const answer$ = wait(undefined, { agent_id: "agent2" });
		stopByUser("agent2");
		expect((await answer$).text).toContain("status: stopped (stopped_by_user)");
	});

	it("of several different agents may end in any order (seed 000 §17 Parallelism: reverse completion order, different resources)", async () => {
		const { wait, run } = start({ background: 2 });
		const first$ = wait();
		const second$ = wait(undefined, { agent_id: "agent2" });
		run(1).end({ text: "second" });
		expect((await second$).text).toMatch(/second$/);
		expect(await isPending(first$)).toBe(true);
		run().end({ text: "first" });
		expect((await first$).text).toMatch(/first$/);
	});
});

describe("a wait whose time is over", () => {
	it("is a normal answer with the evidence; the agent goes on and its claim is given back", async () => {
		const { wait, run, owner, advance } = start();
		const answer$ = wait(undefined, { timeout_s: 30 });
		advance(29_999);
		expect(await isPending(answer$)).toBe(true);
		advance(1);
		const answer = await answer$;
		expect(answer.isError).toBe(false);
		expect(answer.text).toMatch(
			/status: running\n[\s\S]*silent: 30s[\s\S]*The wait was over after 30s. The agent goes on./,
		);
		expect(owner()).toEqual({ kind: "pending", claims: 0 });
		expect(run().stops).toEqual([]);
		run().end();
		expect(owner()?.kind).toBe("held");
	});

	it("takes the setting's time when the call names none", async () => {
		const { wait, advance } = start({ settings: { waitTimeoutSeconds: 5 } });
		const answer$ = wait();
		advance(5_000);
		expect((await answer$).text).toContain("over after 5s");
	});

	it("tells the place in line of an agent that still waits for its start", async () => {
		const { wait, advance } = start({ background: 2, maxConcurrent: 1 });
		const answer$ = wait(undefined, { agent_id: "agent2", timeout_s: 1 });
		advance(1_000);
		expect((await answer$).text).toMatch(/status: queued\n[\s\S]*place in line: 1/);
	});

	it("lasts no longer than a timer can, however much is asked for", async () => {
		const { wait, advance } = start();
		const answer$ = wait(undefined, { timeout_s: Number.MAX_SAFE_INTEGER });
		advance(2_147_482_999);
		expect(await isPending(answer$)).toBe(true);
		advance(1);
		expect((await answer$).text).toContain("over after 2147483s");
	});

	it("leaves no timer behind when the result comes first", async () => {
		const { wait, run, scheduler } = start();
		const answer$ = wait();
		run().end();
		await answer$;
		// What was unsubscribed is still in the list of virtual time, but does nothing any more.
		expect(scheduler.actions.filter((action) => !action.closed)).toEqual([]);
	});
});

describe("an aborted wait (seed 000 §17 Cancellation: abort during wait)", () => {
	const reason = { why: "Esc" };

	it("rejects with the reason and the evidence, and leaves the agent alone", async () => {
		const { wait, run, owner } = start();
		const abort = new AbortController();
		const error$ = rejection(wait(abort.signal));
		run().emit({ type: "text_delta", delta: "six so far" });
		abort.abort(reason);
		const error = (await error$) as ToolCallAborted;
		expect(error).toBeInstanceOf(ToolCallAborted);
		expect(error.name).toBe("AbortError");
		expect(error.cause).toBe(reason);
		expect(error.message).toMatch(/^agent_id: agent1\nstatus: running\n[\s\S]*six so far/);
		expect(error.details).toMatchObject({ kind: "agent", status: "running" });
		expect(run().stops).toEqual([]);
		expect(owner()).toEqual({ kind: "pending", claims: 0 });
	});

	it("fails at once when it was aborted before, and claims nothing", async () => {
		const { wait, owner } = start();
		const abort = new AbortController();
		abort.abort(reason);
		expect(((await rejection(wait(abort.signal))) as ToolCallAborted).cause).toBe(reason);
		expect(owner()).toEqual({ kind: "pending", claims: 0 });
	});

	it("loses no finished result either: read before the abort, or still there", async () => {
		const { wait, run, owner } = start();
		const abort = new AbortController();
		const answer$ = wait(abort.signal);
		run().end({ text: "seven" });
		abort.abort(reason);
		expect((await answer$).text).toMatch(/seven$/);
		const late = new AbortController();
		late.abort();
		await rejection(wait(late.signal));
		expect(owner()?.kind).toBe("delivered");
	});

	it.each<[string, (fixture: ReturnType<typeof start>, abort: AbortController) => void]>([
		["the result", ({ run }) => run().end()],
		["the timeout", ({ advance }) => advance(600_000)],
		["the abort", (_fixture, abort) => abort.abort()],
	])(
		"leaves no listener on the signal after %s (seed 000 §17 Cancellation: listener cleanup)",
		async (_name, finish) => {
			const fixture = start();
			const abort = new AbortController();
			const settled$ = Promise.allSettled([fixture.wait(abort.signal)]);
			expect(abortListeners(abort.signal)).toBe(1);
			finish(fixture, abort);
			await settled$;
			expect(abortListeners(abort.signal)).toBe(0);
		},
	);

	it("of one of two waiters leaves the claim with the other (seed 000 §17.1)", async () => {
		const { wait, run, owner } = start();
		const [a, b] = [new AbortController(), new AbortController()];
		const first$ = rejection(wait(a.signal));
		const second$ = wait(b.signal);
		expect(owner()).toEqual({ kind: "pending", claims: 2 });
		a.abort();
		await first$;
		expect(owner()).toEqual({ kind: "pending", claims: 1 });
		run().end({ text: "seven" });
		expect((await second$).text).toMatch(/seven$/);
		expect(owner()?.kind).toBe("delivered");
	});

	it("of all waiters gives the result back, to be published once (seed 000 §17 Ownership: all waiters cancelled)", async () => {
		const { wait, run, owner, published } = start();
		const [a, b] = [new AbortController(), new AbortController()];
		const errors$ = [rejection(wait(a.signal)), rejection(wait(b.signal))];
		a.abort();
		b.abort();
		run().end();
		await Promise.all(errors$);
		expect(owner()?.kind).toBe("held");
		const [publishable] = published.values();
		expect(publishable?.claim.handOver()).toBeDefined();
		expect(publishable?.claim.handOver()).toBeUndefined();
	});

	it("in the very moment of the end: the abort first gives the result back, the end first hands it over", async () => {
		const abortFirst = start();
		const a = new AbortController();
		const error$ = rejection(abortFirst.wait(a.signal));
		a.abort(reason);
		abortFirst.run().end();
		// The text is made after the end, and says that the result is not lost.
		expect(((await error$) as ToolCallAborted).message).toMatch(/status: completed\n[\s\S]*not lost/);
		expect(abortFirst.owner()?.kind).toBe("held");
		const oneShot = start({ oneShot: () => true });
		const c = new AbortController();
		const oneShotError$ = rejection(oneShot.wait(c.signal));
		c.abort(reason);
		oneShot.run().end();
		expect(((await oneShotError$) as ToolCallAborted).message).toMatch(/not lost: read it again before you answer\.$/);

		const endFirst = start();
		const b = new AbortController();
		const answer$ = endFirst.wait(b.signal);
		endFirst.run().end();
		b.abort(reason);
		expect((await answer$).isError).toBe(false);
		expect(endFirst.owner()?.kind).toBe("delivered");
	});
});
