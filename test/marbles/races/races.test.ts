import { describe, it } from "vitest";
import { raceName } from "../../support/race.ts";
import { checkOrders, raceTest } from "../../support/run-race.ts";
import { races } from "./index.ts";

describe.each(races.map((group) => [group.title, group] as const))("%s", (_title, group) => {
	for (const race of group.races) {
		it(`is drawn with the same rows in each order: ${race.title}`, () => checkOrders(race.diagrams));
		for (const [order, diagram] of Object.entries(race.diagrams)) it(raceName(race, order), raceTest(diagram));
	}
});
