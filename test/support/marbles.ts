import type { Observable } from "rxjs";
import { type RunHelpers, TestScheduler } from "rxjs/testing";
import { expect } from "vitest";

/**
 * The body of a marble test, run in virtual time: `it("…", marbles(({ hot, expectObservable }) => { … }))`.
 *
 * Stricter than `TestScheduler.run`, which lets three mistakes pass in silence: errors are compared by identity and not
 * by their text, an `expectObservable` without a `toBe` fails, and so does a body that is asynchronous or asserts
 * nothing. An observer that throws fails the test too: its report is a timer, and timers are virtual here.
 */
export function marbles(body: (helpers: RunHelpers, scheduler: TestScheduler) => void): () => void {
	return () => {
		expect.hasAssertions();
		const scheduler = new TestScheduler(assertMarbles);
		let open = 0;
		scheduler.run((helpers) => {
			const returned: unknown = body(
				{
					...helpers,
					expectObservable: (...args) => {
						open++;
						const matchers = helpers.expectObservable(...args);
						return {
							toBe: (...expected) => {
								open--;
								matchers.toBe(...expected);
							},
							toEqual: (other$) => {
								open--;
								matchers.toEqual(other$);
							},
						};
					},
				},
				scheduler,
			);
			if (returned !== undefined) throw new Error("A marble test must be synchronous: promises are not virtual");
			if (open !== 0) throw new Error("expectObservable without toBe or toEqual asserts nothing");
		});
	};
}

/** Frames, kinds and values are compared structurally, errors by identity. */
export function assertMarbles(actual: unknown, expected: unknown): void {
	expect(actual).toStrictEqual(expected);
	const wanted = errorsOf(expected);
	errorsOf(actual).forEach((error, index) => {
		expect(error, "the very same error").toBe(wanted[index]);
	});
}

/** The errors in a list of `{ frame, notification }`; subscription logs have none. */
function errorsOf(messages: unknown): unknown[] {
	if (!Array.isArray(messages)) return [];
	return messages.flatMap((message: { notification?: { kind?: string; error?: unknown } } | undefined) =>
		message?.notification?.kind === "E" ? [message.notification.error] : [],
	);
}

/**
 * Calls `act` at each emission of a virtual stream. Against other `hot` streams in the same frame it acts in the order
 * of their creation, so the two orders of a race are two tests with two lines swapped.
 */
export function actAt(stream$: Observable<unknown>, act: () => void): void {
	void stream$.forEach(() => {
		act();
	});
}
