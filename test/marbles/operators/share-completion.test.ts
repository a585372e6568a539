import { concat, defer, finalize, NEVER, noop, Observable, of, Subject, type Subscription, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { shareCompletion } from "../../../src/operators/index.ts";
import { isCollected } from "../../support/collected.ts";
import { actAt, marbles } from "../../support/marbles.ts";
import { unhandledErrors } from "../../support/unhandled-errors.ts";

const failure = new Error("of the source");

describe("shareCompletion", () => {
	it(
		"gives the last value and the completion to those before, at and after the end, from one subscription",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("               -a-b-|");
			const shared$ = source.pipe(shareCompletion());
			expectObservable(shared$).toBe("    -----(b|)");
			expectObservable(shared$, "---^").toBe("-----(b|)");
			expectObservable(shared$, "-----^").toBe("-----(b|)");
			expectObservable(shared$, "--------^").toBe("--------(b|)");
			expectSubscriptions(source.subscriptions).toBe("^----!");
		}),
	);

	it(
		"gives the very same error to those before, at and after it, from one subscription",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("               -a-#", undefined, failure);
			const shared$ = source.pipe(shareCompletion());
			expectObservable(shared$).toBe("    ---#", undefined, failure);
			expectObservable(shared$, "---^").toBe("---#", undefined, failure);
			expectObservable(shared$, "------^").toBe("------#", undefined, failure);
			expectSubscriptions(source.subscriptions).toBe("^--!");
		}),
	);

	it(
		"gives a completion without a value as that, for ever",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("               --|");
			const shared$ = source.pipe(shareCompletion());
			expectObservable(shared$).toBe("    --|");
			expectObservable(shared$, "----^").toBe("----|");
			expectSubscriptions(source.subscriptions).toBe("^-!");
		}),
	);

	it(
		"does not subscribe the source before its first subscriber",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("-a|");
			expectObservable(source.pipe(shareCompletion()), "--^").toBe("----(a|)");
			expectSubscriptions(source.subscriptions).toBe("--^-!");
		}),
	);

	it(
		"keeps the source for those to come when all waiters have left",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("                 -----a|");
			const shared$ = source.pipe(shareCompletion());
			expectObservable(shared$, "^-!").toBe("---");
			expectObservable(shared$, "-^-!").toBe("---");
			expectObservable(shared$, "--------^").toBe("--------(a|)");
			expectSubscriptions(source.subscriptions).toBe("^-----!");
		}),
	);

	it(
		"keeps a source that never ends, whoever leaves",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("-a-");
			expectObservable(source.pipe(shareCompletion()), "^---!").toBe("-----");
			expectSubscriptions(source.subscriptions).toBe("^");
		}),
	);

	it(
		"tells a waiter that leaves after the end in the same frame",
		marbles(({ hot, expectObservable }) => {
			const source$ = hot("--(a|)");
			const shared$ = source$.pipe(shareCompletion());
			const seen: unknown[] = [];
			const waiter = shared$.subscribe({ next: (value) => seen.push(value), error: noop });
			actAt(hot("     --x"), () => {
				waiter.unsubscribe();
				expect(seen).toEqual(["a"]);
			});
			expectObservable(shared$).toBe("--(a|)");
		}),
	);

	it(
		"tells nothing to a waiter that leaves before the end in the same frame",
		marbles(({ hot, expectObservable, flush }) => {
			const seen: unknown[] = [];
			const leaving$ = hot("--x");
			const source$ = hot("--(a|)");
			const shared$ = source$.pipe(shareCompletion());
			const waiter = shared$.subscribe({ next: (value) => seen.push(value), error: noop });
			actAt(leaving$, () => waiter.unsubscribe());
			expectObservable(shared$).toBe("--(a|)");
			flush();
			expect(seen).toEqual([]);
		}),
	);

	it("subscribes a synchronous source once", () => {
		for (const [source$, expected] of [
			[of(1, 2), ["next 2", "complete"]],
			[of<number[]>(), ["complete"]],
			[
				concat(
					of(1),
					throwError(() => failure),
				),
				["error of the source"],
			],
		] as const) {
			let connections = 0;
			const shared$ = defer(() => {
				connections++;
				return source$ as Observable<unknown>;
			}).pipe(shareCompletion());
			for (let subscriber = 0; subscriber < 3; subscriber++) expect(record(shared$)).toEqual(expected);
			expect(connections).toBe(1);
		}
	});

	it("makes a source that subscribes itself wait for its own end", () => {
		let connections = 0;
		const seen: string[][] = [];
		const shared$: Observable<number> = new Observable<number>((subscriber) => {
			connections++;
			const inner: string[] = [];
			seen.push(inner);
			subscriber.add(subscribeTo(shared$, inner));
			subscriber.next(1);
			subscriber.complete();
		}).pipe(shareCompletion());
		const outer = record(shared$);
		expect(outer).toEqual(["next 1", "complete"]);
		expect(connections).toBe(1);
		expect(seen).toHaveLength(1);
	});

	it("replays the error to one that subscribes again inside the error handler, without another run", () => {
		const source$ = new Subject<number>();
		let connections = 0;
		const shared$ = defer(() => {
			connections++;
			return source$;
		}).pipe(shareCompletion());
		const seen: unknown[] = [];
		const again = (): Subscription => shared$.subscribe({ error: (error: unknown) => seen.push(error) });
		const subscription = shared$.subscribe({
			error: (error: unknown) => {
				seen.push(error);
				subscription.add(again());
			},
		});
		source$.error(failure);
		expect(seen[0]).toBe(failure);
		expect(seen[1]).toBe(failure);
		expect(seen).toHaveLength(2);
		expect(connections).toBe(1);
	});

	it("tells the siblings of a waiter whose handler throws", async () => {
		const source$ = new Subject<number>();
		const shared$ = source$.pipe(shareCompletion());
		const thrown = new Error("of the handler");
		const bad = shared$.subscribe({
			next: () => {
				throw thrown;
			},
			error: noop,
		});
		const seen: string[] = [];
		const good = subscribeTo(shared$, seen);
		const reported = await unhandledErrors(() => {
			source$.next(1);
			source$.complete();
		});
		expect(seen).toEqual(["next 1", "complete"]);
		expect(reported).toEqual([thrown]);
		expect([bad.closed, good.closed, source$.observed]).toEqual([true, true, false]);
	});

	it("tells the siblings of a waiter whose finalizer throws, and reports it", async () => {
		for (const [end, told] of [
			[(source$: Subject<number>) => source$.complete(), ["complete"]],
			[(source$: Subject<number>) => source$.error(failure), ["error of the source"]],
		] as const) {
			const source$ = new Subject<number>();
			const shared$ = source$.pipe(shareCompletion());
			const throwing$ = shared$.pipe(
				finalize(() => {
					throw new Error("of the finalizer");
				}),
			);
			const seen: string[] = [];
			const bad = throwing$.subscribe({ error: noop });
			const good = subscribeTo(shared$, seen);
			const reported = await unhandledErrors(() => end(source$));
			expect(seen).toEqual(told);
			expect(reported).toEqual([expect.objectContaining({ name: "UnsubscriptionError" })]);
			expect([bad.closed, good.closed, source$.observed]).toEqual([true, true, false]);
		}
	});

	it("tells nothing to a waiter that an earlier one unsubscribed at the end", () => {
		const source$ = new Subject<number>();
		const shared$ = source$.pipe(shareCompletion());
		let second: Subscription | undefined;
		const first = shared$.subscribe({ next: () => second?.unsubscribe(), error: noop });
		const seen: string[] = [];
		second = subscribeTo(shared$, seen);
		source$.next(1);
		source$.complete();
		expect(seen).toEqual([]);
		expect(first.closed).toBe(true);
	});

	it("keeps nothing of a waiter that has left, while the source goes on", async () => {
		const shared$ = NEVER.pipe(shareCompletion());
		const owner = shared$.subscribe({ error: noop });
		const leave = (): Subscription => {
			const waiter = shared$.subscribe({ error: noop });
			waiter.unsubscribe();
			return waiter;
		};
		expect(await isCollected(leave)).toBe(true);
		expect(await isCollected(() => owner)).toBe(false);
		owner.unsubscribe();
	});
});

function subscribeTo(stream$: Observable<unknown>, seen: string[]): Subscription {
	return stream$.subscribe({
		next: (value) => seen.push(`next ${String(value)}`),
		error: (error: unknown) => seen.push(`error ${(error as Error).message}`),
		complete: () => seen.push("complete"),
	});
}

/** What a stream says in the very call of `subscribe`. */
function record(stream$: Observable<unknown>): string[] {
	const seen: string[] = [];
	subscribeTo(stream$, seen).unsubscribe();
	return seen;
}
