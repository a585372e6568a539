import type { Cron, ScheduleSpec } from "./schedule-spec.ts";

/**
 * The first time of a schedule strictly after `from`, or `undefined` when there is none. Counted from what the schedule
 * says and never from its last time, so lateness does not add up.
 */
export function nextTime(spec: ScheduleSpec, from: number, cron: Cron): number | undefined {
	switch (spec.kind) {
		case "once":
			return spec.at > from ? spec.at : undefined;
		case "every":
			return spec.anchor + Math.max(1, Math.floor((from - spec.anchor) / spec.ms) + 1) * spec.ms;
		case "cron":
			return cron.after(spec.pattern, spec.zone, from);
	}
}

/** The first `count` times strictly after `from`, in order; fewer when there are no more. */
export function nextTimes(spec: ScheduleSpec, from: number, count: number, cron: Cron): readonly number[] {
	const times: number[] = [];
	for (let next = nextTime(spec, from, cron); next !== undefined && times.length < count; ) {
		times.push(next);
		next = nextTime(spec, next, cron);
	}
	return times;
}
