import { type EdgeRace, type EdgeRaceGroup, legend, type Race, type RaceGroup } from "../../test/support/race.ts";
import { diagramLines } from "../../test/support/race-diagram.ts";
import { raceLine } from "./race-titles.ts";

/** The page about the races, from the data that the suite runs. `sources` are the texts of the groups' files. */
export function racesPage(
	groups: readonly RaceGroup[],
	edge: EdgeRaceGroup,
	sources: ReadonlyMap<string, string>,
): string {
	const diagrams = groups.flatMap(({ races }) => races.map((race) => Object.keys(race.diagrams).length));
	const drawn = diagrams.reduce((sum, count) => sum + count, 0);
	return [
		"# Races",
		"",
		"<!-- Written by `npm run races` from test/marbles/races: change it there. -->",
		"",
		`What can happen at the same time, and what must come of it: ${drawn} diagrams of ${diagrams.length} races, and ${edge.races.length} races at the edge`,
		"of the tools. Each of them is a test; `npm run test:marbles` runs them against the real streams, in virtual time. The",
		"references are to the tool contract (seed 000).",
		"",
		...howToRead(),
		...groups.flatMap((group) => [
			`## ${group.title}`,
			"",
			...group.races.flatMap((race) => raceSection(race, link(group.file, race.title, sources))),
		]),
		`## ${edge.title}`,
		"",
		"Promises are not virtual. These are the real tools in real promises, one step after another without a pause; `…` lets",
		"every promise that can go on do so.",
		"",
		...edge.races.flatMap((race) => edgeSection(race, link(edge.file, race.title, sources))),
	]
		.join("\n")
		.replace(/\n+$/, "\n");
}

function howToRead(): string[] {
	return [
		"## How to read a diagram",
		"",
		"Above the line of `=` stands what happens, below it what comes of it. A column is an instant. Rows that act in the same",
		"instant act from top to bottom: two orders of a race are the same rows in another order. Letters in parentheses happen",
		"in one instant, that of the opening one; `250ms` lets that time pass. What no row below the line names does not happen.",
		"",
		"| row | letters |",
		"| --- | --- |",
		...legend.map(([row, meaning]) => `| ${row} | ${meaning.replaceAll("|", "\\|")} |`),
		"",
	];
}

function head(race: Omit<Race, "diagrams">, place: string): string[] {
	const title = race.title.charAt(0).toUpperCase() + race.title.slice(1);
	return [
		`### ${title}`,
		"",
		race.rule,
		"",
		`${race.reference.charAt(0).toUpperCase()}${race.reference.slice(1)} · ${place}`,
		"",
	];
}

function raceSection(race: Race, place: string): string[] {
	const diagrams = Object.entries(race.diagrams).flatMap(([order, diagram]) => [
		...(order === "" ? [] : [`${order.charAt(0).toUpperCase()}${order.slice(1)}:`, ""]),
		"```text",
		...ruled(diagramLines(diagram)),
		"```",
		"",
	]);
	return [...head(race, place), ...diagrams];
}

/** With a line as long as the longest row. */
function ruled(lines: readonly string[]): string[] {
	const width = Math.max(...lines.filter((line) => !line.startsWith("=")).map((line) => line.length));
	return lines.map((line) => (line.startsWith("=") ? "=".repeat(width) : line));
}

function edgeSection(race: EdgeRace, place: string): string[] {
	const orders = Object.entries(race.orders).flatMap(([order, { steps, outcome }]) => [
		`${order.charAt(0).toUpperCase()}${order.slice(1)}:`,
		"",
		"```text",
		steps.join(" → "),
		"=".repeat(40),
		...Object.entries(outcome).map(([what, came]) => `${what}: ${came}`),
		"```",
		"",
	]);
	return [...head(race, place), ...orders];
}

/** To the line of the race's title in its file. */
function link(file: string, title: string, sources: ReadonlyMap<string, string>): string {
	const line = raceLine(sources.get(file), title);
	return `[${file}:${line}](../${file}#L${line})`;
}
