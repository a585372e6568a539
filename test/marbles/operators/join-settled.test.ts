import { concat, EMPTY, finalize, NEVER, noop, Observable, of, Subject, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type Completion, joinSettled } from "../../../src/operators/index.ts";
import { actAt, marbles } from "../../support/marbles.ts";

const failure = new Error("of a source");
const value = (of: string): Completion<string> => ({ kind: "value", value: of });
const empty: Completion<string> = { kind: "empty" };
const failed: Completion<string> = { kind: "error", error: failure };

describe("joinSettled", () => {
	it(
		"waits for all, and gives their last values, ends and errors in the given order",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const a$ = cold("                            -a-b---|");
			const b$ = cold("                            ---#", undefined, failure);
			const c$ = cold("                            -|");
			expectObservable(joinSettled([a$, b$, c$])).toBe("-------(x|)", { x: [value("b"), failed, empty] });
			expectSubscriptions(a$.subscriptions).toBe("         ^------!");
			expectSubscriptions(b$.subscriptions).toBe("         ^--!");
			expectSubscriptions(c$.subscriptions).toBe("         ^!");
		}),
	);

	it("gives an error by identity, and never as one", () => {
		const seen: (readonly Completion<string>[])[] = [];
		void joinSettled([throwError(() => failure), of("b")]).subscribe({ next: (ends) => seen.push(ends), error: noop });
		const [first] = seen[0] ?? [];
		expect(first?.kind === "error" && first.error).toBe(failure);
	});

	it(
		"gives the empty list for no sources",
		marbles(({ expectObservable }) => {
			expectObservable(joinSettled([])).toBe("(x|)", { x: [] });
		}),
	);

	it(
		"goes on for ever with a source that does",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const a$ = cold("                              -a|");
			expectObservable(joinSettled([a$, NEVER])).toBe("-----");
			expectSubscriptions(a$.subscriptions).toBe("           ^-!");
		}),
	);

	it(
		"leaves those that go on when it is left, and hears of nothing afterwards",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const a$ = cold("-a|");
			const b$ = cold("-----b|");
			expectObservable(joinSettled([a$, b$]), "^--!").toBe("---");
			expectSubscriptions(a$.subscriptions).toBe("         ^-!");
			expectSubscriptions(b$.subscriptions).toBe("         ^--!");
		}),
	);

	it(
		"gives the same whichever ends first in one frame",
		marbles(({ hot, expectObservable }) => {
			const b$ = hot("                          --(b|)");
			const a$ = hot("                          --(a|)");
			expectObservable(joinSettled([a$, b$])).toBe("--(x|)", { x: [value("a"), value("b")] });
			expectObservable(joinSettled([b$, a$])).toBe("--(x|)", { x: [value("b"), value("a")] });
		}),
	);

	it(
		"tells one who leaves after the last end in its frame, and not one who left before",
		marbles(({ hot, expectObservable, flush }) => {
			const told: string[] = [];
			const early$ = hot("  --x");
			const source$ = hot("--(a|)");
			const late$ = hot("   --x");
			const first = joinSettled([source$]).subscribe({ next: () => told.push("first"), error: noop });
			const second = joinSettled([source$]).subscribe({ next: () => told.push("second"), error: noop });
			actAt(early$, () => first.unsubscribe());
			actAt(late$, () => second.unsubscribe());
			expectObservable(source$).toBe("--(a|)");
			flush();
			expect(told).toEqual(["second"]);
		}),
	);

	it("subscribes each of two subscribers' sources for itself", () => {
		let subscribed = 0;
		const source$ = new Observable<string>(() => void subscribed++);
		const joined$ = joinSettled([source$]);
		void joined$.subscribe({ error: noop });
		void joined$.subscribe({ error: noop });
		expect(subscribed).toBe(2);
	});

	it("subscribes no further source when one makes its consumer leave", () => {
		const log: string[] = [];
		const leaving$ = new Subject<void>();
		const source = (name: string) =>
			new Observable<string>(() => {
				log.push(name);
				if (name === "b") leaving$.next();
				return () => log.push(`-${name}`);
			});
		const consumer$ = new Observable<unknown>((subscriber) => {
			void leaving$.subscribe({ next: () => subscriber.unsubscribe(), error: noop });
			subscriber.add(joinSettled(["a", "b", "c"].map(source)).subscribe(subscriber));
		});
		void consumer$.subscribe({ error: noop });
		expect(log).toEqual(["a", "b", "-a", "-b"]);
	});

	it("takes 10,000 sources that end at once, and 10,000 that end one by one", () => {
		const subjects$ = Array.from({ length: 10_000 }, () => new Subject<number>());
		const lengths: number[] = [];
		void joinSettled(Array.from({ length: 10_000 }, (_, index) => of(index))).subscribe({
			next: ({ length }) => lengths.push(length),
			error: noop,
		});
		void joinSettled(subjects$).subscribe({ next: ({ length }) => lengths.push(length), error: noop });
		for (const subject$ of subjects$) subject$.complete();
		expect(lengths).toEqual([10_000, 10_000]);
		expect(subjects$.filter((subject$) => subject$.observed)).toEqual([]);
	});

	it("observes nothing any more once it is left", () => {
		const subjects$ = [new Subject<number>(), new Subject<number>()];
		const subscription = joinSettled(subjects$).subscribe({ error: noop });
		expect(subjects$.map((subject$) => subject$.observed)).toEqual([true, true]);
		subscription.unsubscribe();
		expect(subjects$.map((subject$) => subject$.observed)).toEqual([false, false]);
	});

	it("has ended for one who ends another source from a source's teardown", () => {
		const other$ = new Subject<string>();
		const seen: unknown[] = [];
		const first$ = concat(of("a"), EMPTY).pipe(finalize(() => other$.complete()));
		void joinSettled([other$, first$]).subscribe({ next: (ends) => seen.push(ends), error: noop });
		expect(seen).toEqual([[empty, value("a")]]);
	});
});
