import {
	concat,
	defer,
	finalize,
	map,
	type Observable,
	of,
	type SchedulerLike,
	Subject,
	take,
	tap,
	throwError,
	VirtualAction,
	VirtualTimeScheduler,
} from "rxjs";
import { loadCron } from "../../src/host/cron.ts";
import {
	createSchedules,
	type ScheduleEntry,
	type ScheduleFire,
	type ScheduleId,
	type Schedules,
	type SchedulesOptions,
} from "../../src/streams/index.ts";

export const cron = await loadCron();

/** A clock that stands still until it is told to go on. Nothing here waits. */
export interface Clock {
	readonly scheduler: SchedulerLike;
	readonly now: number;
	/** How many timers have been set. */
	readonly timers: number;
	/** Goes on to that time, and does what is due on the way. */
	until(iso: string): void;
	/** The time is another from one moment to the next, and no timer has heard of it. */
	jump(ms: number): void;
	/** How many timers are set now. */
	pending(): number;
}

export function clockAt(iso: string): Clock {
	const virtual = new VirtualTimeScheduler(VirtualAction, 0);
	virtual.frame = Date.parse(iso);
	let skew = 0;
	let timers = 0;
	return {
		scheduler: {
			now: () => virtual.frame + skew,
			schedule: (work, delay, state) => {
				timers++;
				// biome-ignore lint/suspicious/noExplicitAny: the overloads of the interface have no common type argument.
				return virtual.schedule(work as (this: any, state?: unknown) => void, delay, state) as any;
			},
		},
		get now() {
			return virtual.frame + skew;
		},
		get timers() {
			return timers;
		},
		until: (time) => {
			virtual.maxFrames = Date.parse(time) - skew;
			virtual.flush();
			virtual.frame = virtual.maxFrames;
		},
		jump: (ms) => {
			skew += ms;
		},
		pending: () => virtual.actions.filter(({ closed }) => !closed).length,
	};
}

/** What processes on one session share: the file, and who has the lease. */
export interface Disk {
	entries: readonly ScheduleEntry<string>[];
	saves: number;
	/** Lets the next writes fail with this. */
	fault: string | undefined;
	/** Lets the next reads fail with this. */
	unreadable: string | undefined;
	/** What reads wait for, or writes, while it is there. */
	slow: { readonly load$?: Observable<unknown>; readonly save$?: Observable<unknown> };
	holder: string | undefined;
}

export function newDisk(): Disk {
	return { entries: [], saves: 0, fault: undefined, unreadable: undefined, slow: {}, holder: undefined };
}

/** A job that a schedule started. */
export interface StartedJob {
	readonly job: string;
	readonly fire: ScheduleFire;
	/** Whether anybody still follows it. */
	followed: boolean;
	/** It is over. */
	end(): void;
}

export interface World {
	readonly schedules: Schedules<string>;
	readonly said: string[];
	readonly started: StartedJob[];
	/** The times that were started, as ISO texts. */
	times(): string[];
	/** The process is gone, as after `kill -9`: it writes and starts nothing more. */
	kill(): void;
}

/** What a `start` comes to is by default an id, and an end when the test says so. */
export interface WorldOptions extends Partial<Pick<SchedulesOptions<string>, "start">> {
	readonly clock: Clock;
	readonly disk?: Disk;
	readonly name?: string;
	readonly missed?: "skip" | "once";
	readonly zone?: string;
	readonly more?: Partial<SchedulesOptions<string>>;
}

/** One process with a session's schedules. Its jobs are words. */
export function scheduleWorld(options: WorldOptions): World {
	const { clock, disk = newDisk(), name = "one", missed = "skip", zone = "Europe/Berlin" } = options;
	const said: string[] = [];
	const started: StartedJob[] = [];
	let ids = 0;
	let dead = false;
	const never$ = new Subject<never>();
	const schedules = createSchedules<string>({
		store: {
			sessionOnly: false,
			load: () =>
				defer(() => {
					if (dead) return never$;
					const { unreadable, slow } = disk;
					if (unreadable !== undefined) return throwError(() => new Error(unreadable));
					return (slow.load$ ?? of(undefined)).pipe(
						take(1),
						map(() => ({ entries: disk.entries, damaged: false })),
					);
				}),
			save: (entries) =>
				defer(() => {
					if (dead) return never$;
					const { fault, slow } = disk;
					if (fault !== undefined) return throwError(() => new Error(fault));
					return (slow.save$ ?? of(undefined)).pipe(
						take(1),
						tap(() => {
							disk.entries = JSON.parse(JSON.stringify(entries));
							disk.saves++;
						}),
					);
				}),
		},
		lease: {
			acquire: () =>
				defer(() => {
					if (dead) return never$;
					disk.holder ??= name;
					return of(disk.holder === name ? { held: true as const } : { held: false as const, holder: disk.holder });
				}),
		},
		start: (job, fire) => {
			if (dead) return never$;
			if (options.start) return options.start(job, fire);
			return defer(() => {
				const end$ = new Subject<string>();
				const one: StartedJob = { job, fire, followed: true, end: () => end$.complete() };
				started.push(one);
				return concat(of(`agent${started.length}`), end$).pipe(
					finalize(() => {
						one.followed = false;
					}),
				);
			});
		},
		cron$: of(cron),
		scheduler: clock.scheduler,
		zone,
		missed: () => missed,
		newId: () => `s-${name}${++ids}` as ScheduleId,
		notify: (text) => said.push(text),
		...options.more,
	});
	schedules.open();
	return {
		schedules,
		said,
		started,
		times: () => started.map(({ fire }) => new Date(fire.at).toISOString()),
		kill: () => {
			dead = true;
			if (disk.holder === name) disk.holder = undefined;
		},
	};
}
