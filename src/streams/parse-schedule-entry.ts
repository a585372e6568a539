import { toToolCallId } from "./ids.ts";
import { shortestInterval } from "./parse-schedule.ts";
import type { ScheduleEntry } from "./schedule-entry.ts";
import type { ScheduleSpec } from "./schedule-spec.ts";
import type { ScheduleId, ScheduleLast } from "./schedules.ts";
import { isZone } from "./zone-time.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * An entry as it was read from a store, or `undefined` when any of it cannot be what was written. `parseJob` says the
 * same of its job.
 */
export function parseScheduleEntry<Job>(
	value: unknown,
	parseJob: (job: unknown) => Job | undefined,
): ScheduleEntry<Job> | undefined {
	if (!isObject(value)) return undefined;
	const { scheduleId, text, description, toolCallId, createdAt, paused, next, starting, fired, skipped } = value;
	const spec = parseSpec(value.spec);
	const job = parseJob(value.job);
	const last = parseLast(value.last);
	const whole =
		typeof scheduleId === "string" &&
		/^[A-Za-z0-9_-]{4,64}$/.test(scheduleId) &&
		typeof text === "string" &&
		typeof description === "string" &&
		typeof paused === "boolean" &&
		isTime(createdAt) &&
		isCount(fired) &&
		isCount(skipped) &&
		(next === undefined || isTime(next)) &&
		(starting === undefined || isTime(starting)) &&
		(toolCallId === undefined || typeof toolCallId === "string") &&
		(value.last === undefined || last !== undefined);
	if (!whole || spec === undefined || job === undefined) return undefined;
	return {
		scheduleId: scheduleId as ScheduleId,
		text,
		spec,
		job,
		description,
		createdAt,
		paused,
		fired,
		skipped,
		...(toolCallId === undefined ? {} : { toolCallId: toToolCallId(toolCallId) }),
		...(next === undefined ? {} : { next }),
		...(starting === undefined ? {} : { starting }),
		...(last === undefined ? {} : { last }),
	};
}

function parseSpec(value: unknown): ScheduleSpec | undefined {
	if (!isObject(value) || typeof value.zone !== "string" || !isZone(value.zone)) return undefined;
	const { kind, zone, pattern, ms, anchor, at } = value;
	if (kind === "cron" && typeof pattern === "string") return { kind, pattern, zone };
	if (kind === "every" && isTime(ms) && ms >= shortestInterval && isTime(anchor)) return { kind, ms, anchor, zone };
	if (kind === "once" && isTime(at)) return { kind, at, zone };
	return undefined;
}

function parseLast(value: unknown): ScheduleLast | undefined {
	if (!isObject(value) || !isTime(value.at)) return undefined;
	const { at, started, problem } = value;
	return {
		at,
		...(typeof started === "string" ? { started } : {}),
		...(typeof problem === "string" ? { problem } : {}),
	};
}

function isObject(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a calendar has a date for. */
function isTime(value: unknown): value is number {
	return typeof value === "number" && value >= 0 && value <= 8.64e15;
}

function isCount(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= 0;
}
