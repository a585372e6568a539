import { NEVER, type SchedulerLike, Subject, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import type { RunLimits } from "../../src/streams/ports.ts";
import { timeLimits } from "../../src/streams/time-limits.ts";

/** What is asked for, when, and with timers of which lengths. */
function played(limits: Partial<RunLimits>, events$ = NEVER) {
	const virtual = new VirtualTimeScheduler();
	const timers: number[] = [];
	const scheduler: SchedulerLike = {
		now: () => virtual.now(),
		schedule: (work, delay = 0, state) => {
			timers.push(delay);
			return virtual.schedule(work as never, delay, state as never);
		},
	};
	const log: unknown[] = [];
	timeLimits({ graceTurns: 1, ...limits }, events$, scheduler)
		.subscribe({
			next: (decision) => log.push([virtual.frame, decision]),
			error: (error: unknown) => log.push(error),
			complete: () => log.push("over"),
		})
		.add(() => undefined);
	virtual.flush();
	return { log, timers };
}

const longest = 2 ** 31 - 1;

describe("limits of time", () => {
	it("set no timer where there are none", () => {
		expect(played({})).toEqual({ log: ["over"], timers: [] });
	});

	it("are in seconds: a run is asked at four fifths, and stopped at the end", () => {
		const { log } = played({ runTimeout: 10 });
		expect(log).toEqual([[8_000, { wrapUp: "time" }], [10_000, { status: "aborted", reason: "timeout" }], "over"]);
	});

	it("take one timer up to the longest that there is, and two beyond", () => {
		expect(played({ idleTimeout: longest / 1000 }).timers).toEqual([longest]);
		const beyond = played({ idleTimeout: (longest + 5) / 1000 });
		expect(beyond.timers).toEqual([longest, 5]);
		expect(beyond.log).toEqual([[longest + 5, { status: "aborted", reason: "idle_timeout" }]]);
	});

	it("fail with what they listen to", () => {
		const failure = new Error("of the events");
		const events$ = new Subject<boolean>();
		events$.error(failure);
		expect(played({ idleTimeout: 1 }, events$ as never).log).toEqual([failure]);
	});
});
