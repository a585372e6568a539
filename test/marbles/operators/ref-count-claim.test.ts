import { finalize, map, NEVER, noop, Observable, of, Subject, Subscription, take, tap, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type ClaimState, type HandOver, type RefCountClaim, refCountClaim } from "../../../src/operators/index.ts";
import { isCollected } from "../../support/collected.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { unhandledErrors } from "../../support/unhandled-errors.ts";

const failure = new Error("of the work");
/** `state$` as one letter for each kind, with the number of claims where there is one. */
const letters: Record<string, string> = {
	o: "pending 0",
	p: "pending 1",
	q: "pending 2",
	h: "held",
	i: "handed 0",
	j: "handed 1",
	d: "delivered",
	c: "committed",
};

function text(state: ClaimState): string {
	return "claims" in state ? `${state.kind} ${state.claims}` : state.kind;
}

function states<T>(result: RefCountClaim<T>): Observable<string> {
	return result.state$.pipe(map(text));
}

describe("refCountClaim", () => {
	describe("claims", () => {
		it(
			"get the last value at settlement, all of them, and the completion is subscribed once",
			marbles(({ cold, expectObservable, expectSubscriptions }) => {
				const work$ = cold("            -a--b|");
				const result = refCountClaim(work$);
				const connection = result.connect();
				expect(result.connect()).toBe(connection);
				expectObservable(result.claim$).toBe("         -----(b|)");
				expectObservable(result.claim$, "--^").toBe("  -----(b|)");
				expectObservable(result.claim$, "-------^").toBe("-------(b|)");
				expectObservable(states(result)).toBe("p-q--(d|)", letters);
				expectSubscriptions(work$.subscriptions).toBe("^----!");
			}),
		);

		it(
			"get the very error, before and after it",
			marbles(({ cold, expectObservable, expectSubscriptions }) => {
				const work$ = cold("-a-#", undefined, failure);
				const result = refCountClaim(work$);
				result.connect();
				expectObservable(result.claim$).toBe("---#", undefined, failure);
				expectObservable(result.claim$, "-----^").toBe("-----#", undefined, failure);
				expectObservable(states(result)).toBe("p--(d|)", letters);
				expectSubscriptions(work$.subscriptions).toBe("^--!");
			}),
		);

		it(
			"get a completion without a value, which counts as delivered",
			marbles(({ cold, expectObservable }) => {
				const result = refCountClaim(cold("--|"));
				result.connect();
				expectObservable(result.claim$).toBe("--|");
				expectObservable(states(result)).toBe("p-(d|)", letters);
			}),
		);

		it(
			"wait for ever for work that never ends, and leave no trace when they leave",
			marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
				const work$ = cold("-a-");
				const result = refCountClaim(work$);
				const connection = result.connect();
				actAt(cold("----------x"), () => connection.unsubscribe());
				expectObservable(result.claim$, "--^---!").toBe("-------");
				expectObservable(result.claim$, "---^-!").toBe(" -------");
				expectObservable(states(result), "^--------!").toBe("o-pq-po--", letters);
				expectSubscriptions(work$.subscriptions).toBe("^---------!");
				flush();
				expect(result.state).toEqual({ kind: "pending", claims: 0 });
			}),
		);

		it(
			"read a result that is held, and it is delivered",
			marbles(({ cold, expectObservable, flush }) => {
				const result = refCountClaim(cold("-(a|)"));
				result.connect();
				expectObservable(result.claim$, "------^").toBe("------(a|)");
				expectObservable(states(result)).toBe("oh----(d|)", letters);
				flush();
				expect(result.handOver()).toBeUndefined();
			}),
		);

		it(
			"count as delivered when they leave on the value",
			marbles(({ cold, expectObservable }) => {
				const result = refCountClaim(cold("--(a|)"));
				result.connect();
				expectObservable(result.claim$.pipe(take(1))).toBe("--(a|)");
				expectObservable(states(result)).toBe("p-(d|)", letters);
			}),
		);

		it(
			"give the result back when all of them have left just before settlement in the same frame",
			marbles(({ hot, expectObservable }) => {
				const leaving$ = hot("--x");
				const work$ = hot("   --(a|)");
				const result = refCountClaim(work$);
				result.connect();
				const claims = [claim(result), claim(result)] as const;
				actAt(leaving$, () => {
					for (const each of claims) each.subscription.unsubscribe();
				});
				expectObservable(states(result), "-^-------!").toBe("-q(poh)", letters);
			}),
		);

		it(
			"have got it when they leave just after settlement in the same frame",
			marbles(({ hot, expectObservable, flush }) => {
				const work$ = hot("   --(a|)");
				const result = refCountClaim(work$);
				result.connect();
				const only = claim(result);
				// The value and the end are one event of the frame, so this comes after both.
				actAt(hot("--x"), () => only.subscription.unsubscribe());
				expectObservable(states(result), "-^").toBe("-p(d|)", letters);
				flush();
				expect(only.seen).toEqual(["a", "end"]);
			}),
		);

		for (const order of ["before", "after"] as const) {
			it(
				`are delivered when one of two leaves just ${order} settlement in the same frame`,
				marbles(({ hot, expectObservable, flush }) => {
					const early$ = hot("--x");
					const work$ = hot(" --(a|)");
					const late$ = hot(" --x");
					const result = refCountClaim(work$);
					result.connect();
					const leaving = claim(result);
					const staying = claim(result);
					actAt(order === "before" ? early$ : late$, () => leaving.subscription.unsubscribe());
					expectObservable(states(result), "-^").toBe(order === "before" ? "-q(pd|)" : "-q(d|)", letters);
					flush();
					expect(leaving.seen).toEqual(order === "before" ? [] : ["a", "end"]);
					expect(staying.seen).toEqual(["a", "end"]);
				}),
			);
		}
	});

	describe("the fallback", () => {
		it("gets nothing before settlement, nor while somebody claims", () => {
			const work$ = new Subject<number>();
			const result = refCountClaim(work$);
			const scope = result.connect();
			expect(result.handOver()).toBeUndefined();
			const waiting = claim(result);
			work$.next(1);
			work$.complete();
			expect(result.handOver()).toBeUndefined();
			expect([waiting.seen, scope.closed, work$.observed]).toEqual([[1, "end"], true, false]);
		});

		it("gets the completion, whatever it is, and an error is data", () => {
			for (const [work$, completion] of [
				[of(1, 2), { kind: "value", value: 2 }],
				[of<number[]>(), { kind: "empty" }],
				[throwError(() => failure), { kind: "error", error: failure }],
			] as const) {
				const result = refCountClaim(work$ as Observable<unknown>);
				const scope = result.connect();
				expect([text(result.state), scope.closed]).toEqual(["held", true]);
				const taken = result.handOver();
				expect(taken?.completion).toEqual(completion);
				if (taken?.completion.kind === "error") expect(taken.completion.error).toBe(failure);
				expect(text(result.state)).toBe("handed 0");
				expect(result.handOver()).toBeUndefined();
			}
		});

		it("publishes by committing, and later claims read it without changing that", () => {
			const { result, taken } = handed();
			taken.commit();
			expect(text(result.state)).toBe("committed");
			const late = claim(result);
			expect([late.seen, late.states]).toEqual([
				[1, "end"],
				["committed", "committed"],
			]);
			expect(text(result.state)).toBe("committed");
			expect(result.handOver()).toBeUndefined();
		});

		it("loses it to be held again, to be handed over again or claimed", () => {
			const first = handed();
			first.taken.lose();
			expect(text(first.result.state)).toBe("held");
			const again = first.result.handOver();
			again?.commit();
			expect(text(first.result.state)).toBe("committed");

			const second = handed();
			second.taken.lose();
			const late = claim(second.result);
			expect([late.seen, text(second.result.state)]).toEqual([[1, "end"], "delivered"]);
		});

		it("makes claims wait until it commits, and they can see that it was published", () => {
			const { result, taken } = handed();
			const waiting = [claim(result), claim(result)] as const;
			expect([waiting[0].seen, text(result.state)]).toEqual([[], "handed 2"]);
			taken.commit();
			for (const each of waiting)
				expect([each.seen, each.states]).toEqual([
					[1, "end"],
					["committed", "committed"],
				]);
		});

		it("delivers to the claims that wait when it loses, and holds when they have left", () => {
			const delivered = handed();
			const staying = claim(delivered.result);
			delivered.taken.lose();
			expect([staying.seen, staying.states]).toEqual([
				[1, "end"],
				["delivered", "delivered"],
			]);

			const left = handed();
			const leaving = claim(left.result);
			leaving.subscription.unsubscribe();
			expect(text(left.result.state)).toBe("handed 0");
			left.taken.lose();
			expect([leaving.seen, text(left.result.state)]).toEqual([[], "held"]);
		});

		it("decides with its first word only, and never the next hand-over", () => {
			const { result, taken } = handed();
			const changes: string[] = [];
			const scope = states(result).subscribe({ next: (state) => changes.push(state), error: noop });
			taken.lose();
			taken.lose();
			taken.commit();
			expect(text(result.state)).toBe("held");
			expect(changes).toEqual(["handed 0", "held"]);
			scope.unsubscribe();
			const next = result.handOver();
			taken.commit();
			taken.lose();
			expect(text(result.state)).toBe("handed 0");
			next?.commit();
			next?.lose();
			expect(text(result.state)).toBe("committed");
		});
	});

	it(
		"settles with nobody claiming, and tells each change to state$ in order",
		marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
			const work$ = hot(" --(a|)");
			const result = refCountClaim(work$);
			result.connect();
			let taken: HandOver<string> | undefined;
			actAt(cold("        ----x"), () => {
				taken = result.handOver();
			});
			actAt(cold("        --------x"), () => taken?.lose());
			actAt(cold("        ----------x"), () => result.handOver()?.commit());
			expectObservable(result.claim$, "------^!").toBe("--------");
			expectObservable(states(result)).toBe("o-h-i-jih-(ic|)", letters);
			expectSubscriptions(work$.subscriptions).toBe("^-!");
		}),
	);

	it("does not subscribe the completion before it is connected, and not again afterwards", () => {
		let connections = 0;
		const result = refCountClaim(
			new Observable<number>(() => {
				connections++;
			}),
		);
		const waiting = claim(result);
		expect(connections).toBe(0);
		result.connect().unsubscribe();
		expect(result.connect().closed).toBe(true);
		expect([connections, text(result.state)]).toEqual([1, "pending 1"]);
		waiting.subscription.unsubscribe();
		expect(text(result.state)).toBe("pending 0");
	});

	describe("under re-entrance", () => {
		it("a claim that leaves from inside another's delivery gets nothing, and that changes nothing", () => {
			const { result, work$ } = pending();
			const scope = new Subscription();
			const seen: unknown[] = [];
			scope.add(result.claim$.subscribe({ next: () => second.subscription.unsubscribe(), error: noop }));
			const second = claim(result);
			scope.add(result.claim$.subscribe({ next: (value) => seen.push(value), error: noop }));
			settle(work$);
			expect([second.seen, seen, text(result.state)]).toEqual([[], [1], "delivered"]);
			scope.unsubscribe();
		});

		it("a claim or a hand-over from inside a delivery finds it delivered, and nobody is served twice", () => {
			const { result, work$ } = pending();
			const inside: unknown[] = [];
			let served = 0;
			const subscription = result.claim$.subscribe({
				next: () => {
					served++;
					// A claim that is served a second time would come back here for ever.
					if (served === 1) inside.push(claim(result).seen, result.handOver(), text(result.state));
				},
				error: noop,
			});
			settle(work$);
			expect(served).toBe(1);
			expect(inside).toEqual([[1, "end"], undefined, "delivered"]);
			expect(subscription.closed).toBe(true);
		});

		it("a claim that leaves and claims again from inside state$ leaves the count right and the changes in order", () => {
			const { result, work$ } = pending();
			const first = claim(result);
			const again: ReturnType<typeof claim>[] = [];
			const changes: string[] = [];
			const scope = result.state$.subscribe({
				next: (state) => {
					changes.push(text(state));
					if (text(state) !== "pending 2" || again.length > 0) return;
					first.subscription.unsubscribe();
					again.push(claim(result));
				},
				error: noop,
			});
			const other: string[] = [];
			scope.add(states(result).subscribe({ next: (state) => other.push(state), error: noop }));
			const second = claim(result);
			expect(changes).toEqual(["pending 1", "pending 2", "pending 1", "pending 2"]);
			expect(other).toEqual(changes);
			settle(work$);
			expect([first.seen, second.seen, again[0]?.seen]).toEqual([[], [1, "end"], [1, "end"]]);
			expect(scope.closed).toBe(true);
		});

		it("a hand-over from inside state$ is the only one, and its end from there is in order", () => {
			const { result, work$ } = pending();
			const taken: (HandOver<number> | undefined)[] = [];
			const scope = new Subscription();
			for (let observer = 0; observer < 2; observer++) {
				scope.add(
					result.state$.subscribe({
						next: (state) => {
							if (state.kind === "held") taken.push(result.handOver());
							if (state.kind === "handed") taken[0]?.commit();
						},
						error: noop,
					}),
				);
			}
			const changes: string[] = [];
			scope.add(states(result).subscribe({ next: (state) => changes.push(state), error: noop }));
			settle(work$);
			expect(taken).toHaveLength(2);
			expect(taken[1]).toBeUndefined();
			expect(changes).toEqual(["pending 0", "held", "handed 0", "committed"]);
			scope.unsubscribe();
		});

		it("an observer of state$ cannot take the result from a claim that owns it", () => {
			const { result, work$ } = pending();
			const only = claim(result);
			const scope = result.state$.subscribe({
				next: (state) => {
					if (state.kind === "delivered") only.subscription.unsubscribe();
				},
				error: noop,
			});
			settle(work$);
			expect(only.seen).toEqual([1, "end"]);
			expect(scope.closed).toBe(true);
		});

		it("a claim that is ended by the news of itself is given back", () => {
			const { result, work$ } = pending();
			const ending$ = new Subject<void>();
			const scope = result.state$.subscribe({
				next: (state) => {
					if (text(state) === "pending 1") ending$.next();
				},
				error: noop,
			});
			const seen: unknown[] = [];
			const subscription = new Subscription();
			subscription.add(ending$.subscribe({ next: () => subscription.unsubscribe(), error: noop }));
			subscription.add(result.claim$.subscribe({ next: (value) => seen.push(value), error: noop }));
			expect([subscription.closed, text(result.state)]).toEqual([true, "pending 0"]);
			settle(work$);
			expect([seen, text(result.state)]).toEqual([[], "held"]);
			scope.unsubscribe();
		});

		it("a claim by a subscriber that has ended already is none", () => {
			const { result, work$ } = pending();
			const ended$ = new Observable<number>((subscriber) => {
				subscriber.complete();
				return result.claim$.subscribe(subscriber);
			});
			ended$.subscribe({ error: noop }).unsubscribe();
			expect(text(result.state)).toBe("pending 0");
			settle(work$);
			expect(text(result.state)).toBe("held");
		});

		it("a claim that connects the work itself from inside a synchronous completion does not run it twice", () => {
			let connections = 0;
			const result = refCountClaim(
				new Observable<number>((subscriber) => {
					connections++;
					subscriber.next(1);
					subscriber.complete();
				}),
			);
			const claimed = result.claim$.pipe(tap(() => result.connect())).subscribe({ error: noop });
			const scope = result.connect();
			expect([connections, claimed.closed, scope.closed, text(result.state)]).toEqual([1, true, true, "delivered"]);
		});
	});

	describe("under observers that throw", () => {
		it("the siblings of a claim whose handler or finalizer throws get theirs", async () => {
			for (const end of [settle, (work$: Subject<number>) => work$.error(failure)]) {
				const { result, work$ } = pending();
				const fail = (): never => {
					throw new Error("of the observer");
				};
				const scope = new Subscription();
				scope.add(result.claim$.subscribe({ next: fail, error: fail }));
				scope.add(result.claim$.pipe(finalize(fail)).subscribe({ error: noop }));
				const good = claim(result);
				const changes: string[] = [];
				scope.add(states(result).subscribe({ next: (state) => changes.push(state), error: noop }));
				const reported = await unhandledErrors(() => end(work$));
				expect(reported).toHaveLength(2);
				expect([good.seen.at(-1), changes, work$.observed]).toEqual([
					end === settle ? "end" : failure,
					["pending 3", "delivered"],
					false,
				]);
				scope.unsubscribe();
			}
		});

		it("an observer of state$ that throws changes nothing for claims, the hand-over and the others", async () => {
			const { result, work$ } = pending();
			const scope = new Subscription();
			const changes: string[] = [];
			const reported = await unhandledErrors(() => {
				scope.add(
					result.state$.subscribe({
						next: () => {
							throw failure;
						},
						error: noop,
					}),
				);
				scope.add(states(result).subscribe({ next: (state) => changes.push(state), error: noop }));
				settle(work$);
				result.handOver()?.commit();
			});
			expect(changes).toEqual(["pending 0", "held", "handed 0", "committed"]);
			expect(reported).toEqual(changes.map(() => failure));
			expect(claim(result).seen).toEqual([1, "end"]);
		});
	});

	it("leaves nothing subscribed when claims, observers and owner have left", () => {
		const work$ = new Subject<never>();
		const result = refCountClaim(work$);
		const scope = new Subscription();
		scope.add(result.connect());
		scope.add(result.claim$.subscribe({ error: noop }));
		scope.add(result.state$.subscribe({ error: noop }));
		expect(work$.observed).toBe(true);
		scope.unsubscribe();
		expect([work$.observed, text(result.state)]).toEqual([false, "pending 0"]);
		expect(refCountClaim(NEVER).state).toEqual({ kind: "pending", claims: 0 });
	});
});

/** A claim, what it got, and the state it found each time. */
function claim<T>(result: RefCountClaim<T>): { subscription: Subscription; seen: unknown[]; states: string[] } {
	const seen: unknown[] = [];
	const found: string[] = [];
	const see = (what: unknown): void => {
		seen.push(what);
		found.push(result.state.kind);
	};
	const subscription = result.claim$.subscribe({ next: see, error: see, complete: () => see("end") });
	return { subscription, seen, states: found };
}

function pending(): { result: RefCountClaim<number>; work$: Subject<number> } {
	const work$ = new Subject<number>();
	const result = refCountClaim(work$);
	result.connect();
	return { result, work$ };
}

function settle(work$: Subject<number>): void {
	work$.next(1);
	work$.complete();
}

function handed(): { result: RefCountClaim<number>; taken: HandOver<number> } {
	const result = refCountClaim(of(1));
	result.connect();
	const taken = result.handOver();
	if (taken === undefined) throw new Error("It was not held");
	return { result, taken };
}

describe("a claim that has settled", () => {
	it("lets go of the work that it settled: a result that is kept keeps nothing else", async () => {
		const kept: RefCountClaim<number>[] = [];
		const work = () => {
			const work$ = new Observable<number>((subscriber) => {
				subscriber.next(1);
				subscriber.complete();
			});
			const claim = refCountClaim(work$);
			claim.connect();
			kept.push(claim);
			return work$;
		};
		expect(await isCollected(work)).toBe(true);
		expect(kept.map(({ state }) => state.kind)).toEqual(["held"]);
	});
});
