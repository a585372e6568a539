import { describeSchedule } from "./describe-schedule.ts";
import { parseSchedule, type ScheduleClock } from "./parse-schedule.ts";
import { oneLine } from "./plain-text.ts";
import type { Change, Entries } from "./schedule-book.ts";
import { advanced, planDue, type ScheduleEntry } from "./schedule-entry.ts";
import type { Due } from "./schedule-runs.ts";
import type { Cron, ScheduleSpec } from "./schedule-spec.ts";
import { nextTimes } from "./schedule-times.ts";
import {
	type ReadSchedule,
	type ScheduleId,
	type ScheduleReceipt,
	ScheduleRefused,
	type ScheduleRequest,
} from "./schedules.ts";
import { zoneTime } from "./zone-time.ts";

/** A model that has lost its way is stopped here. */
const mostSchedules = 64;

/** What is understood of a schedule's text. */
export function readSchedule(text: string, clock: ScheduleClock, cron: Cron): ReadSchedule {
	const parsed = parseSchedule(text, clock, cron);
	return parsed.ok ? { ok: true, spec: parsed.spec, ...told(parsed.spec, clock.now, cron) } : parsed;
}

/** Adds a schedule with a new id. Throws `ScheduleRefused`. */
export function addSchedule<Job>(
	entries: Entries<Job>,
	{ text, ...request }: ScheduleRequest<Job>,
	made: { readonly scheduleId: ScheduleId; readonly clock: ScheduleClock; readonly sessionOnly: boolean },
	cron: Cron,
): Change<Job, ScheduleReceipt> {
	const { scheduleId, clock, sessionOnly } = made;
	const parsed = parseSchedule(text, clock, cron);
	if (!parsed.ok) throw new ScheduleRefused(parsed.problem);
	if (entries.size >= mostSchedules)
		throw new ScheduleRefused(`There are ${entries.size} schedules, which is the limit: one has to be cancelled.`);
	const { spec } = parsed;
	const entry = { ...request, text: oneLine(text, 200), scheduleId, spec, createdAt: clock.now };
	return {
		entries: new Map(entries).set(
			scheduleId,
			advanced({ ...entry, paused: false, fired: 0, skipped: 0 }, clock.now, cron),
		),
		result: { scheduleId, ...told(spec, clock.now, cron), sessionOnly },
	};
}

/** Without its next time: those that come are left out. */
export function pauseSchedule<Job>(entry: ScheduleEntry<Job>): ScheduleEntry<Job> {
	if (entry.paused) return entry;
	const { next: _, ...rest } = entry;
	return { ...rest, paused: true };
}

/** With the next time after now. Throws `ScheduleRefused` when there is none. */
export function resumeSchedule<Job>(entry: ScheduleEntry<Job>, now: number, cron: Cron): ScheduleEntry<Job> {
	if (!entry.paused) return entry;
	const next = advanced({ ...entry, paused: false }, now, cron);
	if (next.next === undefined)
		throw new ScheduleRefused(`The time of schedule ${entry.scheduleId} passed while it was paused: cancel it.`);
	return next;
}

/** What is decided about all schedules whose time has come. */
export function startDue<Job>(
	entries: Entries<Job>,
	facts: {
		readonly now: number;
		readonly isRunning: (scheduleId: ScheduleId) => boolean;
		/** Lateness from which on a time counts as missed, in milliseconds. */
		readonly tolerance: number;
		readonly missed: "skip" | "once";
	},
	cron: Cron,
): Change<Job, readonly Due<Job>[]> {
	const { now, isRunning } = facts;
	const next = new Map(entries);
	const result: Due<Job>[] = [];
	for (const before of entries.values()) {
		const at = before.next;
		if (at === undefined || at > now) continue;
		const plan = planDue(before, at, { ...facts, running: isRunning(before.scheduleId), cron });
		if (plan.entry === undefined) next.delete(before.scheduleId);
		else next.set(before.scheduleId, plan.entry);
		result.push({ before, plan });
	}
	return result.length === 0 ? { result } : { entries: next, result };
}

/** The earliest time of all; `undefined` when there is none. */
export function earliestTime<Job>(entries: Entries<Job>): number | undefined {
	const times = [...entries.values()].flatMap(({ next }) => next ?? []);
	return times.length === 0 ? undefined : Math.min(...times);
}

/** What a schedule was understood as, and its next three times. */
function told(
	spec: ScheduleSpec,
	now: number,
	cron: Cron,
): { readonly words: string; readonly next: readonly string[] } {
	const { format } = zoneTime(spec.zone);
	return { words: describeSchedule(spec), next: nextTimes(spec, now, 3, cron).map(format) };
}
