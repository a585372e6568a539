import type { Observable } from "rxjs";
import type { ToolCallId } from "./ids.ts";
import type { ScheduleSpec } from "./schedule-spec.ts";

declare const brand: unique symbol;

/** One schedule, for its whole life. Matches `[A-Za-z0-9_-]{4,64}`, and never equals the id of an agent or a group. */
export type ScheduleId = string & { readonly [brand]: "ScheduleId" };

/** What a call asks for when it wants a job done later, or again and again. */
export interface ScheduleRequest<Job> {
	/** As it was given: cron, `5m`, `+10m` or an ISO time. */
	readonly text: string;
	/** Plain JSON. It has been validated; what it means is worked out afresh each time it starts. */
	readonly job: Job;
	/** A few words for people. */
	readonly description: string;
	readonly toolCallId?: ToolCallId;
}

/** What was understood of a schedule's text. */
export type ReadSchedule =
	| {
			readonly ok: true;
			readonly spec: ScheduleSpec;
			/** In words, with the time zone named. */
			readonly words: string;
			/** The next times, at most three, with their date, time and offset: a one-shot has one. */
			readonly next: readonly string[];
	  }
	/** What is wrong, and what to write instead. */
	| { readonly ok: false; readonly problem: string };

/** A schedule that has been written down. */
export interface ScheduleReceipt {
	readonly scheduleId: ScheduleId;
	readonly words: string;
	readonly next: readonly string[];
	/** Whether it ends with the session, because the session itself is not kept. */
	readonly sessionOnly: boolean;
}

/** One schedule as it stands. */
export interface Schedule<Job> {
	readonly scheduleId: ScheduleId;
	readonly text: string;
	readonly spec: ScheduleSpec;
	readonly words: string;
	readonly job: Job;
	readonly description: string;
	readonly toolCallId?: ToolCallId;
	/** Milliseconds since the epoch, as all times here. */
	readonly createdAt: number;
	readonly paused: boolean;
	/** The time that comes next; `undefined` while it is paused, and when the last of all is just being started. */
	readonly next?: number;
	readonly last?: ScheduleLast;
	/** Times at which the job was started. */
	readonly fired: number;
	/** Times that were left out because its job of an earlier time was still going on. */
	readonly skipped: number;
	/** Whether a job of it is going on in this process. */
	readonly running: boolean;
}

/** The last time of a schedule that something came of. */
export interface ScheduleLast {
	readonly at: number;
	/** The ids of the agent or the group that was started. */
	readonly started?: string;
	/** Why nothing was. */
	readonly problem?: string;
}

/** The time at which a job starts, and whose it is. */
export interface ScheduleFire {
	readonly scheduleId: ScheduleId;
	readonly description: string;
	/** The time it was due, not the time it is. */
	readonly at: number;
	/** The call that made the schedule. */
	readonly toolCallId?: ToolCallId;
}

/**
 * Starts a job in the background. Emits the id of the agent or group as soon as that exists, and completes when the
 * job is over; errors when nothing could be started, with a message that says why. Unsubscribing stops nothing.
 */
export type StartScheduled<Job> = (job: Job, fire: ScheduleFire) => Observable<string>;

/** Why a schedule was not made or changed: the message is for whoever asked, and says what to do. */
export class ScheduleRefused extends Error {
	override readonly name = "ScheduleRefused";
}

/** All schedules of one parent session. Each answer comes once, after what it says has been written down. */
export interface Schedules<Job> {
	/**
	 * Reads the schedules that there were, settles what passed meanwhile, and tells the person how many are live. Called
	 * once, when jobs can be started.
	 */
	open(): void;
	/** Reads a schedule's text and changes nothing. Emits once; never errors. */
	read(text: string): Observable<ReadSchedule>;
	/**
	 * Makes a schedule. Emits once it is written where a crash does not reach it, so a receipt is never lost. Errors with
	 * `ScheduleRefused`, and nothing has happened then. Cold; unsubscribing before the receipt takes the schedule back.
	 */
	add(request: ScheduleRequest<Job>): Observable<ScheduleReceipt>;
	/** In the order of their making; those of another process on the same session may be some minutes old. */
	list(): readonly Schedule<Job>[];
	/** Leaves out the times from now on. Errors with `ScheduleRefused`. Cold, like the next two. */
	pause(scheduleId: ScheduleId): Observable<Schedule<Job>>;
	/** Goes on with the next time after now; those that passed meanwhile are gone. Errors with `ScheduleRefused`. */
	resume(scheduleId: ScheduleId): Observable<Schedule<Job>>;
	/** Ends it; a job that is going on goes on. Emits what it was. Errors with `ScheduleRefused`. */
	cancel(scheduleId: ScheduleId): Observable<Schedule<Job>>;
	/** All schedules after each change, hot; completes when closed. */
	readonly changes$: Observable<readonly Schedule<Job>[]>;
	/** Starts nothing more, and completes when what is being written is written. Starts at once. */
	close(): Observable<never>;
}
