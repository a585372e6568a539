import type { Cron } from "../streams/index.ts";

const fieldNames = ["second", "minute", "hour", "day of the month", "month", "day of the week"] as const;

/**
 * Cron arithmetic by `croner`, loaded by the first call: a session without patterns does not pay for it. A time of day
 * that clocks leave out comes at the first moment after; one that they show twice comes at the first of the two.
 * Patterns with a `*` or a step in their time go on counting through a clock change as if there were none.
 */
export async function loadCron(): Promise<Cron> {
	const { Cron: Pattern } = await import("croner");
	const open = (pattern: string, zone: string) =>
		new Pattern(pattern, { paused: true, timezone: zone, mode: "5-or-6-parts", fixedTimeRule: "no-wildcard" });
	const complaint = (pattern: string, zone: string): string | undefined => {
		try {
			open(pattern, zone);
			return undefined;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	};

	return {
		problem: (pattern, zone) => {
			const whole = complaint(pattern, zone);
			if (whole === undefined) return undefined;
			// Each field by itself: the library says what is wrong, and seldom where.
			const fields = pattern.split(" ");
			for (const [index, field] of fields.entries()) {
				const alone = fields.map((_, place) => (place === index ? field : "*")).join(" ");
				const about = complaint(alone, zone);
				const name = fieldNames[index + fieldNames.length - fields.length];
				if (about !== undefined && name !== undefined) return `${name} "${field}": ${plain(about)}`;
			}
			return plain(whole);
		},
		after: (pattern, zone, from) => {
			try {
				return open(pattern, zone).nextRun(new Date(from))?.getTime();
			} catch {
				// One that was kept and is no pattern has no times: it must not hold up the others.
				return undefined;
			}
		},
	};
}

/** The library's complaint as the end of a sentence of ours. */
function plain(message: string): string {
	const text = message
		.replace(/^Cron\w*: /, "")
		.replace(/^Syntax error, /, "")
		.replace(/^configuration entry \d+ \(.*?\) contains/, "it contains")
		.replace(/\.$/, "");
	return `${text.charAt(0).toLowerCase()}${text.slice(1)}.`;
}
