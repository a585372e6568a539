import { expect, it } from "vitest";
import { explainFailure } from "./explain-failure.ts";
import { simulateSeeds } from "./simulate-seeds.ts";

/** As many as a run of all tests has time for; `npm run test:simulation` runs more, on every core. */
/** `npm run test:simulation` plays a hundred thousand. */
const agents = 5_000;

it(`holds every rule over ${agents} agents`, { timeout: 300_000 }, async () => {
	const totals = await simulateSeeds(agents, 1);
	if (totals.failure !== undefined) expect.fail(await explainFailure(totals.failure.script));
	expect(totals.agents).toBeGreaterThanOrEqual(agents);
	console.log(`simulated: ${totals.agents} agents, ${totals.steps} steps, seed 1`);
});
