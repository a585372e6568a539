import { type EdgeRaceGroup, type RaceGroup, raceName } from "../../test/support/race.ts";
import type { TestTitle } from "./test-titles.ts";

/** The titles of the races' tests, which the suite makes from data. `sources` are the texts of the groups' files. */
export function raceTitles(
	groups: readonly (RaceGroup | EdgeRaceGroup)[],
	sources: ReadonlyMap<string, string>,
): TestTitle[] {
	return groups.flatMap(({ title: group, file, races }) =>
		races.flatMap((race) => {
			const orders = Object.keys("diagrams" in race ? race.diagrams : race.orders);
			const line = raceLine(sources.get(file), race.title);
			return orders.map((order) => ({ title: `${group} > ${raceName(race, order)}`, file, line }));
		}),
	);
}

/** Where a race stands in its file, from 1. */
export function raceLine(source: string | undefined, title: string): number {
	const line = (source ?? "").split("\n").findIndex((text) => text.includes(`"${title}"`)) + 1;
	if (line === 0) throw new Error(`the race "${title}" is not in its file`);
	return line;
}
