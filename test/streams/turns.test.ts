import { concat, defer, EMPTY, NEVER, type Observable, of, Subject, Subscription, throwError } from "rxjs";
import { afterEach, describe, expect, it } from "vitest";
import { createTurns, TurnsClosed } from "../../src/streams/turns.ts";

let listening = new Subscription();
afterEach(() => {
	listening.unsubscribe();
	listening = new Subscription();
});

/** Listens, and writes down what is said. */
function hear(name: string, said$: Observable<unknown>, log: string[]): Subscription {
	const one = said$.subscribe({
		next: (value) => log.push(`${name} ${value}`),
		error: (error: unknown) => log.push(`${name} failed: ${error instanceof Error ? error.message : error}`),
		complete: () => log.push(`${name} done`),
	});
	listening.add(one);
	return one;
}

describe("turns", () => {
	it("are taken one after another, in the order of their subscriptions", () => {
		const turns = createTurns();
		const log: string[] = [];
		const [first$, second$] = [new Subject<string>(), new Subject<string>()];
		const begin = (name: string, turn$: Observable<string>) =>
			turns.take(() => {
				log.push(`${name} begins`);
				return turn$;
			});
		hear("a", begin("a", first$), log);
		hear("b", begin("b", second$), log);
		first$.next("1");
		first$.complete();
		second$.complete();
		expect(log).toEqual(["a begins", "a 1", "a done", "b begins", "b done"]);
	});

	it("do not begin before they are subscribed to, and begin again for each subscription", () => {
		const turns = createTurns();
		const log: string[] = [];
		let begun = 0;
		const turn$ = turns.take(() => of(++begun));
		expect(begun).toBe(0);
		hear("a", turn$, log);
		hear("b", turn$, log);
		expect(log).toEqual(["a 1", "a done", "b 2", "b done"]);
	});

	it("go on after one that fails and one that throws", () => {
		const turns = createTurns();
		const log: string[] = [];
		hear(
			"a",
			turns.take(() => throwError(() => new Error("no"))),
			log,
		);
		hear(
			"b",
			turns.take(() => {
				throw new Error("thrown");
			}),
			log,
		);
		hear(
			"c",
			turns.take(() => of(1)),
			log,
		);
		expect(log).toEqual(["a failed: no", "b failed: thrown", "c 1", "c done"]);
	});

	it("are left out when nobody waits any more at their beginning, and done to their end when nobody waits later", () => {
		const turns = createTurns();
		const log: string[] = [];
		const first$ = new Subject<string>();
		const wantedAt: boolean[] = [];
		const a = hear(
			"a",
			turns.take((wanted) => {
				wantedAt.push(wanted());
				return concat(
					first$,
					defer(() => {
						wantedAt.push(wanted());
						return EMPTY;
					}),
				);
			}),
			log,
		);
		const b = hear(
			"b",
			turns.take(() => of("never")),
			log,
		);
		hear(
			"c",
			turns.take(() => of("1")),
			log,
		);
		a.unsubscribe();
		b.unsubscribe();
		expect([log, first$.observed]).toEqual([[], true]);
		first$.complete();
		expect([log, wantedAt]).toEqual([
			["c 1", "c done"],
			[true, false],
		]);
	});

	it("can be asked for within a turn, and come after it", () => {
		const turns = createTurns();
		const log: string[] = [];
		hear(
			"a",
			turns.take(() => {
				hear(
					"b",
					turns.take(() => of("1")),
					log,
				);
				return of("2");
			}),
			log,
		);
		expect(log).toEqual(["a 2", "a done", "b 1", "b done"]);
	});

	it("end when they are closed: those that were taken are done, others are refused", () => {
		const turns = createTurns();
		const log: string[] = [];
		const first$ = new Subject<string>();
		hear(
			"a",
			turns.take(() => first$),
			log,
		);
		hear(
			"b",
			turns.take(() => of("1")),
			log,
		);
		hear("close", turns.close(), log);
		hear(
			"c",
			turns.take(() => NEVER),
			log,
		);
		expect(log).toEqual(["c failed: It is closed."]);
		first$.complete();
		expect(log.slice(1)).toEqual(["a done", "b 1", "b done", "close done"]);
		hear("again", turns.close(), log);
		expect(log.at(-1)).toBe("again done");
	});

	it("refuse by an error of their own", () => {
		const turns = createTurns();
		const errors: unknown[] = [];
		listening.add(turns.close().subscribe({ error: (error: unknown) => errors.push(error) }));
		listening.add(turns.take(() => EMPTY).subscribe({ error: (error: unknown) => errors.push(error) }));
		expect(errors).toEqual([expect.any(TurnsClosed)]);
	});
});
