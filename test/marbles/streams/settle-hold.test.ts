import { endWith, map, mergeMap, NEVER, takeUntil } from "rxjs";
import type { RunHelpers, TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { type Agents, createOutbox, createSettleHold, runKey, type SettleHold } from "../../../src/streams/index.ts";
import { agentsFixture, request, word } from "../../support/agents-fixture.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { agentId, type StopManners, scriptedRuns } from "../../support/run-script.ts";

interface Stage {
	readonly agents: Agents;
	readonly hold: SettleHold;
	/** When the hold found its time over. */
	readonly overdue: number[];
}

/** Background agents with these scripts, their outbox, and a hold of so many frames over both. */
function stage(
	h: Pick<RunHelpers, "cold">,
	scheduler: TestScheduler,
	scripts: readonly string[],
	holdTime: number | "none" = 100,
	manners?: StopManners,
): Stage {
	const agents = agentsFixture(scriptedRuns(h, scripts, manners).startRun, scheduler);
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$: NEVER,
		scheduler,
		port: { wake: () => false, committed: () => new Set(), notify: () => undefined },
		compose: (records) => {
			const delivery = records.map((record) => runKey(record.agentId, record.run));
			return { text: records.map(word).join("+"), deliveries: delivery, details: { delivery, agents: [] } };
		},
	});
	const overdue: number[] = [];
	const hold = createSettleHold({
		agents,
		outbox,
		routes: ["follow_up"],
		...(holdTime === "none" ? {} : { holdTime }),
		onOverdue: () => overdue.push(scheduler.now()),
		scheduler,
	});
	for (const _ of scripts) agents.spawn(request({ background: true }));
	return { agents, hold, overdue };
}

/** An offer as a word: what became of each of its agents, and `!` on the last one. */
const offers = (hold: SettleHold) => hold.next$.pipe(map(({ note, last }) => `${note.text}${last ? "!" : ""}`));

const words = {
	a: "completed",
	A: "completed+completed",
	x: "stopped:parent_shutdown!",
	X: "completed+stopped:parent_shutdown!",
};

// biome-ignore format: the diagrams stand in columns.
describe("a run that is about to settle", () => {
	it("settles a step later when no agent is at work and nothing is unread", marbles(({ expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, []);
		expectObservable(offers(hold)).toBe("|");
	}));

	it("gets what is ready at once, though others are at work", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r-s-c|", "r--------s-c|"]);
		expectObservable(hot(      "----b").pipe(mergeMap(() => offers(hold)))).toBe("----a", words);
	}));

	it("waits for what is at work, and gets results that settle together as one", marbles(({ expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r----s-c|", "r----s-c|", "r--------s-c|"]);
		expectObservable(offers(hold)).toBe(  "-----(A|)", words);
	}));

	it("does not wait for sessions to close: a result is there when its run has settled", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r-s------c|"]);
		expectObservable(hot("--b---b").pipe(mergeMap(() => offers(hold).pipe(endWith("over"))))).toBe("--(ao)o", { ...words, o: "over" });
	}));

	it("settles when what it waited for was read by a call", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const { agents, hold } = stage(h, scheduler, ["r----s-c|"]);
		actAt(hot("--w"), () => agents.claim(agentId("agent1")).subscribe({ error: () => undefined }));
		expectObservable(offers(hold)).toBe("-----|", words);
	}));

	it("settles when the session ends under it", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		// Its agent does not hear that it is to stop, and the end of the session is not waited for.
		const { agents, hold } = stage(h, scheduler, ["r-------"], 100, { settle: 50, close: 1 });
		expectObservable(hot("--x").pipe(mergeMap(() => agents.shutdown()), takeUntil(hot("-----x")))).toBe("-----|");
		expectObservable(offers(hold)).toBe("-----|");
	}));

	it("leaves agents alone when it is left", marbles(({ expectObservable, flush, ...h }, scheduler) => {
		const { agents, hold } = stage(h, scheduler, ["r----s-c|"], 3);
		expectObservable(offers(hold), "^-!").toBe("---");
		flush();
		expect(agents.list().map(word)).toEqual(["completed"]);
	}));
});

// biome-ignore format: the diagrams stand in columns.
describe("the time of a hold", () => {
	it("stops what remains when it is over, and offers all at once, for the last time", marbles(({ expectObservable, flush, ...h }, scheduler) => {
		const { hold, overdue } = stage(h, scheduler, ["r-------", "r-------"], 4, { settle: 2, close: 1 });
		expectObservable(offers(hold)).toBe("------(x|)", { x: "stopped:parent_shutdown+stopped:parent_shutdown!" });
		flush();
		expect(overdue).toEqual([4]);
	}));

	it("is not said to be over when the last one has ended in that very frame", marbles(({ expectObservable, flush, ...h }, scheduler) => {
		const { hold, overdue } = stage(h, scheduler, ["r---s-c|"], 4);
		expectObservable(offers(hold)).toBe("----(a|)", { a: "completed!" });
		flush();
		expect(overdue).toEqual([]);
	}));

	it("waits for the slowest of those: what has ended by then goes along", marbles(({ expectObservable, ...h }, scheduler) => {
		// The first ends by itself in the frame in which the time is over, the second is stopped and takes a while.
		const { hold } = stage(h, scheduler, ["r---s-c|", "r--------"], 4, { settle: 3, close: 1 });
		expectObservable(offers(hold)).toBe(  "-------(X|)", words);
	}));

	it("counts from the first boundary of a run, over all of them", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r-s-c|", "r----------"], 6);
		expectObservable(hot("--b---b").pipe(mergeMap(() => offers(hold)))).toBe("--a------x", words);
	}));

	it("is whole again for the next run", marbles(({ hot, expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r-s-c|", "r----------s-c|"], 6);
		actAt(hot("---s"), () => hold.settled());
		expectObservable(hot("--b---b").pipe(mergeMap(() => offers(hold)))).toBe("--a--------a", words);
	}));

	it("is not given a second time to a model that goes on starting agents", marbles(({ hot, expectObservable, flush, ...h }, scheduler) => {
		const { agents, hold } = stage(h, scheduler, ["r----------"], 2);
		actAt(hot("-----n"), () => agents.spawn(request({ background: true })));
		expectObservable(hot("b------b").pipe(mergeMap(() => offers(hold)))).toBe("---x", words);
		flush();
		expect(agents.list().map(word)).toEqual(["stopped:parent_shutdown", "running"]);
	}));

	it("has no end where none is given", marbles(({ expectObservable, ...h }, scheduler) => {
		const { hold, overdue } = stage(h, scheduler, ["r 40000m s-c|"], "none");
		expectObservable(offers(hold)).toBe(           "- 40000m (a|)", words);
		expect(overdue).toEqual([]);
	}));

	it("longer than any timer of the host does not fire at once", marbles(({ expectObservable, ...h }, scheduler) => {
		const { hold } = stage(h, scheduler, ["r----s-c|"], 31_622_400_000);
		expectObservable(offers(hold)).toBe("-----(a|)", words);
	}));
});
