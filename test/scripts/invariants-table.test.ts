import { describe, expect, it } from "vitest";
import { allKeys, chapters } from "../../scripts/lib/contract.ts";
import { later } from "../../scripts/lib/invariants-later.ts";
import { complaints, coverage, invariantsPage, printedTable } from "../../scripts/lib/invariants-table.ts";

const two = [
	{
		title: "Two",
		demands: [
			{ key: "invariant 1", rule: "names are stable" },
			{ key: "§17.1", rule: "" },
		],
	},
];
const entry = { key: "§17.1", reason: "there is nothing to wait for", brings: "waiting" };
const test = (title: string) => ({ title, file: "test/ui/a.test.ts", line: 7 });

function complain(titles: readonly string[], list: readonly (typeof entry)[]): string[] {
	const tests = titles.map(test);
	return complaints(coverage(two, tests, list), tests, list).map(({ rule, advice }) => `${rule}: ${advice}`);
}

describe("the contract's demands", () => {
	it("are 27 invariants, each cell of the matrix with its three regressions, and twelve symptoms", () => {
		expect(chapters.map(({ demands }) => demands.length)).toEqual([27, 43 + 3, 12]);
		expect(allKeys.size).toBe(27 + 46 + 12);
	});

	it("that are on the short list are real, and each has a reason", () => {
		for (const { key, reason, brings } of later) {
			expect(allKeys).toContain(key);
			expect(reason).not.toBe("");
			expect(brings).not.toBe("");
		}
	});
});

describe("a demand without a test", () => {
	it("is a hole unless it is on the short list", () => {
		expect(complain(["a (invariant 1)"], [])).toEqual(['contract/hole: no test names "§17.1"']);
		expect(complain(["a (invariant 1)"], [entry])).toEqual([]);
	});

	it("must leave the list when its test comes", () => {
		expect(complain(["a (invariant 1)", "b (§17.1)"], [entry])).toEqual([
			'contract/no-hole: "§17.1" has tests now; take it off',
		]);
	});

	it("must be one of the contract's", () => {
		expect(complain(["a (invariant 1)", "b (§17.1)"], [{ ...entry, key: "§99" }])).toEqual([
			'contract/no-demand: the contract has no "§99"',
		]);
	});
});

it("a reference to nothing is told with its test's place", () => {
	const tests = [test("a (invariant 1, §17.1)"), test("b (invariant 99)")];
	const [found, ...more] = complaints(coverage(two, tests, []), tests, []);
	expect(more).toEqual([]);
	expect(found).toMatchObject({ file: "test/ui/a.test.ts", line: 7, rule: "contract/unknown-reference" });
	expect(found?.advice).toContain('"invariant 99"');
});

describe("the table", () => {
	const covered = coverage(two, [test("a (invariant 1)"), test("b (invariant 1)")], [entry]);

	it("is printed with the number of tests and the place of the first", () => {
		const lines = printedTable(covered).map((line) => line.replaceAll(/ +/g, " "));
		expect(lines).toEqual([
			"",
			"Two",
			" invariant 1: names are stable 2 test/ui/a.test.ts:7",
			" §17.1 – there is nothing to wait for; comes with waiting",
		]);
		expect(printedTable(coverage(two, [], [])).join("\n")).toContain("A HOLE");
	});

	it("is a page with the folders, and without what would change with every test", () => {
		const page = invariantsPage(covered);
		expect(page).toContain("| invariant 1: names are stable | [ui](../test/ui) |");
		expect(page).toContain("| §17.1 | there is nothing to wait for; comes with waiting |");
		expect(page).not.toContain(":7");
	});
});
