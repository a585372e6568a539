import { defer, type Observable, of, throwError } from "rxjs";
import { describe, expect, it } from "vitest";
import { type ScheduleEntry, type ScheduleId, ScheduleRefused } from "../../src/streams/index.ts";
import { createScheduleBook, LeaseTaken, type ScheduleBookOptions } from "../../src/streams/schedule-book.ts";
import type { Cron } from "../../src/streams/schedule-spec.ts";

const arithmetic: Cron = { problem: () => undefined, after: (_pattern, _zone, from) => from + 1 };

function entry(id: string, more: Partial<ScheduleEntry<string>> = {}): ScheduleEntry<string> {
	return {
		scheduleId: id as ScheduleId,
		text: "1h",
		spec: { kind: "every", ms: 3_600_000, anchor: 0, zone: "UTC" },
		job: "look",
		description: "a look",
		createdAt: 0,
		paused: false,
		fired: 0,
		skipped: 0,
		...more,
	};
}

/** A book over a store that a test may fill and break, and what was asked of it. */
function bookOver(
	kept: readonly ScheduleEntry<string>[],
	over: Partial<ScheduleBookOptions<string>> = {},
	damaged = false,
) {
	const log: string[] = [];
	const store = { kept, damaged, fault: undefined as string | undefined };
	const book = createScheduleBook<string>({
		store: {
			sessionOnly: false,
			load: (repair) => {
				log.push(repair ? "repair" : "load");
				return of({ entries: store.kept, damaged: store.damaged });
			},
			save: (entries) =>
				defer(() => {
					if (store.fault !== undefined) return throwError(() => new Error(store.fault));
					log.push(`save ${entries.map(({ scheduleId }) => scheduleId).join(" ")}`.trim());
					store.kept = entries;
					return of(undefined);
				}),
		},
		lease: { acquire: () => of({ held: true }) },
		cron$: defer(() => {
			log.push("cron");
			return of(arithmetic);
		}),
		settle: (one) => one,
		onChange: () => log.push(`change ${[...book.entries.keys()].join(" ")}`.trim()),
		...over,
	});
	return { book, log, store };
}

/** What a stream says in the very call of `subscribe`. */
function heard<T>(stream$: Observable<T>): readonly (T | Error)[] {
	const seen: (T | Error)[] = [];
	stream$
		.subscribe({ next: (value) => seen.push(value), error: (error: unknown) => seen.push(error as Error) })
		.unsubscribe();
	return seen;
}

const nothing = () => ({ result: "done" });

describe("reading what is kept", () => {
	it.each([
		["nothing", [], false, false],
		["schedules", [entry("s-1")], false, true],
		["only what cannot be used", [], true, true],
	] as const)("tells whether there was anything: %s", (_what, kept, damaged, some) => {
		const { book, log } = bookOver(kept, {}, damaged);
		expect(heard(book.reread())).toEqual([some]);
		expect(log[0]).toBe("load");
	});

	it("makes it known, and changes and repairs nothing", () => {
		const { book, log } = bookOver([entry("s-1")], {}, true);
		heard(book.reread());
		expect([...book.entries.keys()]).toEqual(["s-1"]);
		expect(log).toEqual(["load", "change s-1"]);
	});

	it("is refused with the reason when it cannot be read", () => {
		const load = () => throwError(() => new Error("no such disk"));
		const { book } = bookOver([], { store: { sessionOnly: false, load, save: () => of(undefined) } });
		for (const stream$ of [book.reread(), book.change(nothing)]) {
			const [error] = heard<unknown>(stream$);
			expect(error).toBeInstanceOf(ScheduleRefused);
			expect(error).toMatchObject({ message: "Schedules cannot be read: no such disk" });
		}
	});
});

describe("a refusal of the store or of the lease", () => {
	it("is passed on as it is", () => {
		const refusal = new ScheduleRefused("ask in a minute");
		const refuse = () => throwError(() => refusal);
		const { book } = bookOver([], { lease: { acquire: refuse } });
		expect(heard<unknown>(book.change(nothing))[0]).toBe(refusal);
		const store = { sessionOnly: false, load: refuse, save: refuse };
		expect(heard<unknown>(bookOver([], { store }).book.reread())[0]).toBe(refusal);
	});
});

describe("a change", () => {
	it("reads anew with the right to repair, and writes what came of it before it is known", () => {
		const { book, log } = bookOver([entry("s-1")]);
		const add$ = book.change((entries) => ({
			entries: new Map(entries).set("s-2" as ScheduleId, entry("s-2")),
			result: 7,
		}));
		expect(heard(add$)).toEqual([7]);
		expect(log).toEqual(["repair", "save s-1 s-2", "change s-1 s-2"]);
	});

	it("that changes nothing writes nothing, and what was read is known", () => {
		const { book, log } = bookOver([entry("s-1")]);
		expect(heard(book.change(nothing))).toEqual(["done"]);
		expect(log).toEqual(["repair", "change s-1"]);
	});

	it("writes over what cannot be used", () => {
		const { book, log } = bookOver([entry("s-1")], {}, true);
		heard(book.change(nothing));
		expect(log).toEqual(["repair", "save s-1", "change s-1"]);
	});

	it("that cannot be written is refused with the reason, and nothing has changed", () => {
		const { book, store, log } = bookOver([]);
		store.fault = "disk full";
		const [error] = heard<unknown>(
			book.change(() => ({ entries: new Map([["s-1" as ScheduleId, entry("s-1")]]), result: 1 })),
		);
		expect(error).toBeInstanceOf(ScheduleRefused);
		expect(error).toMatchObject({ message: "Schedules cannot be written: disk full" });
		expect([book.entries.size, log]).toEqual([0, ["repair"]]);
	});

	it("is not made without the lease, and nothing is read for it", () => {
		const { book, log } = bookOver([], { lease: { acquire: () => of({ held: false, holder: "Pi 4711" }) } });
		const [error] = heard<unknown>(book.change(nothing));
		expect(error).toBeInstanceOf(LeaseTaken);
		expect(error).toMatchObject({
			message: "Pi 4711 has this session open too, and keeps its schedules: change them there.",
		});
		expect(log).toEqual([]);
	});

	it("is not made when it is not known who has the lease", () => {
		for (const thrown of [new Error("EACCES"), "EACCES"]) {
			const { book } = bookOver([], { lease: { acquire: () => throwError(() => thrown) } });
			expect(heard<unknown>(book.change(nothing))).toEqual([
				new ScheduleRefused("It is not known whether another process has the schedules of this session: EACCES"),
			]);
		}
	});

	it("is refused with the very reason of whoever decides", () => {
		const refusal = new ScheduleRefused("There is none.");
		const { book, log } = bookOver([]);
		const deciding$ = book.change((): never => {
			throw refusal;
		});
		expect(heard<unknown>(deciding$)[0]).toBe(refusal);
		expect(log).toEqual(["repair"]);
	});
});

describe("a start that was left open", () => {
	const open = entry("s-1", { starting: 5 });

	it.each([
		["is left as it is when nothing is known of it", open, ["repair", "change s-1 s-2"], ["s-1", "s-2"]],
		["is gone when nothing is left of it", undefined, ["repair", "save s-2", "change s-2"], ["s-2"]],
		[
			"is written down when it has come to something",
			entry("s-1"),
			["repair", "save s-1 s-2", "change s-1 s-2"],
			["s-1", "s-2"],
		],
	] as const)("%s", (_what, settled, log, keys) => {
		const asked: string[] = [];
		const world = bookOver([open, entry("s-2")], {
			settle: ({ scheduleId }) => {
				asked.push(scheduleId);
				return settled;
			},
		});
		const seen: string[][] = [];
		heard(
			world.book.change((entries) => {
				seen.push([...entries.keys()]);
				return { result: 1 };
			}),
		);
		expect([asked, world.log, seen]).toEqual([["s-1"], log, [keys]]);
		expect(world.book.entries.get("s-1" as ScheduleId)).toEqual(settled);
	});
});

describe("the cron arithmetic", () => {
	const pattern = entry("s-1", { spec: { kind: "cron", pattern: "0 9 * * *", zone: "UTC" } });

	it("is not loaded where nothing needs it, and then knows no times", () => {
		const { book, log } = bookOver([entry("s-1")]);
		const [none] = heard(book.cron(false));
		expect(none).toMatchObject({ problem: expect.any(Function) });
		expect((none as Cron).problem("0 9 * * *", "UTC")).toBe("cron patterns cannot be read.");
		expect((none as Cron).after("0 9 * * *", "UTC", 0)).toBeUndefined();
		heard(book.change(nothing));
		expect(log).not.toContain("cron");
	});

	it.each([
		["a schedule that is kept", [entry("s-0"), pattern], false],
		["whoever changes them", [], true],
	] as const)("is loaded once, for %s", (_who, kept, needed) => {
		const { book, log } = bookOver(kept);
		const given: Cron[] = [];
		const decide = (_entries: unknown, cron: Cron) => {
			given.push(cron);
			return { result: 1 };
		};
		heard(book.change(decide, needed));
		heard(book.change(decide, needed));
		heard(book.change(decide));
		expect(given[0]).toBe(arithmetic);
		expect(given[2]).toBe(arithmetic);
		expect(log.filter((one) => one === "cron")).toHaveLength(1);
		expect(heard(book.cron(false))).toEqual([arithmetic]);
	});

	it("is refused with the reason when it cannot be loaded, and asked for again", () => {
		let tries = 0;
		const cron$ = defer(() => (++tries === 1 ? throwError(() => new Error("no module")) : of(arithmetic)));
		const { book } = bookOver([], { cron$ });
		expect(heard<unknown>(book.cron(true))).toEqual([new ScheduleRefused("Cron patterns cannot be read: no module")]);
		expect(heard(book.cron(true))).toEqual([arithmetic]);
	});
});
