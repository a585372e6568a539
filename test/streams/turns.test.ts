import { EMPTY, noop, Observable, of, Subject, Subscription, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { createTurns, TurnsClosed } from "../../src/streams/turns.ts";
import { unhandledErrors } from "../support/unhandled-errors.ts";

const failure = new Error("of the act");

/** Listens, and writes down what it hears under a name. */
function listen(log: string[], name: string, stream$: Observable<unknown>): Subscription {
	return stream$.subscribe({
		next: (value) => log.push(`${name} ${String(value)}`),
		error: (error: unknown) => log.push(`${name} failed: ${(error as Error).message}`),
		complete: () => log.push(`${name} over`),
	});
}

describe("turns", () => {
	it("begin when the one before is over, in the order in which they were taken, and pass on what is said", () => {
		const turns = createTurns();
		const log: string[] = [];
		const first$ = new Subject<string>();
		const scope = new Subscription();
		scope.add(
			listen(
				log,
				"a",
				turns.take(() => first$),
			),
		);
		scope.add(
			listen(
				log,
				"b",
				turns.take(() => of("1", "2")),
			),
		);
		first$.next("0");
		expect(log).toEqual(["a 0"]);
		first$.complete();
		expect(log).toEqual(["a 0", "a over", "b 1", "b 2", "b over"]);
		scope.unsubscribe();
	});

	it("are cold: what nobody listens to is not done, and each listener has a turn", () => {
		const turns = createTurns();
		let done = 0;
		const act$ = turns.take(() => of(++done));
		expect(done).toBe(0);
		const log: string[] = [];
		const both = [listen(log, "a", act$), listen(log, "b", act$)];
		expect(both.map(({ closed }) => closed)).toEqual([true, true]);
		expect(log).toEqual(["a 1", "a over", "b 2", "b over"]);
	});

	it("leave out whoever has left before", () => {
		const turns = createTurns();
		const first$ = new Subject<string>();
		const scope = listen(
			[],
			"a",
			turns.take(() => first$),
		);
		let done = 0;
		const leaving = listen(
			[],
			"b",
			turns.take(() => of(++done)),
		);
		leaving.unsubscribe();
		first$.complete();
		expect(done).toBe(0);
		scope.unsubscribe();
	});

	it("are done to their ends though nobody listens any more, and know it", () => {
		const turns = createTurns();
		const act$ = new Subject<string>();
		let wanted: () => boolean = () => false;
		const log: string[] = [];
		const scope = listen(
			log,
			"a",
			turns.take((asked) => {
				wanted = asked;
				return act$;
			}),
		);
		expect([wanted(), act$.observed]).toEqual([true, true]);
		scope.unsubscribe();
		expect([wanted(), act$.observed]).toEqual([false, true]);
		const next = listen(
			log,
			"b",
			turns.take(() => of("1")),
		);
		expect(log).toEqual([]);
		act$.complete();
		expect(log).toEqual(["b 1", "b over"]);
		next.unsubscribe();
	});

	it("go on after one that failed, whose listener has the very error", () => {
		const turns = createTurns();
		const seen: unknown[] = [];
		const failing = turns
			.take(() => throwError(() => failure))
			.subscribe({ error: (error: unknown) => seen.push(error) });
		const throwing = turns
			.take((): Observable<never> => {
				throw failure;
			})
			.subscribe({ error: (error: unknown) => seen.push(error) });
		expect(seen[0]).toBe(failure);
		expect(seen[1]).toBe(failure);
		const log: string[] = [];
		listen(
			log,
			"c",
			turns.take(() => of("1")),
		).unsubscribe();
		expect([log, failing.closed, throwing.closed]).toEqual([["c 1", "c over"], true, true]);
	});

	it("go on after a listener that throws, whatever it was told", async () => {
		const turns = createTurns();
		const thrown = (): never => {
			throw failure;
		};
		const scope = new Subscription();
		const log: string[] = [];
		const throwingAtEnd = (act$: Observable<string>): Observable<string> =>
			new Observable((subscriber) => {
				subscriber.add(thrown);
				return turns.take(() => act$).subscribe(subscriber);
			});
		const reported = await unhandledErrors(() => {
			scope.add(turns.take(() => of("1")).subscribe({ next: thrown, error: noop }));
			scope.add(throwingAtEnd(EMPTY).subscribe({ error: noop }));
			scope.add(throwingAtEnd(throwError(() => failure)).subscribe({ error: noop }));
			scope.add(
				listen(
					log,
					"d",
					turns.take(() => of("1")),
				),
			);
		});
		expect(log).toEqual(["d 1", "d over"]);
		expect(reported).toHaveLength(3);
		scope.unsubscribe();
	});
});

describe("turns that are closed", () => {
	it("take no more, and say so", () => {
		const turns = createTurns();
		const closing = listen([], "close", turns.close());
		let done = 0;
		const seen: unknown[] = [];
		const late = turns.take(() => of(++done)).subscribe({ error: (error: unknown) => seen.push(error) });
		expect(seen).toEqual([expect.any(TurnsClosed)]);
		expect(seen).toEqual([expect.objectContaining({ name: "TurnsClosed", message: "It is closed." })]);
		expect([done, late.closed, closing.closed]).toEqual([0, true, true]);
	});

	it("are over when those that were taken are, for whoever asks and whenever", () => {
		const turns = createTurns();
		const act$ = new Subject<string>();
		const log: string[] = [];
		const scope = new Subscription();
		scope.add(
			listen(
				log,
				"a",
				turns.take(() => act$),
			),
		);
		scope.add(
			listen(
				log,
				"b",
				turns.take(() => of("1")),
			),
		);
		scope.add(listen(log, "close", turns.close()));
		scope.add(listen(log, "again", turns.close()));
		expect(log).toEqual([]);
		act$.complete();
		expect(log).toEqual(["a over", "b 1", "b over", "close over", "again over"]);
		scope.add(listen(log, "late", turns.close()));
		expect(log.at(-1)).toBe("late over");
		scope.unsubscribe();
	});
});
