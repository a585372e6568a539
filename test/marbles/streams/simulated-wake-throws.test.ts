import { describe, expect, it } from "vitest";
import { refusedPause } from "../../../src/streams/outbox.ts";
import { marbles } from "../../support/marbles.ts";
import { outboxFixture, script } from "../../support/outbox-fixture.ts";

// Found by the simulation: the message is sent from a timer, and a throw there ends the host with all its work.
describe("a host that throws when it is given a message", () => {
	// biome-ignore format: the diagrams stand in columns.
	it("has not taken it: the result is held meanwhile, and goes after a pause", marbles(({ hot, expectObservable, flush }, scheduler) => {
		const box = outboxFixture(scheduler);
		const a = box.result("a001");
		box.activity("idle");
		box.takes = new Error("stale context");
		expectObservable(script(hot("s---t"), { s: a.settle, t: () => { expect(a.publishable.claim.state.kind).toBe("held"); box.takes = true; } })).toBe("-----");
		expectObservable(box.woken$).toBe(`${refusedPause}ms a`, { a: "a001#1" });
		flush();
		expect(a.publishable.claim.state.kind).toBe("handed");
	}));
});
