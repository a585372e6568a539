import type { Chapter } from "./contract.ts";
import type { Later } from "./invariants-later.ts";
import { readReferences } from "./references.ts";
import type { TestTitle } from "./test-titles.ts";
import type { Violation } from "./violation.ts";

/** A demand and the tests that name it. */
export interface Covered {
	readonly key: string;
	readonly rule: string;
	readonly tests: readonly TestTitle[];
	readonly later?: Later;
}

export interface CoveredChapter {
	readonly title: string;
	readonly demands: readonly Covered[];
}

export function coverage(
	chapters: readonly Chapter[],
	tests: readonly TestTitle[],
	later: readonly Later[],
): CoveredChapter[] {
	const byKey = new Map<string, TestTitle[]>();
	for (const test of tests) {
		for (const key of readReferences(test.title).keys) byKey.set(key, [...(byKey.get(key) ?? []), test]);
	}
	return chapters.map(({ title, demands }) => ({
		title,
		demands: demands.map(({ key, rule }) => {
			const entry = later.find((one) => one.key === key);
			return { key, rule, tests: byKey.get(key) ?? [], ...(entry === undefined ? {} : { later: entry }) };
		}),
	}));
}

/** Holes that are not on the short list, entries of the list that are no holes, and references to nothing. */
export function complaints(
	covered: readonly CoveredChapter[],
	tests: readonly TestTitle[],
	later: readonly Later[],
): Violation[] {
	const list = { file: "scripts/lib/invariants-later.ts", line: 1 };
	const demands = covered.flatMap((chapter) => chapter.demands);
	const holes = demands.filter((one) => one.tests.length === 0 && one.later === undefined);
	const filled = demands.filter((one) => one.tests.length > 0 && one.later !== undefined);
	const strange = later.filter(({ key }) => !demands.some((one) => one.key === key));
	return [
		...holes.map(({ key }) => ({ ...list, rule: "contract/hole", advice: `no test names "${key}"` })),
		...filled.map(({ key }) => ({ ...list, rule: "contract/no-hole", advice: `"${key}" has tests now; take it off` })),
		...strange.map(({ key }) => ({ ...list, rule: "contract/no-demand", advice: `the contract has no "${key}"` })),
		...tests.flatMap(({ title, file, line }) =>
			readReferences(title).unknown.map((name) => ({
				file,
				line,
				rule: "contract/unknown-reference",
				advice: `"${name}" is no demand of the contract; scripts/lib/references.ts says what can be named`,
			})),
		),
	];
}

/** The table for a terminal, a line each. */
export function printedTable(covered: readonly CoveredChapter[]): string[] {
	return covered.flatMap(({ title, demands }) => {
		const width = Math.max(...demands.map(({ key, rule }) => nameOf(key, rule).length));
		return ["", title, ...demands.map((one) => `  ${nameOf(one.key, one.rule).padEnd(width)}  ${countOf(one)}`)];
	});
}

export function invariantsPage(covered: readonly CoveredChapter[]): string {
	return [
		"# What the contract asks for, and the tests that hold it",
		"",
		"<!-- Written by `npm run invariants -- --write` from the titles of the tests: change them there. -->",
		"",
		"Every test names what it holds in its title, in one of these forms: `invariant 7`, `invariants 7, 8 and 9`, `§15.7`,",
		"`§17 Cancellation: pre-aborted signal`, `§17.1`, `§18 Result appears twice`. `npm run invariants` reads the titles and",
		"fails on a demand that no test names and that is not on the short list of what later work brings, and on an entry of",
		"that list that has a test. It also prints how many tests there are, and the place of the first.",
		"",
		...covered.flatMap(({ title, demands }) => [
			`## ${title}`,
			"",
			"| demand | tests in |",
			"| --- | --- |",
			...demands.map((one) => `| ${nameOf(one.key, one.rule)} | ${foldersOf(one)} |`),
			"",
		]),
	]
		.join("\n")
		.replace(/\n+$/, "\n");
}

function nameOf(key: string, rule: string): string {
	return rule === "" ? key : `${key}: ${rule}`;
}

function countOf({ tests, later }: Covered): string {
	const [first] = tests;
	if (first !== undefined) return `${String(tests.length).padStart(3)}  ${first.file}:${first.line}`;
	return later === undefined ? "  0  A HOLE" : `  –  ${later.reason}; comes with ${later.brings}`;
}

/** Only the folders: the page must not change with every test that somebody adds. */
function foldersOf({ tests, later }: Covered): string {
	if (tests.length === 0) return later === undefined ? "a hole" : `${later.reason}; comes with ${later.brings}`;
	const folders = [...new Set(tests.map(({ file }) => file.replace(/\/[^/]+$/, "")))].sort();
	return folders.map((folder) => `[${folder.replace(/^test\//, "")}](../${folder})`).join(", ");
}
