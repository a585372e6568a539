import { concat, defer, EMPTY, noop, of, retry, Subject, Subscription, throwError } from "rxjs";
import type { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { type BackoffOptions, createBackoff } from "../../../src/operators/index.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const tooMany = new Error("too many");
const other = new Error("something else");

/** Three frames, then six, then twelve. */
const doubling: BackoffOptions["delay"] = (error, times) => (error === tooMany ? 3 * 2 ** (times - 1) : undefined);

function backoffOf(scheduler: TestScheduler, delay = doubling) {
	return createBackoff({ delay, scheduler });
}

// biome-ignore format: the diagrams stand in columns.
describe("createBackoff", () => {
	it("lets everyone through as long as no source is asked too much", marbles(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const sources = [cold("-a-b|"), cold("|"), cold("-#", undefined, other), cold("(a|)"), cold("-----")] as const;
		const mirrored = [     "-a-b|",       "|",       "-#",                         "(a|)",       "-----"] as const;
		sources.forEach((source$, index) => {
			const error = index === 2 ? other : undefined;
			expectObservable(source$.pipe(backoff.heed()), "^----!").toBe(mirrored[index] ?? "", undefined, error);
		});
		expectSubscriptions(sources[0].subscriptions).toBe("^---!");
	}));

	it("passes the error on by identity, and lets nobody through in the pause after it", marbles(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const late$ = cold("                                       a|");
		expectObservable(cold("-#", undefined, tooMany).pipe(backoff.heed())).toBe("-#", undefined, tooMany);
		expectObservable(concat(cold("--|"), late$.pipe(backoff.heed()))).toBe("    ----a|");
		expectSubscriptions(late$.subscriptions).toBe("                             ----^!");
	}));

	it("makes a source wait that is asked again from inside its own error", marbles(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const failing$ = cold("-#", undefined, tooMany);
		const good$ = cold("    a|");
		let asked = 0;
		const source$ = defer(() => (asked++ === 0 ? failing$ : good$));
		expectObservable(source$.pipe(backoff.heed(), retry(1))).toBe("----a|");
		expectSubscriptions(good$.subscriptions).toBe("                ----^!");
	}));

	it("lets one through after the pause, and the next when that one is answered", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const jobs = [cold("-a---|"), cold("-a---|"), cold("-a---|")] as const;
		const error$ = cold("#", undefined, tooMany);
		void error$.pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of jobs) void concat(cold("-|"), job$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(jobs[0].subscriptions).toBe("---^----!");
		expectSubscriptions(jobs[1].subscriptions).toBe("----^----!");
		expectSubscriptions(jobs[2].subscriptions).toBe("-----^----!");
	}));

	it("takes a source that completes without a value as answered", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const [first$, second$] = [cold("-|"), cold("-|")];
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of [first$, second$]) void concat(cold("-|"), job$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(first$.subscriptions).toBe(" ---^!");
		expectSubscriptions(second$.subscriptions).toBe("----^!");
	}));

	it("lets the next one through when the one that is asking has failed for another reason", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const failing$ = cold("-#", undefined, other);
		const next$ = cold("-a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of [failing$, next$]) void concat(cold("-|"), job$.pipe(backoff.heed())).forEach(noop).catch(noop);
		expectSubscriptions(failing$.subscriptions).toBe("---^!");
		expectSubscriptions(next$.subscriptions).toBe("   ----^-!");
	}));

	it("lets the next one through when the one that is asking is left", marbles(({ cold, hot, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const left$ = cold("---a|");
		const next$ = cold("a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		const subscription = left$.pipe(backoff.heed()).subscribe({ error: noop });
		void next$.pipe(backoff.heed()).forEach(noop);
		actAt(hot("----x"), () => subscription.unsubscribe());
		expectSubscriptions(left$.subscriptions).toBe("---^!");
		expectSubscriptions(next$.subscriptions).toBe("----^!");
	}));

	it("waits for a silent one no longer than the pause was", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const silent$ = cold("--------a|");
		const next$ = cold("  -a|");
		const last$ = cold("  -a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of [silent$, next$, last$]) void job$.pipe(backoff.heed()).forEach(noop);
		expectSubscriptions(silent$.subscriptions).toBe("---^--------!");
		expectSubscriptions(next$.subscriptions).toBe("  ------^-!");
		expectSubscriptions(last$.subscriptions).toBe("  -------^-!");
	}));

	it("pauses longer each time in a row, and anew once one was answered", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const failing = () => cold("#", undefined, tooMany);
		const jobs = [failing(), cold("a|"), failing(), cold("a|")] as const;
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of jobs) void job$.pipe(backoff.heed()).forEach(noop).catch(noop);
		expectSubscriptions(jobs[0].subscriptions).toBe("---(^!)");
		expectSubscriptions(jobs[1].subscriptions).toBe("---------^!");
		expectSubscriptions(jobs[2].subscriptions).toBe("---------(^!)");
		expectSubscriptions(jobs[3].subscriptions).toBe("------------^!");
	}));

	it("lets everyone through again once one is answered and nobody is in line", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const jobs = [cold("-a-|"), cold("-a-|"), cold("-a-|")] as const;
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		void jobs[0].pipe(backoff.heed()).forEach(noop);
		for (const job$ of jobs.slice(1)) void concat(cold("-----|"), job$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(jobs[0].subscriptions).toBe("---^--!");
		expectSubscriptions(jobs[1].subscriptions).toBe("-----^--!");
		expectSubscriptions(jobs[2].subscriptions).toBe("-----^--!");
	}));

	it("takes failures of what was asked before a pause as that same pause, which the longest decides", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		// At 1, 2 and 3: three frames after the last of them, and not six or twelve.
		const together = [cold("-#", undefined, tooMany), cold("--#", undefined, tooMany), cold("---#", undefined, tooMany)];
		const next$ = cold("a|");
		for (const job$ of together) void job$.pipe(backoff.heed()).forEach(noop).catch(noop);
		void concat(cold("--|"), next$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(next$.subscriptions).toBe("------^!");
	}));

	it("is not shortened by a failure that would have paused for less, of what was asked before", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler, (error) => (error === tooMany ? 8 : 2));
		const next$ = cold("a|");
		for (const job$ of [cold("-#", undefined, tooMany), cold("--#", undefined, other)]) void job$.pipe(backoff.heed()).forEach(noop).catch(noop);
		void concat(cold("--|"), next$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(next$.subscriptions).toBe("---------^!");
	}));

	it("pauses as long as the last time for what was asked before that and fails after it", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		// The first is silent for a pause, so the second is asked as well: it fails at 6, and the first at 8.
		const jobs = [cold("-----#", undefined, tooMany), cold("#", undefined, tooMany), cold("a|")] as const;
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of jobs) void job$.pipe(backoff.heed()).forEach(noop).catch(noop);
		expectSubscriptions(jobs[0].subscriptions).toBe("---^----!");
		expectSubscriptions(jobs[1].subscriptions).toBe("------(^!)");
		expectSubscriptions(jobs[2].subscriptions).toBe("--------------^!");
	}));

	it("lets one through for an answer, however many values that has", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const jobs = [cold("abcdef|"), cold("--------|"), cold("a|")] as const;
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		for (const job$ of jobs) void job$.pipe(backoff.heed()).forEach(noop);
		expectSubscriptions(jobs[1].subscriptions).toBe("---^-------!");
		expectSubscriptions(jobs[2].subscriptions).toBe("------^!");
	}));

	it("does not end a pause when something is answered that was asked before it", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const next$ = cold("a|");
		void cold("--a|").pipe(backoff.heed()).forEach(noop);
		void cold("-#", undefined, tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		void concat(cold("-|"), next$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(next$.subscriptions).toBe("----^!");
	}));

	it("begins a pause when one that was answered fails later", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const next$ = cold("a|");
		void cold("a-#", undefined, tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		void concat(cold("--|"), next$.pipe(backoff.heed())).forEach(noop);
		expectSubscriptions(next$.subscriptions).toBe("-----^!");
	}));

	it("never subscribes a source that leaves the line, and leaves no timer behind", marbles(({ cold, flush, expectObservable, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler, () => 1_000);
		const leaving$ = cold("a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		expectObservable(leaving$.pipe(backoff.heed()), "^--!").toBe("----");
		expectSubscriptions(leaving$.subscriptions).toBe([]);
		flush();
		expect([backoff.waiting, scheduler.frame]).toEqual([0, 3]);
	}));

	it("starts no timer for a pause that nobody waits out", marbles(({ flush }, scheduler) => {
		const backoff = backoffOf(scheduler, () => 1_000);
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		flush();
		expect(scheduler.frame).toBe(0);
	}));

	it("never subscribes a source that leaves in the frame in which the pause ends, and lets the next one through", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const leaving$ = cold("-a|");
		const next$ = cold("a|");
		scheduler.schedule(() => subscription.unsubscribe(), 3);
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		const subscription = leaving$.pipe(backoff.heed()).subscribe({ error: noop });
		void next$.pipe(backoff.heed()).forEach(noop);
		expectSubscriptions(leaving$.subscriptions).toBe([]);
		expectSubscriptions(next$.subscriptions).toBe("---^!");
	}));

	it("subscribes and leaves at once a source that leaves just after the pause in the same frame", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const backoff = backoffOf(scheduler);
		const leaving$ = cold("-a|");
		const next$ = cold("a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		const subscription = leaving$.pipe(backoff.heed()).subscribe({ error: noop });
		void next$.pipe(backoff.heed()).forEach(noop);
		scheduler.schedule(() => subscription.unsubscribe(), 3);
		expectSubscriptions(leaving$.subscriptions).toBe("---(^!)");
		expectSubscriptions(next$.subscriptions).toBe("   ---^!");
	}));

	it("gives the subscriber what its own function throws", marbles(({ cold, expectObservable }, scheduler) => {
		const thrown = new Error("of the function");
		const backoff = backoffOf(scheduler, () => {
			throw thrown;
		});
		expectObservable(cold("-#", undefined, tooMany).pipe(backoff.heed())).toBe("-#", undefined, thrown);
		expectObservable(concat(cold("--|"), of("a").pipe(backoff.heed()))).toBe("  --(a|)");
	}));

	it("takes no timer that the host does not have", () => {
		const delays: (number | undefined)[] = [];
		const schedule = (_work: unknown, delay?: number) => {
			delays.push(delay);
			return Subscription.EMPTY;
		};
		const backoff = createBackoff({ delay: () => 2 ** 31 + 5, scheduler: { now: () => 0, schedule } });
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		const waiting = of(1).pipe(backoff.heed()).subscribe({ error: noop });
		expect(delays).toEqual([2 ** 31 - 1]);
		waiting.unsubscribe();
	});

	it("waits out a pause that is longer than a timer can be", marbles(({ cold, expectSubscriptions }, scheduler) => {
		const weeks = 60 * 24 * 3600 * 1000;
		const backoff = backoffOf(scheduler, () => weeks);
		const next$ = cold("a|");
		void throwError(() => tooMany).pipe(backoff.heed()).forEach(noop).catch(noop);
		void next$.pipe(backoff.heed()).forEach(noop);
		expectSubscriptions(next$.subscriptions).toBe(`${weeks}ms ^!`);
	}));
});

describe("a line behind a pause", () => {
	it(
		"of many sources that end at once goes in order and in constant depth",
		marbles(({ flush }, scheduler) => {
			const backoff = backoffOf(scheduler);
			const seen: number[] = [];
			const count = 5_000;
			void throwError(() => tooMany)
				.pipe(backoff.heed())
				.forEach(noop)
				.catch(noop);
			for (let index = 0; index < count; index++) {
				const source$ = defer(() => {
					seen.push(index);
					return EMPTY;
				});
				void source$.pipe(backoff.heed()).forEach(noop);
			}
			expect(backoff.waiting).toBe(count);
			flush();
			expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
			expect(backoff.waiting).toBe(0);
		}),
	);

	it(
		"takes one that is added from inside another's start, behind those that wait",
		marbles(({ flush }, scheduler) => {
			const backoff = backoffOf(scheduler);
			const seen: string[] = [];
			const ask = (name: string, inside: () => void = noop) =>
				void defer(() => {
					inside();
					seen.push(name);
					return new Subject<never>();
				})
					.pipe(backoff.heed())
					.forEach(noop);
			void throwError(() => tooMany)
				.pipe(backoff.heed())
				.forEach(noop)
				.catch(noop);
			ask("first", () => ask("third"));
			ask("second");
			flush();
			expect(seen).toEqual(["first", "second", "third"]);
		}),
	);
});
