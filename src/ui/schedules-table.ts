import type { Schedule } from "../streams/schedules.ts";
import { zoneTime } from "../streams/zone-time.ts";
import { tableText } from "./agents-table.ts";
import { cleanLine } from "./clean-text.ts";

const columns = ["id", "state", "next", "last", "started", "skipped", "when", "description"] as const;

/** What `/agents schedules` says: a line a schedule, in the order of their making. */
export function schedulesTable(schedules: readonly Schedule<unknown>[]): string {
	if (schedules.length === 0) return "No schedules in this session.";
	return tableText([columns, ...schedules.map(scheduleRow)]);
}

function scheduleRow(schedule: Schedule<unknown>): readonly string[] {
	const { scheduleId, paused, next, last, fired, skipped, words, description, spec } = schedule;
	const { format } = zoneTime(spec.zone);
	const state = [
		...(paused ? ["paused"] : next === undefined ? [] : ["waiting"]),
		...(schedule.running ? ["at work"] : []),
	];
	return [
		scheduleId,
		state.join(", "),
		next === undefined ? "-" : format(next),
		last === undefined ? "-" : `${format(last.at)}${last.started === undefined ? " failed" : ` ${last.started}`}`,
		String(fired),
		String(skipped),
		cleanLine(words, 120),
		cleanLine(description, 60),
	];
}

/** What is said of a schedule that a command has changed. */
export function scheduleChanged(act: "pause" | "resume" | "cancel", schedule: Schedule<unknown>): string {
	const { scheduleId, next, spec } = schedule;
	const atWork = schedule.running ? " What it has started goes on." : "";
	switch (act) {
		case "pause":
			return `Paused ${scheduleId}: its times are left out until it is resumed.${atWork}`;
		case "resume":
			return `${scheduleId} goes on${next === undefined ? "" : `: next is ${zoneTime(spec.zone).format(next)}`}.`;
		case "cancel":
			return `Cancelled ${scheduleId}.${atWork}`;
	}
}
