import { defer, EMPTY, finalize, NEVER, noop, Observable, of, Subject, Subscription, take, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type Admission, AdmissionClosed, createAdmission } from "../../../src/operators/index.ts";
import { marbles } from "../../support/marbles.ts";
import { unhandledErrors } from "../../support/unhandled-errors.ts";

const failure = new Error("of the job");

describe("createAdmission: occupied$", () => {
	for (const [how, occupied] of [
		["emits", "---x--"],
		["completes", "---|"],
		["errors", "---#"],
	] as const) {
		it(
			`holds the slot of a job that was left early until occupied$ ${how}`,
			marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
				const admission = createAdmission({ limit$: of(1) });
				const left$ = cold("----------|");
				const occupied$ = cold(occupied);
				const next$ = cold("     -a|");
				expectObservable(left$.pipe(admission.admit({ occupied$ })), "^-!").toBe("---");
				expectObservable(next$.pipe(admission.admit())).toBe("             ------a|");
				expectSubscriptions(left$.subscriptions).toBe("^-!");
				expectSubscriptions(occupied$.subscriptions).toBe("--^--!");
				expectSubscriptions(next$.subscriptions).toBe("     -----^-!");
				flush();
				expect([admission.running, admission.waiting]).toEqual([0, 0]);
			}),
		);
	}

	it(
		"does not ask occupied$ when the source completes, errors, or never got a slot",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const admission = createAdmission({ limit$: of(1) });
			const occupied$ = cold("x");
			expectObservable(cold("-|").pipe(admission.admit({ occupied$ }))).toBe("-|");
			expectObservable(cold("-#", undefined, failure).pipe(admission.admit({ occupied$ }))).toBe(
				"--#",
				undefined,
				failure,
			);
			expectObservable(cold("---|").pipe(admission.admit({ occupied$ }))).toBe("-----|");
			expectObservable(cold("-|").pipe(admission.admit({ occupied$ })), "^--!").toBe("----");
			expectSubscriptions(occupied$.subscriptions).toBe([]);
		}),
	);

	it("counts the slot as running while occupied$ has not spoken", () => {
		const admission = createAdmission({ limit$: of(1) });
		const occupied$ = new Subject<void>();
		NEVER.pipe(admission.admit({ occupied$ })).subscribe({ error: noop }).unsubscribe();
		expect([admission.running, occupied$.observed]).toEqual([1, true]);
		occupied$.next();
		expect([admission.running, occupied$.observed]).toEqual([0, false]);
	});

	it("hears what the source's own teardown sets off, and frees the slot after that teardown", () => {
		const admission = createAdmission({ limit$: of(1) });
		const closed$ = new Subject<void>();
		const log: unknown[] = [];
		const source$ = NEVER.pipe(
			finalize(() => {
				closed$.next();
				log.push(admission.running);
			}),
		);
		source$
			.pipe(admission.admit({ occupied$: closed$ }))
			.subscribe({ error: noop })
			.unsubscribe();
		expect([log, admission.running]).toEqual([[1], 0]);
	});

	it("frees the slot right after the teardown when occupied$ speaks at once", () => {
		for (const occupied$ of [of(1), EMPTY, throwError(() => failure)]) {
			const admission = createAdmission({ limit$: of(1) });
			NEVER.pipe(admission.admit({ occupied$ })).subscribe({ error: noop }).unsubscribe();
			expect(admission.running).toBe(0);
		}
	});

	it("holds the slot of a synchronous source whose consumer leaves on the first value", () => {
		const admission = createAdmission({ limit$: of(1) });
		const occupied$ = new Subject<void>();
		const torn: number[] = [];
		const source$ = of(1, 2).pipe(finalize(() => torn.push(admission.running)));
		const first$ = source$.pipe(admission.admit({ occupied$ }), take(1));
		const subscription = first$.subscribe({ error: noop });
		expect([subscription.closed, torn, admission.running]).toEqual([true, [1], 1]);
		occupied$.complete();
		expect(admission.running).toBe(0);
	});
});

describe("createAdmission: many, nested and throwing", () => {
	it("runs 100,000 synchronous jobs one at a time, in order", { timeout: 60_000 }, () => {
		const limit$ = new Subject<number>();
		const admission = createAdmission({ limit$ });
		const count = 100_000;
		const started: number[] = [];
		let most = 0;
		let completed = 0;
		// Not one `Subscription` for all: each that ends is searched for in it, which takes half a minute at this number.
		const subscriptions: Subscription[] = [];
		for (let index = 0; index < count; index++) {
			const job$ = defer(() => {
				started.push(index);
				most = Math.max(most, admission.running);
				return of(index);
			});
			subscriptions.push(job$.pipe(admission.admit()).subscribe({ error: noop, complete: () => completed++ }));
		}
		expect(admission.waiting).toBe(count);
		limit$.next(1);
		expect([started.length, completed, most]).toEqual([count, count, 1]);
		expect(started.every((index, at) => index === at)).toBe(true);
		expect([admission.running, admission.waiting]).toEqual([0, 0]);
		expect(subscriptions.every(({ closed }) => closed)).toBe(true);
	});

	it("lets a chain of 100,000 jobs each ask for the next one from its own end", { timeout: 60_000 }, () => {
		const admission = createAdmission({ limit$: of(1) });
		const count = 100_000;
		let ran = 0;
		function ask(): void {
			ran++;
			if (ran < count) void EMPTY.pipe(admission.admit()).subscribe({ error: noop, complete: ask });
		}
		void EMPTY.pipe(admission.admit()).subscribe({ error: noop, complete: ask });
		expect([ran, admission.running, admission.waiting]).toEqual([count, 0, 0]);
	});

	it("starts what is asked for inside a start after that start, in the order of asking", () => {
		const admission = createAdmission({ limit$: of(3) });
		const log: string[] = [];
		const subscriptions = new Subscription();
		const job = (name: string): Observable<never> =>
			defer(() => {
				log.push(name);
				return NEVER;
			}).pipe(admission.admit());
		const outer$ = defer(() => {
			log.push("outer begins");
			for (const name of ["a", "b", "c"]) subscriptions.add(job(name).subscribe({ error: noop }));
			log.push("outer has begun");
			return NEVER;
		});
		subscriptions.add(outer$.pipe(admission.admit()).subscribe({ error: noop }));
		expect(log).toEqual(["outer begins", "outer has begun", "a", "b"]);
		expect([admission.running, admission.waiting]).toEqual([3, 1]);
		subscriptions.unsubscribe();
		expect([admission.running, admission.waiting]).toEqual([0, 0]);
	});

	it("frees the slot of a source that throws on subscribe, and gives its consumer the error", () => {
		const admission = createAdmission({ limit$: of(1) });
		const source$ = new Observable<never>(() => {
			throw failure;
		});
		const seen: unknown[] = [];
		const subscription = source$.pipe(admission.admit()).subscribe({ error: (error: unknown) => seen.push(error) });
		expect(seen[0]).toBe(failure);
		expect([seen.length, subscription.closed, admission.running]).toEqual([1, true, 0]);
	});

	it("keeps its counts when an observer throws", async () => {
		const admission = createAdmission({ limit$: of(1) });
		function fail(): never {
			throw failure;
		}
		const bad = new Subscription();
		const seen: number[] = [];
		const reported = await unhandledErrors(() => {
			bad.add(of(1).pipe(admission.admit()).subscribe({ next: fail, error: noop }));
			bad.add(of(1).pipe(admission.admit()).subscribe({ error: noop, complete: fail }));
			bad.add(
				throwError(() => new Error("of the job"))
					.pipe(admission.admit())
					.subscribe({ error: fail }),
			);
			bad.add(
				of(2)
					.pipe(admission.admit())
					.subscribe({ next: (value) => seen.push(value), error: noop }),
			);
		});
		expect(reported).toEqual([failure, failure, failure]);
		expect([seen, admission.running, admission.waiting]).toEqual([[2], 0, 0]);
		bad.unsubscribe();
	});

	it("keeps its counts when a finalizer throws, before the line or after it, and goes on", () => {
		function fail(): never {
			throw failure;
		}
		for (const admitted of [
			(job$: Observable<never>, admission: Admission) => job$.pipe(finalize(fail), admission.admit()),
			(job$: Observable<never>, admission: Admission) => job$.pipe(admission.admit(), finalize(fail)),
		]) {
			const admission = createAdmission({ limit$: of(1) });
			const job$ = new Subject<never>();
			const seen: number[] = [];
			const bad = admitted(job$, admission).subscribe({ error: noop });
			const good = of(2)
				.pipe(admission.admit())
				.subscribe({ next: (value) => seen.push(value), error: noop });
			job$.complete();
			expect([seen, admission.running, admission.waiting]).toEqual([[2], 0, 0]);
			expect([bad.closed, good.closed]).toEqual([true, true]);
		}
	});

	it("takes a limit that is raised from inside a start", () => {
		const limit$ = new Subject<number>();
		const admission = createAdmission({ limit$ });
		const log: string[] = [];
		const subscriptions = new Subscription();
		const raising$ = defer(() => {
			limit$.next(2);
			log.push("first has begun");
			return NEVER;
		});
		const second$ = defer(() => {
			log.push("second begins");
			return NEVER;
		});
		subscriptions.add(raising$.pipe(admission.admit()).subscribe({ error: noop }));
		subscriptions.add(second$.pipe(admission.admit()).subscribe({ error: noop }));
		limit$.next(1);
		expect(log).toEqual(["first has begun", "second begins"]);
		subscriptions.unsubscribe();
	});
});

describe("createAdmission: close", () => {
	it(
		"lets what runs go on, and leaves limit$ and occupied$",
		marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
			const limit$ = hot("    2-------3--", { 2: 2, 3: 3 });
			const admission = createAdmission({ limit$ });
			const closing$ = cold("---x");
			const occupied$ = cold("--------");
			const closed$ = defer(() => closing$).pipe(take(1), finalize(admission.close));
			expectObservable(cold("-----a|").pipe(admission.admit())).toBe("-----a|");
			expectObservable(NEVER.pipe(admission.admit({ occupied$ })), "^-!").toBe("---");
			expectObservable(closed$).toBe("---(x|)");
			expectSubscriptions(limit$.subscriptions).toBe("^--!");
			expectSubscriptions(occupied$.subscriptions).toBe("--^!");
		}),
	);

	it("errors who waits in their order, and who comes later at once; nothing starts any more", () => {
		const limit$ = new Subject<number>();
		const admission = createAdmission({ limit$ });
		const occupied$ = new Subject<void>();
		const log: string[] = [];
		const refused = (name: string) => ({
			error: (error: unknown) => log.push(`${name} ${(error as AdmissionClosed).name}`),
		});
		const subscriptions = new Subscription();
		limit$.next(2);
		subscriptions.add(NEVER.pipe(admission.admit()).subscribe({ error: noop }));
		NEVER.pipe(admission.admit({ occupied$ })).subscribe({ error: noop }).unsubscribe();
		for (const name of ["a", "b"]) subscriptions.add(of(1).pipe(admission.admit()).subscribe(refused(name)));
		expect([admission.running, admission.waiting]).toEqual([2, 2]);
		admission.close();
		admission.close();
		subscriptions.add(of(1).pipe(admission.admit()).subscribe(refused("late")));
		expect(log).toEqual(["a AdmissionClosed", "b AdmissionClosed", "late AdmissionClosed"]);
		expect([limit$.observed, occupied$.observed, admission.running, admission.waiting]).toEqual([false, false, 1, 0]);
		subscriptions.unsubscribe();
		expect(admission.running).toBe(0);
	});

	it("starts nothing more when it is closed from inside a start", () => {
		const limit$ = new Subject<number>();
		const admission = createAdmission({ limit$ });
		const log: string[] = [];
		const closing$ = defer(() => {
			admission.close();
			return NEVER;
		});
		const subscriptions = new Subscription();
		subscriptions.add(closing$.pipe(admission.admit()).subscribe({ error: noop }));
		subscriptions.add(
			of("started")
				.pipe(admission.admit())
				.subscribe({ next: (value) => log.push(value), error: () => log.push("refused") }),
		);
		limit$.next(2);
		expect(log).toEqual(["refused"]);
		expect([admission.running, admission.waiting, limit$.observed]).toEqual([1, 0, false]);
		subscriptions.unsubscribe();
	});

	it("refuses the siblings of one whose finalizer throws", async () => {
		const admission = createAdmission({ limit$: NEVER });
		const throwing$ = of(1).pipe(
			admission.admit(),
			finalize(() => {
				throw failure;
			}),
		);
		const bad = throwing$.subscribe({ error: noop });
		const seen: unknown[] = [];
		const good = of(1)
			.pipe(admission.admit())
			.subscribe({ error: (error: unknown) => seen.push(error) });
		const reported = await unhandledErrors(() => admission.close());
		expect(seen).toEqual([expect.any(AdmissionClosed)]);
		expect(seen).toEqual([expect.objectContaining({ message: expect.stringContaining("closed before a slot") })]);
		expect(reported).toHaveLength(1);
		expect([bad.closed, good.closed, admission.waiting]).toEqual([true, true, 0]);
	});
});
