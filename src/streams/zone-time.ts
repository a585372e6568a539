/** One time zone of the calendar: what its clocks show at an instant, and at which instants they show it. */
export interface ZoneTime {
	/** How far its clocks are ahead of UTC at an instant, in milliseconds. */
	offsetAt(instant: number): number;
	/**
	 * The instants at which its clocks show a date and time, given as if they were UTC: two when a clock change repeats
	 * it, none when one leaves it out.
	 */
	instantsOf(shown: number): readonly number[];
	/** `Tue 2026-12-01 09:00 UTC+01:00`; seconds only where there are any. */
	format(instant: number): string;
}

const day = 86_400_000;
const minute = 60_000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** Whether the platform knows a time zone by that name. */
export function isZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat("en-US", { timeZone: name });
		return true;
	} catch {
		return false;
	}
}

/** Opens a time zone by its name, `Europe/Berlin`. Throws a `RangeError` for a name that the platform does not know. */
export function zoneTime(name: string): ZoneTime {
	const format = new Intl.DateTimeFormat("en-US", {
		timeZone: name,
		hourCycle: "h23",
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric",
		second: "numeric",
	});

	const shownAt = (instant: number): number => {
		const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
		const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
		return Date.UTC(
			part("year"),
			part("month") - 1,
			part("day"),
			part("hour"),
			part("minute"),
			part("second"),
			// The formatter cuts milliseconds off; those of an instant are the same in every zone.
			((instant % 1000) + 1000) % 1000,
		);
	};
	const offsetAt = (instant: number): number => shownAt(instant) - instant;

	return {
		offsetAt,
		instantsOf: (shown) => {
			// A clock change within a day of it has the one offset before and the other behind. Where a time is shown twice
			// clocks are put back, so that the offset before is the greater one, and its instant the earlier.
			const candidates = new Set([shown - offsetAt(shown - day), shown - offsetAt(shown + day)]);
			return [...candidates].filter((instant) => shownAt(instant) === shown);
		},
		format: (instant) => {
			const shown = new Date(shownAt(instant));
			const text = shown.toISOString();
			const time = shown.getUTCSeconds() === 0 ? text.slice(11, 16) : text.slice(11, 19);
			return `${weekdays[shown.getUTCDay()]} ${text.slice(0, 10)} ${time} ${offsetText(offsetAt(instant))}`;
		},
	};
}

function offsetText(offset: number): string {
	const minutes = Math.round(Math.abs(offset) / minute);
	const two = (value: number) => String(value).padStart(2, "0");
	return `UTC${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
