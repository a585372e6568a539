import { noop, of, Subject, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type Completion, joinProgress } from "../../../src/operators/index.ts";
import { marbles } from "../../support/marbles.ts";

const failure = new Error("of a source");
const a: Completion<string> = { kind: "value", value: "a" };
const b: Completion<string> = { kind: "value", value: "b" };
const empty: Completion<string> = { kind: "empty" };
const failed: Completion<string> = { kind: "error", error: failure };

describe("joinProgress", () => {
	it(
		"tells at its start and after each end how far all have come, and completes with the last",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const first$ = cold("                                  -a--|");
			const second$ = cold("                                 --|");
			const third$ = cold("                                  ------#", undefined, failure);
			expectObservable(joinProgress([first$, second$, third$])).toBe("0-1-2-(3|)", {
				0: [undefined, undefined, undefined],
				1: [undefined, empty, undefined],
				2: [a, empty, undefined],
				3: [a, empty, failed],
			});
			expectSubscriptions(first$.subscriptions).toBe("        ^---!");
			expectSubscriptions(third$.subscriptions).toBe("        ^-----!");
		}),
	);

	it(
		"has what ends while it subscribes in its first emission",
		marbles(({ cold, expectObservable }) => {
			const last$ = cold("                                              --(b|)");
			expectObservable(joinProgress([of("a"), throwError(() => failure), last$])).toBe("0-(1|)", {
				0: [a, failed, undefined],
				1: [a, failed, b],
			});
			expectObservable(joinProgress([of("a"), of("b")])).toBe("(0|)", { 0: [a, b] });
		}),
	);

	it(
		"gives the empty list for no sources, and the start alone for sources that never end",
		marbles(({ cold, expectObservable }) => {
			expectObservable(joinProgress([])).toBe("(0|)", { 0: [] });
			expectObservable(joinProgress([cold("-a-")])).toBe("0---", { 0: [undefined] });
		}),
	);

	it(
		"tells of two ends in one frame one after the other, in the order in which they came",
		marbles(({ hot, expectObservable }) => {
			const second$ = hot("                             --(b|)");
			const first$ = hot("                              --(a|)");
			expectObservable(joinProgress([first$, second$])).toBe("0-(12|)", {
				0: [undefined, undefined],
				1: [undefined, b],
				2: [a, b],
			});
		}),
	);

	it(
		"leaves all sources when it is left",
		marbles(({ cold, expectObservable, expectSubscriptions }) => {
			const first$ = cold("-a|");
			const second$ = cold("-----b|");
			expectObservable(joinProgress([first$, second$]), "^--!").toBe("0-1", {
				0: [undefined, undefined],
				1: [a, undefined],
			});
			expectSubscriptions(first$.subscriptions).toBe("           ^-!");
			expectSubscriptions(second$.subscriptions).toBe("          ^--!");
		}),
	);

	it("tells of an end that its observer causes after that observer has returned", () => {
		const sources = [new Subject<string>(), new Subject<string>(), new Subject<string>()];
		const log: string[] = [];
		void joinProgress(sources).subscribe({
			next: (ends) => {
				const open = ends.filter((end) => end === undefined).length;
				log.push(`${open}(`);
				sources[ends.length - open]?.complete();
				log.push(")");
			},
			error: noop,
			complete: () => log.push("|"),
		});
		expect(log).toEqual(["3(", ")", "2(", ")", "1(", ")", "0(", ")", "|"]);
	});

	it("tells nothing more to an observer that leaves from its handler", () => {
		const source$ = new Subject<string>();
		let told = 0;
		const subscription = joinProgress([source$]).subscribe({
			next: () => {
				if (++told === 2) subscription.unsubscribe();
			},
			error: noop,
			complete: () => told++,
		});
		source$.complete();
		expect(told).toBe(2);
	});

	it("gives a new array each time, and an error by identity", () => {
		const source$ = new Subject<string>();
		const seen: (readonly (Completion<string> | undefined)[])[] = [];
		void joinProgress([throwError(() => failure), source$]).subscribe({ next: (ends) => seen.push(ends), error: noop });
		source$.complete();
		expect(seen[0]).toEqual([failed, undefined]);
		expect(seen[1]).toEqual([failed, empty]);
		const [end] = seen[1] ?? [];
		expect(end?.kind === "error" && end.error).toBe(failure);
	});

	it("takes 10,000 sources that end at once", () => {
		const seen: number[] = [];
		void joinProgress(Array.from({ length: 10_000 }, (_, index) => of(index))).subscribe({
			next: ({ length }) => seen.push(length),
			error: noop,
		});
		expect(seen).toEqual([10_000]);
	});
});
