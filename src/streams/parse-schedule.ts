import { oneLine } from "./plain-text.ts";
import type { Cron, ScheduleSpec } from "./schedule-spec.ts";
import { nextTimes } from "./schedule-times.ts";
import { zoneTime } from "./zone-time.ts";

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** An agent is more than a clock's tick: nothing comes again sooner than this, in milliseconds. */
export const shortestInterval = 10_000;
/** What is further away than this is taken for a slip. A pattern may wait longer, for the 29th of February. */
export const furthest = 366 * units.d;

export type ParsedSchedule =
	| { readonly ok: true; readonly spec: ScheduleSpec }
	/** What is wrong, and what to write instead. */
	| { readonly ok: false; readonly problem: string };

/** What times are read against. */
export interface ScheduleClock {
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** The time zone of patterns, and of times without an offset. */
	readonly zone: string;
}

const forms = 'cron with 5 or 6 fields ("0 9 * * MON-FRI"), "30s", "5m", "2h", "1d", "+10m" or "2026-12-01T09:00"';

/** Whether a text can only be a cron pattern: reading any other needs no cron arithmetic. */
export function looksLikeCron(text: string): boolean {
	const fields = text.trim().split(/\s+/);
	return fields.length > 2 && !/^\d{4}-\d{2}-\d{2}/.test(text.trim());
}

/** Reads the text of a schedule. What `5m` and `+10m` count from is `now`. Never throws. */
export function parseSchedule(text: string, { now, zone }: ScheduleClock, cron: Cron): ParsedSchedule {
	const given = text.trim();
	if (given === "") return wrong(`schedule is empty: write ${forms}.`);
	const duration = /^(\+?)(\d{1,12})([a-z])$/i.exec(given);
	if (duration !== null) return parseDuration(duration, now, zone);
	if (/^[+-]?\d{4,6}-\d/.test(given)) return parseIso(given, now, zone);
	if (looksLikeCron(given)) return parseCron(given, now, zone, cron);
	return wrong(`"${oneLine(given, 60)}" is no schedule: write ${forms}.`);
}

function parseDuration([given, plus, digits, letter]: RegExpExecArray, now: number, zone: string): ParsedSchedule {
	const unit = units[(letter ?? "").toLowerCase() as keyof typeof units] as number | undefined;
	if (unit === undefined) return wrong(`"${given}" has no unit that is known: write s, m, h or d, as in "5m".`);
	const ms = Number(digits) * unit;
	if (ms > furthest) return wrong(`"${given}" is more than 366 days: write a shorter time, or a cron pattern.`);
	if (plus === "+") {
		return ms > 0 ? right({ kind: "once", at: now + ms, zone }) : wrong(`"${given}" is now: leave schedule out.`);
	}
	if (ms < shortestInterval)
		return wrong(`"${given}" comes again too soon: the shortest interval is 10s. Once in a while is "+${given}".`);
	return right({ kind: "every", ms, anchor: now, zone });
}

const iso =
	/^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

function parseIso(given: string, now: number, zone: string): ParsedSchedule {
	const shown = `"${oneLine(given, 60)}"`;
	if (/^\d{4}-\d{2}-\d{2}$/.test(given)) return wrong(`${shown} has no time of day: write "${given}T09:00".`);
	const [, y, mo, d, h, mi, s = "0", fraction = "", offset] = iso.exec(given) ?? [];
	const parts = [y, mo, d, h, mi, s].map(Number);
	const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = parts;
	const clock = Date.UTC(year, month - 1, date, hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
	// A date that rolls over, the 31st of February, reads otherwise than it was written; and what is no date, as none.
	const back = new Date(clock);
	const same = [
		back.getUTCFullYear(),
		back.getUTCMonth() + 1,
		back.getUTCDate(),
		back.getUTCHours(),
		back.getUTCMinutes(),
		back.getUTCSeconds(),
	].every((part, index) => part === parts[index]);
	if (!same) return wrong(`${shown} is no date and time: write it as "2026-12-01T09:00" or "2026-12-01T09:00+01:00".`);
	const at = offset === undefined ? localInstant(clock, zone) : clock - offsetOf(offset);
	if (at === undefined)
		return wrong(`${shown} does not exist in ${zone}: clocks are put forward over it. Take a time an hour later.`);
	if (Number.isNaN(at)) return wrong(`${shown} has an offset that no clock has: write it as "+01:00" or "Z".`);
	if (at <= now) return wrong(`${shown} is past: it is ${zoneTime(zone).format(now)} (${zone}) now.`);
	if (at - now > furthest) return wrong(`${shown} is more than 366 days away: write a nearer time, or a cron pattern.`);
	return right({ kind: "once", at, zone });
}

/** Of a time that clocks show twice it is the first. */
function localInstant(clock: number, zone: string): number | undefined {
	return zoneTime(zone).instantsOf(clock)[0];
}

function offsetOf(text: string): number {
	// Where there are no digits, as in "Z", it is a zero.
	const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.replace(":", "").slice(3))];
	if (hours > 14 || minutes > 59) return Number.NaN;
	return (text.startsWith("-") ? -1 : 1) * (hours * units.h + minutes * units.m);
}

/** How many times are looked at to find the shortest distance: more than the seconds of a minute. */
const probed = 62;

function parseCron(given: string, now: number, zone: string, cron: Cron): ParsedSchedule {
	const pattern = given.split(/\s+/).join(" ");
	const shown = `"${oneLine(pattern, 80)}"`;
	const fields = pattern.split(" ").length;
	if (pattern.length > 200) return wrong(`${shown} is too long for a cron pattern.`);
	if (fields !== 5 && fields !== 6) {
		const order = "minute hour day month weekday, with seconds before them if there are six";
		const other = 'What is no cron is written "5m" (again and again), "+10m" (once) or "2026-12-01T09:00"';
		return wrong(`${shown} has ${fields} fields: cron takes 5 or 6 (${order}). ${other}.`);
	}
	const problem = cron.problem(pattern, zone);
	if (problem !== undefined) return wrong(`${shown} is no cron pattern: ${problem}`);
	const spec: ScheduleSpec = { kind: "cron", pattern, zone };
	const times = nextTimes(spec, now, probed, cron);
	if (times.length === 0) return wrong(`${shown} never comes: there is no such day.`);
	if (times.some((time, index) => time - (times[index - 1] ?? Number.NEGATIVE_INFINITY) < shortestInterval))
		return wrong(`${shown} comes again within 10 seconds: give the seconds as one value, or leave them out.`);
	return right(spec);
}

function right(spec: ScheduleSpec): ParsedSchedule {
	return { ok: true, spec };
}

function wrong(problem: string): ParsedSchedule {
	return { ok: false, problem };
}
