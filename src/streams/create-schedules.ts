import {
	catchError,
	concatMap,
	map,
	type Observable,
	of,
	type SchedulerLike,
	Subject,
	Subscription,
	throwError,
} from "rxjs";
import { looksLikeCron } from "./parse-schedule.ts";
import { createScheduleAlarm, longestTimer } from "./schedule-alarm.ts";
import { createScheduleBook, LeaseTaken } from "./schedule-book.ts";
import {
	addSchedule,
	earliestTime,
	pauseSchedule,
	readSchedule,
	resumeSchedule,
	startDue,
} from "./schedule-changes.ts";
import { type ScheduleEntry, type ScheduleLease, type ScheduleStore, viewOf } from "./schedule-entry.ts";
import { createScheduleRuns, type NotifySchedule } from "./schedule-runs.ts";
import type { Cron } from "./schedule-spec.ts";
import {
	type ReadSchedule,
	type Schedule,
	type ScheduleId,
	type ScheduleReceipt,
	ScheduleRefused,
	type ScheduleRequest,
	type Schedules,
	type StartScheduled,
} from "./schedules.ts";
import { createTurns, TurnsClosed } from "./turns.ts";

/** What `createSchedules` needs from outside. */
export interface SchedulesOptions<Job> {
	readonly store: ScheduleStore<Job>;
	readonly lease: ScheduleLease;
	readonly start: StartScheduled<Job>;
	/** Emits the cron arithmetic; subscribed to when the first pattern is met. */
	readonly cron$: Observable<Cron>;
	/** The clock, which may jump, and every timer. */
	readonly scheduler: SchedulerLike;
	/** The time zone of patterns, and of times without an offset. */
	readonly zone: string;
	/** What becomes of a time that passed while nothing could start its job. */
	readonly missed: () => "skip" | "once";
	readonly newId: () => ScheduleId;
	/** Tells the person what no call is told. */
	readonly notify: NotifySchedule;
	/** Why there are no schedules here at all; then nothing is read, kept or started. */
	readonly refuse?: string;
}

/** Within this a time is merely late: the longest timer and a busy machine are. In milliseconds. */
const tolerance = 2 * longestTimer;
/** How long it takes to another try where the schedules could not be had, in milliseconds. */
const retryAfter = 30_000;

/**
 * The schedules of one parent session, kept and started from `open()` to `close()`. Everything that
 * changes them takes its turn: it has the lease, reads the store anew, decides, writes, and only then starts anything.
 */
export function createSchedules<Job>(options: SchedulesOptions<Job>): Schedules<Job> {
	const { scheduler, refuse, notify } = options;
	const turns = createTurns();
	const changed$ = new Subject<void>();
	const lifetime = new Subscription();
	let trouble: string | undefined;
	let closing = false;

	const runs = createScheduleRuns<Job>({
		start: options.start,
		notify,
		onStarted: (scheduleId) =>
			inTurn(() => book.change(() => ({ result: undefined })).pipe(map(() => runs.settled(scheduleId)))),
		onChange: () => changed$.next(),
	});
	const book = createScheduleBook<Job>({
		store: options.store,
		lease: options.lease,
		cron$: options.cron$,
		settle: runs.settle,
		onChange: () => {
			alarm.set();
			changed$.next();
		},
	});
	const alarm = createScheduleAlarm(
		() => (refuse === undefined ? earliestTime(book.entries) : undefined),
		() => inTurn(() => fire(tolerance)),
		scheduler,
	);
	const list = (): readonly Schedule<Job>[] =>
		[...book.entries.values()]
			// Of a start that has come to something: writing that down may take a second.
			.flatMap((entry) => runs.known(entry) ?? [])
			.map((entry) => viewOf(entry, runs.isRunning(entry.scheduleId)));
	const clock = () => ({ now: scheduler.now(), zone: options.zone });

	/** A turn that nobody waits for. */
	function inTurn(act: () => Observable<unknown>): void {
		lifetime.add(turns.take(act).subscribe({ error: () => undefined }));
	}

	/** Starts what is due. Ends with the alarm set; never errors. */
	function fire(late: number): Observable<void> {
		const decided$ = book.change((entries, cron) => {
			// A session that is ending starts nothing: what is due then will have been missed.
			if (closing) return { result: [] };
			const { now } = clock();
			return startDue(entries, { now, isRunning: runs.isRunning, tolerance: late, missed: options.missed() }, cron);
		});
		return decided$.pipe(
			map((due) => {
				trouble = undefined;
				for (const one of due) runs.carryOut(one);
			}),
			catchError((error: unknown) => {
				alarm.hold(scheduler.now() + retryAfter);
				// Who has the lease fires, and writes the next times: they are what is waited for now.
				if (error instanceof LeaseTaken) return book.reread().pipe(catchError(() => of(undefined)));
				// Once for as long as it stays the same: a full disk would say it twice a minute.
				const told = messageOf(error);
				if (told !== trouble) notify(`${told} Nothing is started before that works.`, "warning");
				trouble = told;
				return of(undefined);
			}),
			map(() => alarm.set()),
		);
	}

	/** Reads what there was when the session began, and says so. What passed before that has been missed. */
	function restore(): Observable<unknown> {
		return book.reread().pipe(
			concatMap((some) => (some ? fire(0) : of(undefined))),
			map(() => {
				const live = [...book.entries.values()].filter(({ next }) => next !== undefined).length;
				if (live > 0) notify(restoredText(live), "info");
			}),
			catchError((error: unknown) => of(notify(messageOf(error), "warning"))),
		);
	}

	/** What somebody asks for and gets an answer to. */
	function asked<T>(act: (wanted: () => boolean) => Observable<T>): Observable<T> {
		if (refuse !== undefined) return throwError(() => new ScheduleRefused(refuse));
		return turns.take(act).pipe(
			catchError((error: unknown) => {
				throw error instanceof TurnsClosed ? new ScheduleRefused("The session is ending.") : error;
			}),
		);
	}

	function read(text: string): Observable<ReadSchedule> {
		if (refuse !== undefined) return of({ ok: false, problem: refuse });
		return book.cron(looksLikeCron(text)).pipe(
			map((cron) => readSchedule(text, clock(), cron)),
			catchError((error: unknown) => of<ReadSchedule>({ ok: false, problem: messageOf(error) })),
		);
	}

	function add(request: ScheduleRequest<Job>): Observable<ScheduleReceipt> {
		return asked((wanted) => {
			const made = { scheduleId: options.newId(), clock: clock(), sessionOnly: options.store.sessionOnly };
			const added$ = book.change(
				(entries, cron) => addSchedule(entries, request, made, cron),
				looksLikeCron(request.text),
			);
			// Nobody listens any more: nobody has the id, and could cancel it.
			return added$.pipe(concatMap((receipt) => (wanted() ? of(receipt) : remove(made.scheduleId, receipt))));
		});
	}

	function remove<R>(scheduleId: ScheduleId, result: R): Observable<R> {
		return book.change((entries) => {
			const rest = new Map(entries);
			rest.delete(scheduleId);
			return { entries: rest, result };
		});
	}

	/** One schedule becomes another, or nothing; emits how it is then, or was. */
	function alter(
		scheduleId: ScheduleId,
		how: (entry: ScheduleEntry<Job>, cron: Cron) => ScheduleEntry<Job> | undefined,
	): Observable<Schedule<Job>> {
		return asked(() =>
			book.change((entries, cron) => {
				const entry = entries.get(scheduleId);
				if (entry === undefined) throw new ScheduleRefused(`There is no schedule ${scheduleId}: it has ended.`);
				const altered = how(entry, cron);
				const result = viewOf(altered ?? entry, runs.isRunning(scheduleId));
				if (altered === entry) return { result };
				const next = new Map(entries);
				if (altered === undefined) next.delete(scheduleId);
				else next.set(scheduleId, altered);
				return { entries: next, result };
			}),
		);
	}

	function close(): Observable<never> {
		closing = true;
		alarm.close();
		runs.close();
		const over$ = turns.close();
		const end = (): void => {
			lifetime.unsubscribe();
			changed$.complete();
		};
		// Behind the last turn: one that is under way is not left out for want of a listener.
		lifetime.add(over$.subscribe({ error: end, complete: end }));
		return over$;
	}

	return {
		// Where nothing starts, what there is can be listed all the same.
		open: () => inTurn(() => (refuse === undefined ? restore() : book.reread())),
		read,
		add,
		list,
		pause: (scheduleId) => alter(scheduleId, pauseSchedule),
		resume: (scheduleId) => alter(scheduleId, (entry, cron) => resumeSchedule(entry, scheduler.now(), cron)),
		cancel: (scheduleId) => alter(scheduleId, () => undefined),
		changes$: changed$.pipe(map(list)),
		close,
	};
}

function restoredText(live: number): string {
	return `${live === 1 ? "1 schedule is" : `${live} schedules are`} live in this session; /agents schedules lists them.`;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
