import { describe, it } from "vitest";
import { phases } from "./crash/crash-moments.ts";
import { type Moment, playCrashes } from "./crash/play-crashes.ts";

/** `npm run test:crash` asks for more than there are in every run of the tests. */
const asked = Number(process.env.CRASH_MOMENTS ?? 16);
const first = Number(process.env.CRASH_VARIANT ?? 0);
const report = process.env.CRASH_MOMENTS !== undefined;

/** Each session goes through every phase; its moments within them differ from those of the others. */
const sessions = Array.from({ length: Math.ceil(asked / phases.length) }, (_, index) => first + index);
const momentsOf = (variant: number): Moment[] => phases.map((phase) => ({ phase, variant }));

describe("a pi that is killed with kill -9, and opened again", () => {
	it.concurrent.for(sessions)(
		"loses no agent and doubles none, whatever it is at: moments %i of each phase",
		{ timeout: 900_000 },
		async (variant, { expect }) => {
			const { lost, doubled, runs, moments } = await playCrashes(momentsOf(variant));
			if (report) console.info(`variant ${variant}: ${moments.length} moments, ${runs} runs`);
			expect({ lost, doubled, after: lost.length + doubled.length > 0 ? moments.at(-1) : undefined }).toEqual({
				lost: [],
				doubled: [],
				after: undefined,
			});
			expect(moments).toHaveLength(phases.length);
			expect(runs).toBeGreaterThan(0);
		},
	);
});
