import { firstValueFrom, NEVER, Observable, of, Subject, tap, throwError } from "rxjs";
import type { RunHelpers } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { takeUntilAborted } from "../../../src/operators/index.ts";
import { abortListeners } from "../../support/abort.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const reason = new Error("enough");

/** Aborts a new controller at the marbles of `when`, in the order in which it stands among the `hot` streams of a test. */
function abortAt(hot: RunHelpers["hot"], when: string): AbortSignal {
	const controller = new AbortController();
	actAt(hot(when), () => controller.abort(reason));
	return controller.signal;
}

describe("takeUntilAborted", () => {
	it(
		"mirrors values and completion, and removes its listener",
		marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
			const { signal } = new AbortController();
			const source = cold("  -a-b-|");
			const subscription = " ^----!";
			expectObservable(source.pipe(takeUntilAborted(signal))).toBe("-a-b-|");
			expectSubscriptions(source.subscriptions).toBe(subscription);
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"mirrors a source that is empty",
		marbles(({ cold, expectObservable, flush }) => {
			const { signal } = new AbortController();
			expectObservable(cold("|").pipe(takeUntilAborted(signal))).toBe("|");
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"mirrors an error of the source, and removes its listener",
		marbles(({ cold, expectObservable, flush }) => {
			const { signal } = new AbortController();
			const failure = new Error("of the source");
			expectObservable(cold("-a-#", undefined, failure).pipe(takeUntilAborted(signal))).toBe(
				"-a-#",
				undefined,
				failure,
			);
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"errors with the reason itself when the signal aborts, and unsubscribes from the source",
		marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
			const signal = abortAt(hot, "-----x");
			const source = cold("        -a-b-c-");
			const expected = "           -a-b-#";
			expectObservable(source.pipe(takeUntilAborted(signal))).toBe(expected, undefined, reason);
			expectSubscriptions(source.subscriptions).toBe("^----!");
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"ends a source that never emits",
		marbles(({ hot, expectObservable }) => {
			const signal = abortAt(hot, "--x");
			expectObservable(NEVER.pipe(takeUntilAborted(signal))).toBe("--#", undefined, reason);
		}),
	);

	it(
		"does not subscribe the source when the signal was aborted before",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const source = cold("a|");
			const aborted$ = source.pipe(takeUntilAborted(AbortSignal.abort(reason)));
			expectObservable(aborted$, "--^").toBe("--#", undefined, reason);
			expectSubscriptions(source.subscriptions).toBe([]);
		}),
	);

	it(
		"unsubscribes and removes its listener when it is left early",
		marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
			const { signal } = new AbortController();
			const source = cold("     -a-b-|");
			const unsubscription = "  ^-!";
			expectObservable(source.pipe(takeUntilAborted(signal)), unsubscription).toBe("-a-");
			expectSubscriptions(source.subscriptions).toBe("^-!");
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"delivers a value that comes before the abort in the same frame",
		marbles(({ hot, expectObservable }) => {
			const source$ = hot("        --a");
			const signal = abortAt(hot, "--x");
			expectObservable(source$.pipe(takeUntilAborted(signal))).toBe("--(a#)", undefined, reason);
		}),
	);

	it(
		"drops a value that comes after the abort in the same frame",
		marbles(({ hot, expectObservable }) => {
			const signal = abortAt(hot, "--x");
			const source$ = hot("        --a");
			expectObservable(source$.pipe(takeUntilAborted(signal))).toBe("--#", undefined, reason);
		}),
	);

	it(
		"completes when the completion comes before the abort in the same frame",
		marbles(({ hot, expectObservable }) => {
			const source$ = hot("        --|");
			const signal = abortAt(hot, "--x");
			expectObservable(source$.pipe(takeUntilAborted(signal))).toBe("--|");
		}),
	);

	it(
		"errors when the completion comes after the abort in the same frame",
		marbles(({ hot, expectObservable }) => {
			const signal = abortAt(hot, "--x");
			const source$ = hot("        --|");
			expectObservable(source$.pipe(takeUntilAborted(signal))).toBe("--#", undefined, reason);
		}),
	);

	it(
		"drops the value whose making aborts the signal, and all after it",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const controller = new AbortController();
			const source = cold("-a-b-c-|");
			const aborting$ = source.pipe(
				tap((value) => {
					if (value === "b") controller.abort(reason);
				}),
				takeUntilAborted(controller.signal),
			);
			expectObservable(aborting$).toBe("-a-#", undefined, reason);
			expectSubscriptions(source.subscriptions).toBe("^--!");
		}),
	);

	it("has delivered the value whose handling aborts the signal, and nothing after it", () => {
		const controller = new AbortController();
		const source$ = new Subject<string>();
		const seen: unknown[] = [];
		const subscription = source$.pipe(takeUntilAborted(controller.signal)).subscribe({
			next: (value) => {
				seen.push(value);
				if (value === "b") controller.abort(reason);
			},
			error: (error: unknown) => seen.push(error),
		});
		for (const value of ["a", "b", "c"]) source$.next(value);
		expect(seen).toEqual(["a", "b", reason]);
		expect([source$.observed, subscription.closed]).toEqual([false, true]);
	});

	it("stops a synchronous source that aborts the signal itself", () => {
		const controller = new AbortController();
		const seen: unknown[] = [];
		const source$ = new Observable<number>((subscriber) => {
			subscriber.next(1);
			controller.abort(reason);
			seen.push(subscriber.closed ? "closed" : "open");
			subscriber.next(2);
			subscriber.complete();
		});
		const subscription = source$.pipe(takeUntilAborted(controller.signal)).subscribe({
			next: (value) => seen.push(value),
			error: (error: unknown) => seen.push(error),
			complete: () => seen.push("completed"),
		});
		expect(seen).toEqual([1, reason, "closed"]);
		expect(subscription.closed).toBe(true);
	});

	it("is deaf to an abort from inside the completion", () => {
		const controller = new AbortController();
		const source$ = new Subject<number>();
		const seen: unknown[] = [];
		const subscription = source$.pipe(takeUntilAborted(controller.signal)).subscribe({
			error: (error: unknown) => seen.push(error),
			complete: () => {
				seen.push("completed");
				controller.abort(reason);
			},
		});
		source$.complete();
		expect(seen).toEqual(["completed"]);
		expect(subscription.closed).toBe(true);
		expect(abortListeners(controller.signal)).toBe(0);
	});

	it("rejects a promise with the very reason, also when it is no Error", async () => {
		for (const why of [reason, { why: "an object" }, "a text", null, 0]) {
			const controller = new AbortController();
			const waiting = firstValueFrom(NEVER.pipe(takeUntilAborted(controller.signal)), { defaultValue: "nothing" }).then(
				() => "resolved",
				(error: unknown) => ({ error }),
			);
			controller.abort(why);
			expect(await waiting).toEqual({ error: controller.signal.reason });
			expect(((await waiting) as { error: unknown }).error).toBe(why);
		}
	});

	it("errors with the platform's AbortError when no reason was given", async () => {
		const signal = AbortSignal.abort();
		const error: unknown = await firstValueFrom(of(1).pipe(takeUntilAborted(signal)), { defaultValue: 0 }).catch(
			(caught: unknown) => caught,
		);
		expect(error).toBe(signal.reason);
		expect((error as Error).name).toBe("AbortError");
	});

	it("returns the source itself when there is no signal", () => {
		const source$ = throwError(() => reason);
		expect(source$.pipe(takeUntilAborted(undefined))).toBe(source$);
	});
});
