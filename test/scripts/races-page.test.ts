import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isUpToDate } from "../../scripts/lib/generated-page.ts";
import { raceTitles } from "../../scripts/lib/race-titles.ts";
import { racesPage } from "../../scripts/lib/races-page.ts";
import { readReferences } from "../../scripts/lib/references.ts";
import { root } from "../../scripts/lib/source-files.ts";
import { races } from "../marbles/races/index.ts";
import { toolEdge } from "../marbles/races/tool-edge.ts";
import type { EdgeRaceGroup, RaceGroup } from "../support/race.ts";

const group: RaceGroup = {
	title: "Waiting",
	file: "test/marbles/races/waiting.ts",
	races: [
		{
			title: "a wait meets an end",
			reference: "seed 000 §11.3, invariant 18",
			rule: "Nothing is lost.",
			diagrams: {
				"the wait first": "\n\t\twait A  ^-\n\t\t==\n\t\trun A   ^-!\n\t",
				"the end first": "run A  s\n==\nrun A  !",
			},
		},
	],
};
const edge: EdgeRaceGroup = {
	title: "At the edge",
	file: "test/marbles/races/edge.ts",
	races: [
		{
			title: "an abort meets an end",
			reference: "seed 000 §8.1",
			rule: "The first decides.",
			orders: { "the abort first": { steps: ["wait 1", "abort wait 1"], outcome: { "wait 1": "AbortError" } } },
		},
	],
};
const sources = new Map([
	[group.file, '\n\ntitle: "a wait meets an end",'],
	[edge.file, 'title: "an abort meets an end",'],
]);

describe("the page about the races", () => {
	it("has each diagram without its indentation, with the rule, the reference and the place", () => {
		const page = racesPage([group], edge, sources);
		expect(page).toContain("### A wait meets an end\n\nNothing is lost.\n\nSeed 000 §11.3, invariant 18 · ");
		expect(page).toContain("[test/marbles/races/waiting.ts:3](../test/marbles/races/waiting.ts#L3)");
		expect(page).toContain("The wait first:\n\n```text\nwait A  ^-\n===========\nrun A   ^-!\n```\n");
		expect(page).toContain("The end first:");
		expect(page).toContain("2 diagrams of 1 races");
	});

	it("has the steps and the outcome of races at the tools' edge", () => {
		const page = racesPage([group], edge, sources);
		expect(page).toMatch(/The abort first:\n\n```text\nwait 1 → abort wait 1\n=+\nwait 1: AbortError\n```\n/);
	});

	it("cannot be written of a race that is not in its file", () => {
		expect(() => racesPage([{ ...group, file: edge.file }], edge, sources)).toThrow(/a wait meets an end/);
	});

	it("is up to date whatever the ends of its lines, and stale with any other text", () => {
		expect(isUpToDate("a\r\nb\r\n", "a\nb\n")).toBe(true);
		expect(isUpToDate("a\nb", "a\nb\n")).toBe(false);
		expect(isUpToDate(undefined, "a")).toBe(false);
	});
});

describe("the titles of the races", () => {
	it("are those of the tests that the suite makes of them", () => {
		expect(raceTitles([group, edge], sources)).toEqual([
			{
				title: "Waiting > a wait meets an end: the wait first (seed 000 §11.3, invariant 18)",
				file: group.file,
				line: 3,
			},
			{
				title: "Waiting > a wait meets an end: the end first (seed 000 §11.3, invariant 18)",
				file: group.file,
				line: 3,
			},
			{ title: "At the edge > an abort meets an end: the abort first (seed 000 §8.1)", file: edge.file, line: 1 },
		]);
	});

	it("each name a section of the contract, and a demand of it where there is one", () => {
		const texts = new Map([...races, toolEdge].map(({ file }) => [file, readFileSync(root + file, "utf8")]));
		for (const { title } of raceTitles([...races, toolEdge], texts)) {
			expect(title).toMatch(/\(seed 000 §\d/);
			expect(readReferences(title).keys, title).not.toEqual([]);
		}
	});
});
