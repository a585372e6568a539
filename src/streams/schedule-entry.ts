import type { Observable } from "rxjs";
import { describeSchedule } from "./describe-schedule.ts";
import type { ToolCallId } from "./ids.ts";
import type { Cron, ScheduleSpec } from "./schedule-spec.ts";
import { nextTime } from "./schedule-times.ts";
import type { Schedule, ScheduleId, ScheduleLast } from "./schedules.ts";

/** A schedule as a store keeps it. Plain JSON. */
export interface ScheduleEntry<Job> {
	readonly scheduleId: ScheduleId;
	readonly text: string;
	readonly spec: ScheduleSpec;
	readonly job: Job;
	readonly description: string;
	readonly toolCallId?: ToolCallId;
	readonly createdAt: number;
	readonly paused: boolean;
	/** The time that comes next; absent when there is none, or none while it is paused. */
	readonly next?: number;
	/**
	 * A time whose job is being started: written before, taken away after. Where it is found later, the process ended in
	 * between, and whether the job was started is not known.
	 */
	readonly starting?: number;
	readonly last?: ScheduleLast;
	readonly fired: number;
	readonly skipped: number;
}

/** Where schedules are kept. */
export interface ScheduleStore<Job> {
	/** Whether it ends with the session. */
	readonly sessionOnly: boolean;
	/**
	 * What is kept now, read anew at each subscription. Emits once, or errors when it cannot be read. With `repair`, for
	 * who has the lease, what cannot be used is put aside and told to the person; otherwise it is left as it is.
	 */
	load(repair: boolean): Observable<KeptSchedules<Job>>;
	/** Keeps exactly these. Emits once when a crash no longer reaches them; errors when they cannot be kept. */
	save(entries: readonly ScheduleEntry<Job>[]): Observable<unknown>;
}

export interface KeptSchedules<Job> {
	readonly entries: readonly ScheduleEntry<Job>[];
	/** Whether there is more than these, which cannot be used and has to be written over. */
	readonly damaged: boolean;
}

/** Who may write and fire: of several processes on one session, one. */
export interface ScheduleLease {
	/** Takes the lease or keeps it. Emits once: whether it is held, and by whom when by somebody else. May error. */
	acquire(): Observable<LeaseAnswer>;
}

export type LeaseAnswer = { readonly held: true } | { readonly held: false; readonly holder: string };

/** What comes of a schedule whose time has come. */
export interface DuePlan<Job> {
	/** `start` it; leave it out because its `overlap`s with itself, or because its time was `missed`. */
	readonly act: "start" | "overlap" | "missed";
	readonly at: number;
	/** As it is to be written before anything is started; `undefined` when nothing of it is left. */
	readonly entry: ScheduleEntry<Job> | undefined;
}

export interface DueFacts {
	readonly now: number;
	/** Whether a job of this schedule is going on. */
	readonly running: boolean;
	/** Lateness from which on a time counts as missed, in milliseconds. */
	readonly tolerance: number;
	readonly missed: "skip" | "once";
	readonly cron: Cron;
}

/** Decides about a schedule whose time has come. The next time is always after now: times that passed are one. */
export function planDue<Job>(entry: ScheduleEntry<Job>, at: number, facts: DueFacts): DuePlan<Job> {
	const later = advanced(entry, facts.now, facts.cron);
	const left = later.next === undefined ? undefined : later;
	if (facts.running)
		return { act: "overlap", at, entry: left === undefined ? undefined : { ...left, skipped: left.skipped + 1 } };
	if (facts.now - at > facts.tolerance && facts.missed === "skip") return { act: "missed", at, entry: left };
	return { act: "start", at, entry: { ...later, starting: at } };
}

/** The entry with its next time after `now`, or without any. */
export function advanced<Job>(entry: ScheduleEntry<Job>, now: number, cron: Cron): ScheduleEntry<Job> {
	const { next: _, ...rest } = entry;
	const next = nextTime(entry.spec, now, cron);
	return next === undefined ? rest : { ...rest, next };
}

/** The entry once its start has come to something; `undefined` when nothing of it is left. */
export function started<Job>(entry: ScheduleEntry<Job>, last?: ScheduleLast): ScheduleEntry<Job> | undefined {
	const { starting: _, ...rest } = entry;
	if (rest.next === undefined && !rest.paused) return undefined;
	if (last === undefined) return rest;
	return { ...rest, last, fired: rest.fired + (last.started === undefined ? 0 : 1) };
}

/** What others see of an entry. */
export function viewOf<Job>(entry: ScheduleEntry<Job>, running: boolean): Schedule<Job> {
	const { starting: _, ...rest } = entry;
	return { ...rest, words: describeSchedule(entry.spec), running };
}

export function isCron<Job>(entry: ScheduleEntry<Job>): boolean {
	return entry.spec.kind === "cron";
}
