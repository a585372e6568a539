import { describe, expect, it, onTestFailed } from "vitest";
import { playSchedule } from "./schedules/play-schedule.ts";

/** `npm run test:schedules -- <schedules> <first seed>` asks for more than there are in every run of the tests. */
const asked = process.env.SCHEDULES;
/** Of the two from there on, the first has a rival extension beside ours, and the second has none. */
const firstSeed = Number(process.env.SCHEDULE_SEED ?? 3);
const steps = 40;

const seeds = Array.from({ length: Number(asked ?? 2) }, (_, index) => firstSeed + index);

describe("a real pi under a random schedule of spawns, waits, aborts, steering, endings and boundaries", () => {
	it.each(seeds)(
		"gives its parent each result once (seed 000 invariants 17, 18, 19 and 20): schedule %i",
		async (seed) => {
			const log: string[] = [];
			onTestFailed(() => {
				console.error(`schedule ${seed}, ${steps} steps:\n${log.join("\n")}`);
			});
			const { complaints, tally } = await playSchedule(seed, steps, log);
			if (asked !== undefined) console.info(`schedule ${seed}: ${JSON.stringify(tally)}`);
			expect(complaints).toEqual([]);
			expect(tally.runs).toBeGreaterThan(0);
		},
	);
});
