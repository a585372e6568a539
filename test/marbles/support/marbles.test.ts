import { noop, of } from "rxjs";
import { describe, expect, it } from "vitest";
import { assertMarbles, marbles } from "../../support/marbles.ts";

describe("marbles", () => {
	it("tells two errors with the same text apart", () => {
		const frame = (error: Error) => [{ frame: 0, notification: { kind: "E", value: undefined, error } }];
		const error = new Error("same");
		expect(() => assertMarbles(frame(error), frame(error))).not.toThrow();
		expect(() => assertMarbles(frame(error), frame(new Error("same")))).toThrow("the very same error");
	});

	it("fails an expectObservable that expects nothing", () => {
		const test = marbles(({ expectObservable }) => {
			expectObservable(of(1));
		});
		expect(test).toThrow("asserts nothing");
	});

	it("fails a body that is asynchronous", () => {
		const test = marbles(async () => {});
		expect(test).toThrow("must be synchronous");
	});

	it("fails a test whose observer throws", () => {
		const test = marbles(({ cold, flush }) => {
			const subscription = cold("-a").subscribe({
				next: () => {
					throw new Error("from the observer");
				},
				error: noop,
			});
			flush();
			subscription.unsubscribe();
		});
		expect(test).toThrow("from the observer");
	});
});
