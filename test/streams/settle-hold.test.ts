import { EMPTY, NEVER, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { createSettleHold } from "../../src/streams/settle-hold.ts";
import { running } from "../ui/records.ts";

/** A hold over one agent that never ends, with the delays of its timers and the agents that it stops. */
function world(holdTime?: number) {
	const virtual = new VirtualTimeScheduler();
	const timers: number[] = [];
	const stopped: string[] = [];
	const hold = createSettleHold({
		agents: {
			list: () => [running("a")],
			changes$: NEVER,
			stop: (agentIds) => {
				stopped.push(...agentIds);
				return EMPTY;
			},
		},
		outbox: { take: () => undefined },
		routes: ["boundary"],
		...(holdTime === undefined ? {} : { holdTime }),
		scheduler: {
			now: () => virtual.now(),
			schedule: (work, delay = 0, state) => {
				timers.push(delay);
				return virtual.schedule(work as never, delay, state as never);
			},
		},
	});
	const log: string[] = [];
	const waiting = hold.next$.subscribe({ next: () => log.push("offer"), error: () => log.push("error") });
	virtual.flush();
	waiting.unsubscribe();
	return { timers, stopped, log };
}

describe("a hold", () => {
	it("without an end sets no timer for one, and stops nobody", () => {
		expect(world()).toEqual({ timers: [0], stopped: [], log: [] });
	});

	it("takes no timer that the host does not have", () => {
		expect(world(2 ** 31 + 5).timers[0]).toBe(2 ** 31 - 1);
	});

	it("stops what remains at its end, also where nobody wants to hear of that", () => {
		expect(world(5_000)).toEqual({ timers: [5_000, 0], stopped: ["a"], log: [] });
	});
});
