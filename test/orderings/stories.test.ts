import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as deeds from "./deeds.ts";
import { finish } from "./play.ts";
import { openStage } from "./stage.ts";
import { agents, longestStory, steps } from "./story.ts";

/** The same stories at every run, unless others are asked for: `FC_SEED=7 npm run test:orderings`. */
const seed = Number(process.env.FC_SEED ?? 20260);
/** `npm run test:orderings` plays ten thousand. */
const stories = Number(process.env.FC_RUNS ?? 3_000);

describe(`${agents.length} agents at once, in stories of up to ${longestStory} steps`, () => {
	it(`keep every rule in ${stories} stories (seed ${seed})`, { timeout: 600_000 }, () => {
		console.log(`seed: ${seed}`);
		const ends = new Set<string>();
		let played = 0;
		const anyStory = fc.commands(
			steps.map((each) => fc.constant(each)),
			{ maxCommands: 6 * longestStory, size: "max" },
		);
		const property = fc.property(anyStory, fc.boolean(), (story, replaced) => {
			const stage = openStage();
			const model = { stage, steps: 0 };
			fc.modelRun(() => ({ model, real: stage }), story);
			played += model.steps;
			if (replaced) deeds.replace(stage);
			for (const end of finish(stage)) ends.add(end);
		});
		const { failed, counterexample, errorInstance, counterexamplePath } = fc.check(property, {
			seed,
			numRuns: stories,
		});
		if (failed) throw new Error(`${counterexample?.[0]}: ${errorInstance} (seed ${seed}, path ${counterexamplePath})`);
		console.log(`${played} steps in ${stories} stories`);
		expect([...ends].sort()).toEqual(["delivered", "held", "published"]);
	});
});
