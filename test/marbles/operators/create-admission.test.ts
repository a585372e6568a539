import { BehaviorSubject, defer, EMPTY, finalize, NEVER, noop, of, Subject, type Subscription } from "rxjs";
import { describe, expect, it } from "vitest";
import { createAdmission } from "../../../src/operators/index.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const failure = new Error("of the job");
const limits = { 0: 0, 1: 1, 2: 2, 3: 3 };

describe("createAdmission", () => {
	it(
		"runs as many as the limit, the others in the order they came, each when a slot is free",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const admission = createAdmission({ limit$: of(2) });
			const first$ = cold(" --a|");
			const second$ = cold("-----b|");
			const third$ = cold("     -c|");
			const fourth$ = cold("       -d|");
			expectObservable(first$.pipe(admission.admit())).toBe(" --a|");
			expectObservable(second$.pipe(admission.admit())).toBe("-----b|");
			expectObservable(third$.pipe(admission.admit())).toBe(" ----c|");
			expectObservable(fourth$.pipe(admission.admit())).toBe("------d|");
			expectSubscriptions(first$.subscriptions).toBe(" ^--!");
			expectSubscriptions(second$.subscriptions).toBe("^-----!");
			expectSubscriptions(third$.subscriptions).toBe(" ---^-!");
			expectSubscriptions(fourth$.subscriptions).toBe("-----^-!");
		}),
	);

	it(
		"mirrors errors by identity, and the slot is free after one",
		marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
			const admission = createAdmission({ limit$: of(1) });
			const failing$ = cold("-#", undefined, failure);
			const next$ = cold("    -a|");
			expectObservable(failing$.pipe(admission.admit())).toBe("-#", undefined, failure);
			expectObservable(next$.pipe(admission.admit())).toBe("   --a|");
			expectSubscriptions(next$.subscriptions).toBe("          -^-!");
			flush();
			expect([admission.running, admission.waiting]).toEqual([0, 0]);
		}),
	);

	it(
		"keeps the slot of a source that never ends, until it is left",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const admission = createAdmission({ limit$: of(1) });
			const next$ = cold("-a|");
			expectObservable(NEVER.pipe(admission.admit()), "^---!").toBe("-----");
			expectObservable(EMPTY.pipe(admission.admit())).toBe("         ----|");
			expectObservable(next$.pipe(admission.admit())).toBe("          -----a|");
			expectSubscriptions(next$.subscriptions).toBe("                 ----^-!");
		}),
	);

	it(
		"never subscribes a source that leaves the line",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const admission = createAdmission({ limit$: of(1) });
			const leaving$ = cold("a|");
			const next$ = cold("       -b|");
			expectObservable(cold("  ----|").pipe(admission.admit())).toBe("----|");
			expectObservable(leaving$.pipe(admission.admit()), "^--!").toBe("----");
			expectObservable(next$.pipe(admission.admit())).toBe("           -----b|");
			expectSubscriptions(leaving$.subscriptions).toBe([]);
			expectSubscriptions(next$.subscriptions).toBe("----^-!");
		}),
	);

	it(
		"never subscribes a source that leaves just before the slot is free in the same frame",
		marbles(({ hot, cold, expectSubscriptions, flush }) => {
			const leaving$ = hot("--x");
			const running$ = hot("--|");
			const admission = createAdmission({ limit$: of(1) });
			const queued$ = cold("-a|");
			void running$.pipe(admission.admit()).forEach(noop);
			const subscription = queued$.pipe(admission.admit()).subscribe({ error: noop });
			actAt(leaving$, () => subscription.unsubscribe());
			expectSubscriptions(queued$.subscriptions).toBe([]);
			flush();
			expect([admission.running, admission.waiting]).toEqual([0, 0]);
		}),
	);

	it(
		"starts and ends at once a source that leaves just after the slot is free in the same frame",
		marbles(({ hot, cold, expectSubscriptions, flush }) => {
			const running$ = hot("--|");
			const leaving$ = hot("--x");
			const admission = createAdmission({ limit$: of(1) });
			const queued$ = cold("-a|");
			void running$.pipe(admission.admit()).forEach(noop);
			const subscription = queued$.pipe(admission.admit()).subscribe({ error: noop });
			actAt(leaving$, () => subscription.unsubscribe());
			expectSubscriptions(queued$.subscriptions).toBe("--(^!)");
			flush();
			expect([admission.running, admission.waiting]).toEqual([0, 0]);
		}),
	);

	it(
		"starts who waits when the limit is raised, and stops nothing when it is lowered",
		marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
			const limit$ = hot("      -1--3--1--|", limits);
			const admission = createAdmission({ limit$: limit$ });
			const jobs = [cold("      --------|"), cold("        --------|"), cold("----|"), cold("-|")] as const;
			const ends = ["---------|", "------------|", "--------|", "-------------|"] as const;
			jobs.forEach((job$, index) => {
				expectObservable(job$.pipe(admission.admit())).toBe(ends[index] ?? "");
			});
			// At 8 and at 9 one ends, but the limit is 1 by then and others run; only at 12 the last one may start.
			expectSubscriptions(jobs[0].subscriptions).toBe("-^-------!");
			expectSubscriptions(jobs[1].subscriptions).toBe("----^-------!");
			expectSubscriptions(jobs[2].subscriptions).toBe("----^---!");
			expectSubscriptions(jobs[3].subscriptions).toBe("------------^!");
			expectSubscriptions(limit$.subscriptions).toBe("  ^---------!");
			flush();
			expect([admission.running, admission.waiting]).toEqual([0, 0]);
		}),
	);

	it(
		"starts nothing before the first limit and while it is 0",
		marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
			const limit$ = hot("  --1--0--1", limits);
			const admission = createAdmission({ limit$ });
			const first$ = cold("    ----|");
			const second$ = cold("         -|");
			expectObservable(first$.pipe(admission.admit())).toBe("------|");
			expectObservable(second$.pipe(admission.admit())).toBe("---------|");
			expectSubscriptions(first$.subscriptions).toBe("       --^---!");
			expectSubscriptions(second$.subscriptions).toBe("      --------^!");
		}),
	);

	for (const [how, end] of [
		["errors", "-(2#)"],
		["completes", "-(2|)"],
	] as const) {
		it(
			`keeps the last limit$ when limit$ ${how}`,
			marbles(({ hot, cold, expectSubscriptions, expectObservable }) => {
				const limit$ = hot(end, limits, failure);
				const admission = createAdmission({ limit$: limit$ });
				const jobs = [cold("--|"), cold("--|"), cold("-|")] as const;
				for (const job$ of jobs)
					expectObservable(job$.pipe(admission.admit()), "^---------!").toBe(job$ === jobs[2] ? "----|" : "---|");
				expectSubscriptions(jobs[2].subscriptions).toBe("---^!");
				expectSubscriptions(limit$.subscriptions).toBe("^!");
			}),
		);
	}

	it(
		"counts a raise before the end of a job in the same frame, and after it, the same",
		marbles(({ hot, cold, expectSubscriptions, expectObservable, flush }) => {
			const before$ = hot("  1-2--", limits);
			const ending$ = hot("  --|--");
			const after$ = hot("   1-2--", limits);
			for (const limit$ of [before$, after$]) {
				const admission = createAdmission({ limit$ });
				const jobs = [cold("-|"), cold("-|"), cold("-|")] as const;
				expectObservable(ending$.pipe(admission.admit())).toBe("--|");
				for (const job$ of jobs.slice(0, 2)) expectObservable(job$.pipe(admission.admit())).toBe("---|");
				expectObservable(jobs[2].pipe(admission.admit())).toBe("----|");
				expectSubscriptions(jobs[0].subscriptions).toBe("--^!");
				expectSubscriptions(jobs[1].subscriptions).toBe("--^!");
				expectSubscriptions(jobs[2].subscriptions).toBe("---^!");
			}
			flush();
		}),
	);

	it("asks for a place when it is subscribed, and again for each subscription", () => {
		const admission = createAdmission({ limit$: of(0) });
		const admitted$ = of(1).pipe(admission.admit());
		expect(admission.waiting).toBe(0);
		const subscriptions = [admitted$.subscribe({ error: noop }), admitted$.subscribe({ error: noop })];
		expect(admission.waiting).toBe(2);
		for (const subscription of subscriptions) subscription.unsubscribe();
		expect(admission.waiting).toBe(0);
	});

	it("frees a slot after the source's own teardown, whichever way the job ends", () => {
		const log: string[] = [];
		for (const end of [
			(job$: Subject<never>) => job$.complete(),
			(job$: Subject<never>) => job$.error(failure),
			(_$: Subject<never>, running: Subscription) => running.unsubscribe(),
		]) {
			const admission = createAdmission({ limit$: of(1) });
			const job$ = new Subject<never>();
			const source$ = job$.pipe(finalize(() => log.push(`torn down, ${admission.running} running`)));
			const running = source$.pipe(admission.admit()).subscribe({ error: noop });
			const next$ = defer(() => {
				log.push("next starts");
				return EMPTY;
			});
			const waiting = next$.pipe(admission.admit()).subscribe({ error: noop });
			end(job$, running);
			expect(log.splice(0)).toEqual(["torn down, 1 running", "next starts"]);
			expect([admission.running, waiting.closed, job$.observed]).toEqual([0, true, false]);
		}
	});
});

describe("createAdmission: together", () => {
	/** Jobs that log their starts. Each ends at once, after it has done what it has to do. */
	function jobs(limit: number) {
		const limit$ = new BehaviorSubject(limit);
		const admission = createAdmission({ limit$ });
		const log: string[] = [];
		function ask(name: string, act: () => void = noop): void {
			const job$ = defer(() => {
				log.push(name);
				act();
				return EMPTY;
			});
			void job$.pipe(admission.admit()).subscribe({ error: noop });
		}
		return { admission, limit$, log, ask };
	}

	it("lets all who come meanwhile stand in line before the first of them starts", () => {
		const { admission, log, ask } = jobs(3);
		admission.together(() => {
			ask("a", () => ask("c"));
			ask("b");
			expect([log, admission.waiting]).toEqual([[], 2]);
		});
		expect([log, admission.waiting]).toEqual([["a", "b", "c"], 0]);
	});

	it("starts nobody in a slot that comes free or is added meanwhile, and does so afterwards", () => {
		const { admission, limit$, log, ask } = jobs(1);
		const running$ = new Subject<never>();
		void running$.pipe(admission.admit()).subscribe({ error: noop });
		ask("a");
		admission.together(() => {
			limit$.next(2);
			running$.complete();
			ask("b");
			expect(log).toEqual([]);
		});
		expect(log).toEqual(["a", "b"]);
	});

	it("nests: the outermost is the one that counts, and so does a start", () => {
		const { admission, log, ask } = jobs(2);
		admission.together(() => {
			admission.together(() => ask("a", () => admission.together(() => ask("c", () => log.push("in c")))));
			ask("b", () => log.push("in b"));
			expect(log).toEqual([]);
		});
		expect(log).toEqual(["a", "b", "in b", "c", "in c"]);
	});

	it("throws what is thrown in it, and starts who stands in line all the same", () => {
		const { admission, log, ask } = jobs(1);
		function act(): void {
			ask("a");
			throw failure;
		}
		expect(() => admission.together(act)).toThrow(failure);
		ask("b");
		expect(log).toEqual(["a", "b"]);
	});
});
