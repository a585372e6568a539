import { BehaviorSubject, EMPTY, filter, mergeMap, noop, Subject, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { refCountClaim } from "../../../src/operators/index.ts";
import {
	createOutbox,
	type Note,
	type ParentActivity,
	type Publishable,
	type RunKey,
	runKey,
	type TerminalRecord,
} from "../../../src/streams/index.ts";
import { boundaryLosses, refusedPause, wakeLosses } from "../../../src/streams/outbox.ts";
import { keysOf, terminalRecord } from "../../support/outbox-fixture.ts";

/** An outbox whose host is the test's own, on a clock that the test moves. */
function bareOutbox(wake: (note: Note) => boolean = () => true) {
	const publishable$ = new Subject<Publishable>();
	const activity$ = new Subject<ParentActivity>();
	const scheduler = new VirtualTimeScheduler();
	const committed = new Set<RunKey>();
	const said: string[] = [];
	const outbox = createOutbox({
		publishable$,
		activity$,
		scheduler,
		port: { wake, committed: () => committed, notify: (text) => said.push(text) },
		compose: (records) => {
			const deliveries = records.map((record) => runKey(record.agentId, record.run));
			return { text: "", deliveries, details: { delivery: deliveries, agents: [] } };
		},
	});
	/** A result that has settled already, with nothing but what every result has. */
	const settled = (name: string, more: Partial<Publishable> = {}): Publishable => {
		const record = terminalRecord(name);
		const done$ = new Subject<TerminalRecord>();
		const publishable = { key: runKey(record.agentId, record.run), claim: refCountClaim(done$), ...more };
		publishable.claim.connect();
		publishable$.next(publishable);
		done$.next(record);
		done$.complete();
		return publishable;
	};
	return {
		outbox,
		publishable$,
		activity: (next: ParentActivity) => activity$.next(next),
		scheduler,
		committed,
		said,
		settled,
	};
}

describe("a parent of which nothing is known", () => {
	it("is not woken before it is known to be idle", () => {
		const woken: string[] = [];
		const { settled, scheduler, activity } = bareOutbox((note) => woken.push(keysOf(note)) > 0);
		settled("a001");
		scheduler.flush();
		expect(woken).toEqual([]);
		activity("idle");
		scheduler.flush();
		expect(woken).toEqual(["a001#1"]);
	});
});

describe("a parent that cannot be woken now", () => {
	it("costs no timer", () => {
		const { settled, scheduler, activity } = bareOutbox();
		settled("a001");
		activity("busy");
		expect(scheduler.actions).toEqual([]);
		activity("idle");
		expect(scheduler.actions).toHaveLength(1);
	});

	it("is not woken when it has become busy in the step before", () => {
		const woken: string[] = [];
		const { settled, scheduler, activity } = bareOutbox((note) => woken.push(keysOf(note)) > 0);
		activity("idle");
		settled("a001");
		activity("busy");
		scheduler.flush();
		expect(woken).toEqual([]);
	});
});

describe("a message that the host refuses", () => {
	it("is tried once a pause, and not at once because its results are held again", () => {
		let tries = 0;
		const times: number[] = [];
		const { settled, scheduler, activity } = bareOutbox(() => {
			times.push(scheduler.frame);
			// Asked without a pause, time would stand still for ever.
			return ++tries === 4;
		});
		activity("idle");
		settled("a001");
		scheduler.flush();
		expect(times).toEqual([0, refusedPause, 2 * refusedPause, 3 * refusedPause]);
	});

	it("gives back nothing that was seen in the session meanwhile", () => {
		const { settled, scheduler, activity, outbox, committed } = bareOutbox(() => {
			committed.add(a.key);
			outbox.reconcile("run_started");
			return false;
		});
		const a = settled("a001");
		activity("idle");
		scheduler.flush();
		expect([a.claim.state.kind, outbox.keys]).toEqual(["committed", []]);
	});

	it("gives back nothing twice that was missed in the session meanwhile", () => {
		let tries = 0;
		const { settled, scheduler, activity, outbox } = bareOutbox(() => {
			tries++;
			outbox.reconcile("past_start");
			return false;
		});
		const a = settled("a001");
		activity("idle");
		scheduler.flush();
		expect([a.claim.state.kind, tries]).toEqual(["held", wakeLosses]);
	});
});

describe("taking", () => {
	it("leaves out a result that is no record, because its run was disposed of", () => {
		const { outbox, publishable$ } = bareOutbox();
		const claim = refCountClaim<TerminalRecord>(EMPTY);
		claim.connect();
		publishable$.next({ key: terminalKey("a001"), claim });
		expect(outbox.take("boundary")).toBeUndefined();
	});

	it("leaves out a result that somebody reads because another one goes", () => {
		const { outbox, settled } = bareOutbox();
		const a = settled("a001");
		const b = settled("b001");
		const read: string[] = [];
		const reader$ = a.claim.state$.pipe(
			filter(({ kind }) => kind === "handed"),
			mergeMap(() => b.claim.claim$),
		);
		const scope = reader$.subscribe({ next: ({ agentId }) => read.push(agentId), error: noop });
		expect(keysOf(outbox.take("boundary"))).toBe("a001#1");
		expect(read).toEqual(["b001"]);
		scope.unsubscribe();
	});

	it("treats the queue of an older host as it treats the boundary", () => {
		const { outbox, settled } = bareOutbox();
		settled("a001");
		for (let loss = 0; loss < boundaryLosses; loss++) {
			expect(keysOf(outbox.take("follow_up"))).toBe("a001#1");
			outbox.reconcile("past_start");
		}
		expect(keysOf(outbox.take("follow_up"))).toBe("nothing");
		expect(keysOf(outbox.take("wake"))).toBe("a001#1");
	});
});

describe("losses", () => {
	it("are counted for what was handed over, and for nothing else", () => {
		const { outbox, settled, said } = bareOutbox();
		settled("a001");
		settled("b001", { release: { current: false, state$: new BehaviorSubject(false) } });
		for (let loss = 0; loss < boundaryLosses; loss++) {
			expect(keysOf(outbox.take("boundary"))).toBe("a001#1");
			outbox.reconcile("past_start");
		}
		expect(said).toEqual([expect.stringContaining("a001#1")]);
	});
});

function terminalKey(name: string): RunKey {
	const record = terminalRecord(name);
	return runKey(record.agentId, record.run);
}
