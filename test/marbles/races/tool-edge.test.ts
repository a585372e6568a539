import { describe, expect, it } from "vitest";
import { takeSteps } from "../../support/edge-world.ts";
import { raceName } from "../../support/race.ts";
import { toolEdge } from "./tool-edge.ts";

describe(toolEdge.title, () => {
	for (const race of toolEdge.races) {
		for (const [order, { steps, outcome }] of Object.entries(race.orders)) {
			it(raceName(race, order), async () => {
				expect(await takeSteps(steps)).toEqual(outcome);
			});
		}
	}
});
