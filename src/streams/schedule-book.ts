import {
	catchError,
	concatMap,
	defer,
	type MonoTypeOperatorFunction,
	map,
	type Observable,
	of,
	tap,
	throwError,
} from "rxjs";
import { isCron, type ScheduleEntry, type ScheduleLease, type ScheduleStore } from "./schedule-entry.ts";
import type { Cron } from "./schedule-spec.ts";
import { type ScheduleId, ScheduleRefused } from "./schedules.ts";

export type Entries<Job> = ReadonlyMap<ScheduleId, ScheduleEntry<Job>>;

/** Another process has the schedules of this session. */
export class LeaseTaken extends ScheduleRefused {}

/** What a change comes to. */
export interface Change<Job, R> {
	/** What is to be written; left out when nothing changes. */
	readonly entries?: Entries<Job>;
	readonly result: R;
}

/** The schedules as they are kept, changed only by who has the lease. Not for overlapping calls: they take turns. */
export interface ScheduleBook<Job> {
	/** As last read or written. */
	readonly entries: Entries<Job>;
	/** The cron arithmetic, which is loaded when it is first needed; without any need, one that knows no times. */
	cron(needed: boolean): Observable<Cron>;
	/** Reads what is kept, without the right to change it. Emits once: whether there was anything, usable or not. */
	reread(): Observable<boolean>;
	/**
	 * Takes the lease, reads what is kept, lets `decide` change it and writes it down. Emits the result once that is
	 * written. Errors with `LeaseTaken`, with what `decide` throws, or with `ScheduleRefused` when it cannot be written:
	 * nothing has changed then.
	 */
	change<R>(decide: (entries: Entries<Job>, cron: Cron) => Change<Job, R>, needsCron?: boolean): Observable<R>;
}

export interface ScheduleBookOptions<Job> {
	readonly store: ScheduleStore<Job>;
	readonly lease: ScheduleLease;
	readonly cron$: Observable<Cron>;
	/** What is to become of an entry that was read with its start open; the same entry leaves it. */
	readonly settle: (entry: ScheduleEntry<Job>) => ScheduleEntry<Job> | undefined;
	readonly onChange: () => void;
}

const noCron: Cron = { problem: () => "cron patterns cannot be read.", after: () => undefined };

export function createScheduleBook<Job>(options: ScheduleBookOptions<Job>): ScheduleBook<Job> {
	const { store, lease, settle, onChange } = options;
	let entries: Entries<Job> = new Map();
	let loaded: Cron | undefined;

	const cron = (needed: boolean): Observable<Cron> =>
		defer(() => {
			if (loaded !== undefined || !needed) return of(loaded ?? noCron);
			return options.cron$.pipe(
				tap((arrived) => {
					loaded = arrived;
				}),
				refusing("Cron patterns cannot be read"),
			);
		});
	const put = (next: Entries<Job>): void => {
		entries = next;
		onChange();
	};
	const load = (repair: boolean): Observable<{ readonly read: Entries<Job>; readonly damaged: boolean }> =>
		defer(() => store.load(repair)).pipe(
			map((kept) => ({
				read: new Map(kept.entries.map((entry) => [entry.scheduleId, entry])),
				damaged: kept.damaged,
			})),
			refusing("Schedules cannot be read"),
		);
	const write = (next: Entries<Job>): Observable<unknown> =>
		defer(() => store.save([...next.values()])).pipe(refusing("Schedules cannot be written"));

	const changeHeld = <R>(
		decide: (entries: Entries<Job>, cron: Cron) => Change<Job, R>,
		{ read, damaged }: { readonly read: Entries<Job>; readonly damaged: boolean },
		arithmetic: Cron,
	): Observable<R> => {
		const settled = settleAll(read, settle);
		const change = decide(settled, arithmetic);
		const next = change.entries ?? settled;
		if (next === read && !damaged) {
			put(read);
			return of(change.result);
		}
		return write(next).pipe(
			map(() => {
				put(next);
				return change.result;
			}),
		);
	};

	return {
		get entries() {
			return entries;
		},
		cron,
		reread: () =>
			load(false).pipe(
				map(({ read, damaged }) => {
					put(read);
					return damaged || read.size > 0;
				}),
			),
		change: (decide, needsCron = false) =>
			defer(() => lease.acquire()).pipe(
				refusing("It is not known whether another process has the schedules of this session"),
				concatMap((answer) => {
					if (answer.held) return load(true);
					const message = `${answer.holder} has this session open too, and keeps its schedules: change them there.`;
					return throwError(() => new LeaseTaken(message));
				}),
				concatMap((kept) =>
					cron(needsCron || [...kept.read.values()].some(isCron)).pipe(
						concatMap((arithmetic) => changeHeld(decide, kept, arithmetic)),
					),
				),
			),
	};
}

/** The same map when nothing had to be settled. */
function settleAll<Job>(
	read: Entries<Job>,
	settle: (entry: ScheduleEntry<Job>) => ScheduleEntry<Job> | undefined,
): Entries<Job> {
	let settled: Map<ScheduleId, ScheduleEntry<Job>> | undefined;
	for (const [id, entry] of read) {
		if (entry.starting === undefined) continue;
		const now = settle(entry);
		if (now === entry) continue;
		settled ??= new Map(read);
		if (now === undefined) settled.delete(id);
		else settled.set(id, now);
	}
	return settled ?? read;
}

/** An error from outside, told as a refusal. */
function refusing<T>(what: string): MonoTypeOperatorFunction<T> {
	return catchError((error: unknown): Observable<T> => {
		if (error instanceof ScheduleRefused) return throwError(() => error);
		const reason = error instanceof Error ? error.message : String(error);
		return throwError(() => new ScheduleRefused(`${what}: ${reason}`));
	});
}
