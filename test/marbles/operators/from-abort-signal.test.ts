import { firstValueFrom, noop, type Subscription, share } from "rxjs";
import { describe, expect, it } from "vitest";
import { fromAbortSignal } from "../../../src/operators/index.ts";
import { abortListeners } from "../../support/abort.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const reason = new Error("enough");

describe("fromAbortSignal", () => {
	it(
		"emits nothing while the signal is not aborted, and removes its listener when it is left",
		marbles(({ expectObservable, flush }) => {
			const { signal } = new AbortController();
			expectObservable(fromAbortSignal(signal), "--^--!").toBe("------");
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it(
		"emits the reason once and completes when the signal aborts",
		marbles(({ hot, expectObservable, flush }) => {
			const controller = new AbortController();
			actAt(hot("--x"), () => controller.abort(reason));
			expectObservable(fromAbortSignal(controller.signal)).toBe("--(r|)", { r: reason });
			flush();
			expect(abortListeners(controller.signal)).toBe(0);
		}),
	);

	it(
		"emits on subscription when the signal was aborted before, and adds no listener",
		marbles(({ expectObservable, flush }) => {
			const signal = AbortSignal.abort(reason);
			expectObservable(fromAbortSignal(signal), "--^").toBe("--(r|)", { r: reason });
			flush();
			expect(abortListeners(signal)).toBe(0);
		}),
	);

	it("emits the very reason, also when it is no Error", () => {
		for (const why of [reason, { why: "a plain object" }, "a text", null, undefined]) {
			const signal = AbortSignal.abort(why);
			const seen: unknown[] = [];
			fromAbortSignal(signal)
				.subscribe({ next: (emitted) => seen.push(emitted), error: noop })
				.unsubscribe();
			expect(seen).toHaveLength(1);
			// Given no reason, the platform makes one.
			expect(seen[0]).toBe(why === undefined ? signal.reason : why);
		}
	});

	it("adds one listener for each subscription, and one for all through share", () => {
		const { signal } = new AbortController();
		const aborted$ = fromAbortSignal(signal);
		const shared$ = aborted$.pipe(share());
		const counted: number[] = [];
		const subscriptions = [aborted$, aborted$, shared$, shared$].map((each$) => {
			const subscription = each$.subscribe({ error: noop });
			counted.push(abortListeners(signal));
			return subscription;
		});
		expect(counted).toEqual([1, 2, 3, 3]);
		for (const subscription of subscriptions) subscription.unsubscribe();
		expect(abortListeners(signal)).toBe(0);
	});

	it("does not emit to a subscriber that an earlier one unsubscribed in the same abort", () => {
		const controller = new AbortController();
		const seen: string[] = [];
		let second: Subscription | undefined;
		const first = fromAbortSignal(controller.signal).subscribe({
			next: () => {
				seen.push("first");
				second?.unsubscribe();
			},
			error: noop,
		});
		second = fromAbortSignal(controller.signal).subscribe({ next: () => seen.push("second"), error: noop });
		controller.abort(reason);
		expect(seen).toEqual(["first"]);
		expect(first.closed).toBe(true);
		expect(abortListeners(controller.signal)).toBe(0);
	});

	it("emits at once to a subscriber that comes from inside the abort", () => {
		const controller = new AbortController();
		const aborted$ = fromAbortSignal(controller.signal);
		const seen: unknown[] = [];
		const late = (): Subscription => aborted$.subscribe({ next: (inner) => seen.push(inner), error: noop });
		const subscription = aborted$.subscribe({ next: () => subscription.add(late()), error: noop });
		controller.abort(reason);
		expect(seen).toEqual([reason]);
		expect(abortListeners(controller.signal)).toBe(0);
	});

	it("removes the listener of a subscriber that leaves on the reason itself", async () => {
		const controller = new AbortController();
		const first = firstValueFrom(fromAbortSignal(controller.signal), { defaultValue: "nothing" });
		expect(abortListeners(controller.signal)).toBe(1);
		controller.abort(reason);
		expect(await first).toBe(reason);
		expect(abortListeners(controller.signal)).toBe(0);
	});
});
