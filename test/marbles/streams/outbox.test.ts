import { map, mergeMap } from "rxjs";
import { describe, expect, it } from "vitest";
import { boundaryLosses, refusedPause, wakeLosses } from "../../../src/streams/outbox.ts";
import { agentsFixture, request } from "../../support/agents-fixture.ts";
import { marbles } from "../../support/marbles.ts";
import { keysOf, outboxFixture, script } from "../../support/outbox-fixture.ts";
import { agentId, scriptedRuns } from "../../support/run-script.ts";

const words = { a: "a001#1", b: "b001#1", A: "a001#1+b001#1" };

// biome-ignore format: the diagrams stand in columns.
describe("an idle parent", () => {
	it("is woken by a result that nobody has read (seed 000 §11)", marbles(({ hot, expectObservable }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		expectObservable(script(hot("i-s"), { i: () => box.activity("idle"), s: a.settle })).toBe("---");
		expectObservable(box.woken$).toBe("--a", words);
	}));

	it("is not woken when the result is claimed in the frame of its settlement (invariant 20)", marbles(({ hot, expectObservable, flush }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		expectObservable(script(hot("--s"), { s: a.settle })).toBe("---");
		expectObservable(hot("--s").pipe(mergeMap(() => a.publishable.claim.claim$), map((record) => record.agentId))).toBe("--r", { r: "a001" });
		expectObservable(box.woken$).toBe("---");
		flush();
		expect(box.outbox.keys).toEqual([]);
	}));

	it("gets results that settle together as one message, in the order they settled", marbles(({ hot, expectObservable }, scheduler) => {
		const box = outboxFixture(scheduler);
		const b = box.result("b001");
		const a = box.result("a001");
		box.activity("idle");
		expectObservable(script(hot("--s"), { s: () => { a.settle(); b.settle(); } })).toBe("---");
		expectObservable(box.woken$).toBe("--A", words);
	}));

	it("that will not take a message is asked again after a pause, and nothing is lost meanwhile", marbles(({ hot, expectObservable, flush }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		box.takes = false;
		expectObservable(script(hot("s---t"), { s: a.settle, t: () => { expect(a.publishable.claim.state.kind).toBe("held"); box.takes = true; } })).toBe("-----");
		expectObservable(box.woken$).toBe(`${refusedPause}ms a`, words);
		flush();
		expect(a.publishable.claim.state.kind).toBe("handed");
	}));

	it.each(["busy", "prompting", "muted", "replaced"] as const)("and no other: a %s one is left alone until it is idle", (activity) =>
		marbles(({ hot, expectObservable }, scheduler) => {
			const box = outboxFixture(scheduler);
			const a = box.result("a001");
			box.activity(activity);
			expectObservable(script(hot("s---i"), { s: a.settle, i: () => box.activity("idle") })).toBe("-----");
			expectObservable(box.woken$).toBe("----a", words);
		})());

	it("is not woken by what a refused message was not about", marbles(({ hot, expectObservable, flush }, scheduler) => {
		// a's message was taken; b settles before the host has become busy, and is refused. a stays handed over.
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		const b = box.result("b001");
		box.activity("idle");
		expectObservable(script(hot("s-t-u"), { s: a.settle, t: () => { box.takes = false; b.settle(); }, u: () => box.activity("busy") })).toBe("-----");
		expectObservable(box.woken$).toBe("a----", words);
		flush();
		expect([a, b].map(({ publishable }) => publishable.claim.state.kind)).toEqual(["handed", "held"]);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("a quiet result", () => {
	it("wakes nobody, and goes beside the next one that does", marbles(({ hot, expectObservable }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001", { quiet: true });
		const b = box.result("b001");
		box.activity("idle");
		expectObservable(script(hot("s---t"), { s: a.settle, t: b.settle })).toBe("-----");
		expectObservable(box.woken$).toBe("----A", words);
	}));

	it("goes at a boundary and beside the person's message like any other", marbles((_h, scheduler) => {
		for (const route of ["boundary", "prompt"] as const) {
			const box = outboxFixture(scheduler);
			box.result("a001", { quiet: true }).settle();
			expect(keysOf(box.outbox.take(route))).toBe("a001#1");
		}
	}));

	it("is what an agent leaves that a person has stopped", marbles(({ cold, flush }, scheduler) => {
		const { startRun } = scriptedRuns({ cold }, ["r-----"]);
		const agents = agentsFixture(startRun, scheduler);
		const quiet: (boolean | undefined)[] = [];
		const listening = agents.publishable$.subscribe({ next: (result) => quiet.push(result.quiet?.()), error: () => undefined });
		const held: (boolean | undefined)[] = [];
		listening.add(agents.publishable$.pipe(mergeMap(({ claim, quiet: is }) => claim.state$.pipe(map(({ kind }) => (kind === "held" ? is?.() : undefined))))).subscribe({ next: (is) => held.push(is), error: () => undefined }));
		agents.spawn(request({ background: true }));
		agents.spawn(request({ background: true }));
		void agents.stop([agentId("agent1")], { status: "stopped", reason: "stopped_by_user" });
		void agents.stop([agentId("agent2")], { status: "aborted", reason: "turn_limit" });
		flush();
		expect(quiet).toEqual([false, false]);
		expect(held.filter((is) => is !== undefined)).toEqual([true, false]);
		listening.unsubscribe();
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("who reads first owns the result", () => {
	it("a waiter's result is never published (seed 000 §11.2, invariant 17)", marbles(({ hot, expectObservable }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		expectObservable(a.publishable.claim.claim$, "-^").toBe("---(r|)", { r: expect.objectContaining({ agentId: "a001" }) });
		expectObservable(script(hot("---s"), { s: a.settle })).toBe("----");
		expectObservable(box.woken$).toBe("----");
	}));

	it("both waiters leave after settlement was due: exactly one publication (seed 000 §17.1, §11.3)", marbles(({ hot, expectObservable, flush }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		expectObservable(a.publishable.claim.claim$, "-^--!").toBe("----");
		expectObservable(a.publishable.claim.claim$, "-^---!").toBe("----");
		expectObservable(script(hot("------s"), { s: a.settle })).toBe("-------");
		expectObservable(box.woken$).toBe("------a", words);
		flush();
		expect(box.outbox.take("boundary")).toBeUndefined();
	}));

	it("a result that is handed over cannot be handed over twice", () => {
		marbles((_h, scheduler) => {
			const box = outboxFixture(scheduler);
			box.result("a001").settle();
			expect(keysOf(box.outbox.take("boundary"))).toBe("a001#1");
			expect(keysOf(box.outbox.take("boundary"))).toBe("nothing");
			expect(keysOf(box.outbox.take("prompt"))).toBe("nothing");
		})();
	});
});

describe("handing over is not delivery (seed 000 §11)", () => {
	const opened = () => {
		let box: ReturnType<typeof outboxFixture> | undefined;
		marbles((_h, scheduler) => {
			box = outboxFixture(scheduler);
			expect(box.outbox.keys).toEqual([]);
		})();
		if (!box) throw new Error("no fixture");
		return box;
	};

	it("what stands in the session is committed, and gone from the outbox", () => {
		const box = opened();
		const a = box.result("a001");
		a.settle();
		box.outbox.take("boundary");
		box.committed.add(a.publishable.key);
		box.outbox.reconcile("run_started");
		expect(a.publishable.claim.state.kind).toBe("committed");
		expect(box.outbox.keys).toEqual([]);
	});

	it("what does not is held again, in its old place", () => {
		const box = opened();
		const [a, b] = [box.result("a001"), box.result("b001")];
		a.settle();
		box.outbox.take("boundary");
		b.settle();
		box.outbox.reconcile("run_started");
		expect(a.publishable.claim.state.kind).toBe("held");
		expect(keysOf(box.outbox.take("boundary"))).toBe("a001#1+b001#1");
	});

	it("what went as a message is not missed before the run that carries it is past its start", () => {
		const box = opened();
		const a = box.result("a001");
		a.settle();
		box.outbox.take("prompt");
		box.outbox.reconcile("run_started");
		expect(a.publishable.claim.state.kind).toBe("handed");
		box.outbox.reconcile("past_start");
		expect(a.publishable.claim.state.kind).toBe("held");
	});

	it("a lost result that was claimed meanwhile goes to that claim", () => {
		const box = opened();
		const a = box.result("a001");
		a.settle();
		box.outbox.take("boundary");
		const read: unknown[] = [];
		const waiter = a.publishable.claim.claim$.subscribe({
			next: (record) => read.push(record.agentId),
			error: () => undefined,
		});
		expect(read).toEqual([]);
		box.outbox.reconcile("run_started");
		expect(read).toEqual(["a001"]);
		expect(waiter.closed).toBe(true);
		expect(box.outbox.keys).toEqual([]);
	});

	it(`after ${boundaryLosses} losses it is kept from the boundary, and the loss is said`, () => {
		const box = opened();
		const a = box.result("a001");
		a.settle();
		for (let i = 0; i < boundaryLosses; i++) {
			expect(keysOf(box.outbox.take("boundary"))).toBe("a001#1");
			box.outbox.reconcile("run_started");
		}
		expect(keysOf(box.outbox.take("boundary"))).toBe("nothing");
		expect(box.said).toHaveLength(1);
		expect(box.said[0]).toContain("a001#1");
		expect(keysOf(box.outbox.take("wake"))).toBe("a001#1");
	});

	it(`after ${wakeLosses} losses it starts no turn of its own any more, and goes beside the person's next message`, () => {
		const box = opened();
		box.result("a001").settle();
		for (let i = 0; i < wakeLosses; i++) {
			expect(keysOf(box.outbox.take(i < boundaryLosses ? "boundary" : "wake"))).toBe("a001#1");
			box.outbox.reconcile("past_start");
		}
		expect(keysOf(box.outbox.take("wake"))).toBe("nothing");
		expect(keysOf(box.outbox.take("prompt"))).toBe("a001#1");
	});

	it("asks the session only when there is something to find", () => {
		const box = opened();
		box.result("a001").settle();
		box.outbox.reconcile("past_start");
		expect(box.asked).toBe(0);
		box.outbox.take("boundary");
		box.outbox.reconcile("past_start");
		expect(box.asked).toBe(1);
	});
});

// biome-ignore format: the diagrams stand in columns.
describe("closing an outbox", () => {
	it("wakes nobody any more and leaves no timer", marbles(({ hot, expectObservable }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		box.takes = false;
		expectObservable(script(hot("s-c"), { s: a.settle, c: () => { box.outbox.close(); box.takes = true; } })).toBe("---");
		expectObservable(box.woken$).toBe(`${refusedPause + 1}ms -`);
	}));
});
