import { describe, expect, it } from "vitest";
import { testTitles } from "../../scripts/lib/test-titles.ts";

/** The titles in a file's text, each after its line. */
function titles(text: string): string[] {
	return testTitles({ path: "test/a.test.ts", text }).map(({ line, title }) => `${line} ${title}`);
}

describe("the titles of the tests in a file", () => {
	it("are those of `it` and `test`, after the groups around them", () => {
		expect(
			titles(`
				it("alone", () => {});
				describe("outer", () => {
					describe.runIf(true)("inner", () => {
						test("within", { timeout: 1 }, () => {});
					});
					it.concurrent("beside", () => {});
				});
			`),
		).toEqual(["2 alone", "5 outer > inner > within", "7 outer > beside"]);
	});

	it("have the first text of each row where they have a placeholder", () => {
		const rows = '[["a (invariant 1)", 1], ["b", 2]]';
		expect(titles(`it.each(${rows})("does %s well", () => {});`)).toEqual([
			"1 does a (invariant 1) well",
			"1 does b well",
		]);
		expect(titles(`const rows = ${rows} as const;\nit.each(rows)("%s", () => {});`)).toEqual([
			"2 a (invariant 1)",
			"2 b",
		]);
		expect(titles('it.each(["a", "b"] as const)("%s it is", () => {});')).toEqual(["1 a it is", "1 b it is"]);
	});

	it("stay as they are where no row begins with a text, or none is asked for", () => {
		expect(titles('it.each([[1], [2]])("counts %i", () => {});')).toEqual(["1 counts %i"]);
		expect(titles('it.each(made())("counts %s", () => {});')).toEqual(["1 counts %s"]);
		expect(titles('it.each([{ status: "x" }])("is $status", () => {});')).toEqual(["1 is $status"]);
	});

	it("leave out what they compute", () => {
		expect(titles(`it(\`after \${count} losses (invariant 19)\`, () => {});`)).toEqual([
			"1 after … losses (invariant 19)",
		]);
	});

	it("are not looked for in anything else", () => {
		expect(titles('const test = "x"; iterate("it", () => {}); it(name, () => {}); expect("it").toBe("test");')).toEqual(
			[],
		);
	});
});
