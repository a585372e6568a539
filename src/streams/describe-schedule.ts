import type { ScheduleSpec } from "./schedule-spec.ts";
import { zoneTime } from "./zone-time.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
	"January",
	"February",
	"March",
	"April",
	"May",
	"June",
	"July",
	"August",
	"September",
	"October",
	"November",
	"December",
];

/** A schedule in words, with the time zone it is read in: `at 09:00 on Monday to Friday (Europe/Berlin)`. */
export function describeSchedule(spec: ScheduleSpec): string {
	switch (spec.kind) {
		case "once":
			return `once, at ${zoneTime(spec.zone).format(spec.at)} (${spec.zone})`;
		case "every":
			return `every ${durationWords(spec.ms)}, counted from ${zoneTime(spec.zone).format(spec.anchor)} (${spec.zone})`;
		case "cron":
			return `${cronWords(spec.pattern)} (${spec.zone})`;
	}
}

/** `1 day`, `90 minutes`: the largest unit that goes into it without a rest. */
function durationWords(ms: number): string {
	const [unit, size] =
		(
			[
				["day", 86_400_000],
				["hour", 3_600_000],
				["minute", 60_000],
			] as const
		).find(([, length]) => ms % length === 0) ?? (["second", 1_000] as const);
	return counted(ms / size, unit);
}

function counted(count: number, unit: string): string {
	return count === 1 ? unit : `${count} ${unit}s`;
}

function cronWords(pattern: string): string {
	const fields = pattern.split(" ");
	const [second = "0", minute = "*", hour = "*", date = "*", month = "*", weekday = "*"] =
		fields.length === 6 ? fields : ["0", ...fields];
	const parts = [timeWords(second, minute, hour)];
	const dates = isAny(date) ? undefined : `day ${listOf(date, (value) => value)} of the month`;
	const days = isAny(weekday) ? undefined : listOf(weekday, (value) => nameOf(value, weekdays, 0));
	// Cron's own rule: where both are given, either is enough. A leading plus asks for both.
	if (dates !== undefined && days !== undefined)
		parts.push(`on ${dates} ${weekday.startsWith("+") ? "if it is" : "and on every"} ${days}`);
	else if (dates !== undefined || days !== undefined) parts.push(`on ${dates ?? days}`);
	if (!isAny(month)) parts.push(`in ${listOf(month, (value) => nameOf(value, months, 1))}`);
	return parts.join(" ");
}

function timeWords(second: string, minute: string, hour: string): string {
	const single = (field: string) => /^\d+$/.test(field);
	const two = (field: string) => field.padStart(2, "0");
	const seconds = single(second) && Number(second) === 0 ? "" : `:${two(second)}`;
	if (single(second) && single(minute) && /^\d+(,\d+)*$/.test(hour)) {
		return `at ${joined(hour.split(",").map((one) => `${two(one)}:${two(minute)}${seconds}`))}`;
	}
	const parts = [
		...(seconds === "" ? [] : [unitWords(second, "second")]),
		...(isAny(minute) && !single(second) ? [] : [unitWords(minute, "minute")]),
		...(isAny(hour) ? [] : [unitWords(hour, "hour")]),
	];
	return parts.join(", ");
}

function unitWords(field: string, unit: string): string {
	if (isAny(field)) return `every ${unit}`;
	const step = /^\*\/(\d+)$/.exec(field)?.[1];
	if (step !== undefined) return `every ${counted(Number(step), unit)}`;
	return `at ${unit} ${listOf(field, (value) => value)}`;
}

function isAny(field: string): boolean {
	return field === "*" || field === "?";
}

/** `1-5,9` as `1 to 5 and 9`; what is neither a value nor a range nor a step stays as it was written. */
function listOf(field: string, name: (value: string) => string): string {
	const words = field
		.replace(/^\+/, "")
		.split(",")
		.map((part) => {
			const [range = "", step] = part.split("/");
			const [from = "", to] = range.split("-");
			const base = range === "*" ? "any" : to === undefined ? name(from) : `${name(from)} to ${name(to)}`;
			return step === undefined ? base : `${base} in steps of ${step}`;
		});
	return joined(words);
}

function joined(words: readonly string[]): string {
	const last = words.at(-1) ?? "";
	return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** The name that a number, or the beginning of a name, stands for; what is neither stays as it is. Sunday is 0 and 7. */
function nameOf(value: string, names: readonly string[], first: number): string {
	const named = names.find((name) => name.toLowerCase().startsWith(value.toLowerCase()));
	return named ?? names[(Number(value) - first) % names.length] ?? value;
}
