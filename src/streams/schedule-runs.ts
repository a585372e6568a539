import { defer, Subscription } from "rxjs";
import { oneLine } from "./plain-text.ts";
import { type DuePlan, type ScheduleEntry, started } from "./schedule-entry.ts";
import type { ScheduleId, ScheduleLast, StartScheduled } from "./schedules.ts";
import { zoneTime } from "./zone-time.ts";

export type NotifySchedule = (text: string, level: "info" | "warning") => void;

/** A schedule whose time has come, and what is to be done about it. */
export interface Due<Job> {
	readonly before: ScheduleEntry<Job>;
	readonly plan: DuePlan<Job>;
}

/** The jobs of schedules: starts them and follows them to their ends. */
export interface ScheduleRuns<Job> {
	isRunning(scheduleId: ScheduleId): boolean;
	/** Does what has been planned and written down. */
	carryOut(due: Due<Job>): void;
	/**
	 * What becomes of an entry that was read with its start open: the same while that start is under way here, one that
	 * says what it came to, or `undefined` when nothing is left of it. One that nobody here started is told to the person.
	 */
	settle(entry: ScheduleEntry<Job>): ScheduleEntry<Job> | undefined;
	/** The same as is known so far, without a word to anybody: for showing. */
	known(entry: ScheduleEntry<Job>): ScheduleEntry<Job> | undefined;
	/** Forgets what a start came to, once that is written down. */
	settled(scheduleId: ScheduleId): void;
	/** Follows no job any more. Stops none: they are not its own. */
	close(): void;
}

export interface ScheduleRunsOptions<Job> {
	readonly start: StartScheduled<Job>;
	readonly notify: NotifySchedule;
	/** A start has come to something, which `settle` now says and which wants to be written down. */
	readonly onStarted: (scheduleId: ScheduleId) => void;
	readonly onChange: () => void;
}

export function createScheduleRuns<Job>(options: ScheduleRunsOptions<Job>): ScheduleRuns<Job> {
	const { notify } = options;
	/** Jobs that are going on. */
	const running = new Map<ScheduleId, Subscription>();
	/** What starts came to that is not written down yet; `open` while that is not known. */
	const starts = new Map<ScheduleId, ScheduleLast | "open">();
	/** Schedules of which it has been said that they overlap, since their job began. */
	const overlapTold = new Set<ScheduleId>();

	function begin({ scheduleId, job, description, toolCallId }: ScheduleEntry<Job>, at: number): void {
		const came = (last: ScheduleLast): void => {
			if (starts.get(scheduleId) !== "open") return;
			starts.set(scheduleId, last);
			options.onStarted(scheduleId);
		};
		const over = (): void => {
			running.delete(scheduleId);
			overlapTold.delete(scheduleId);
			options.onChange();
		};
		// Both before the start, which may begin and end at once.
		const owned = new Subscription();
		running.set(scheduleId, owned);
		starts.set(scheduleId, "open");
		const fire = { scheduleId, description, at, ...(toolCallId === undefined ? {} : { toolCallId }) };
		owned.add(
			defer(() => options.start(job, fire)).subscribe({
				next: (id) => came({ at, started: id }),
				error: (error: unknown) => {
					const problem = error instanceof Error ? error.message : String(error);
					notify(`${nameOf({ scheduleId, description })}: ${problem}`, "warning");
					over();
					came({ at, problem });
				},
				complete: () => {
					over();
					came({ at, problem: "nothing was started" });
				},
			}),
		);
	}

	function sayLeftOut({ before, plan }: Due<Job>): void {
		const when = zoneTime(before.spec.zone).format(plan.at);
		const end = plan.entry === undefined ? " It had no other time, and has ended." : "";
		if (plan.act === "missed") {
			notify(`${nameOf(before)}: ${when} passed while nothing could start it, and is left out.${end}`, "warning");
			return;
		}
		// Once for each job that takes too long; the others are counted.
		if (overlapTold.has(before.scheduleId)) return;
		overlapTold.add(before.scheduleId);
		notify(`${nameOf(before)}: left out at ${when}, since it is still at work on an earlier time.${end}`, "info");
	}

	const known = (entry: ScheduleEntry<Job>): ScheduleEntry<Job> | undefined => {
		const last = entry.starting === undefined ? undefined : starts.get(entry.scheduleId);
		return last === undefined || last === "open" ? entry : started(entry, last);
	};

	return {
		known,
		isRunning: (scheduleId) => running.has(scheduleId),
		carryOut: (due) => (due.plan.act === "start" ? begin(due.before, due.plan.at) : sayLeftOut(due)),
		settle: (entry) => {
			if (entry.starting === undefined || starts.has(entry.scheduleId)) return known(entry);
			const when = zoneTime(entry.spec.zone).format(entry.starting);
			notify(
				`${nameOf(entry)}: Pi ended just when it was starting for ${when}. It may have been started; it is not started again.`,
				"warning",
			);
			return started(entry, { at: entry.starting, problem: "Pi ended while it was starting" });
		},
		settled: (scheduleId) => {
			if (starts.get(scheduleId) !== "open") starts.delete(scheduleId);
		},
		close: () => {
			for (const owned of running.values()) owned.unsubscribe();
		},
	};
}

function nameOf({ scheduleId, description }: Pick<ScheduleEntry<unknown>, "scheduleId" | "description">): string {
	return `Schedule ${scheduleId} (${oneLine(description, 60)})`;
}
