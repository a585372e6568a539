import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/streams/index.ts";

const member = (name: string, ...after: string[]) => ({ name, after });

describe("checking a graph of members", () => {
	it.each([
		[[member("a"), member("b", "a"), member("c", "a", "b")], []],
		[[member("a"), member("a")], ['More than one member is named "a".']],
		[[member("a", "x")], ['"a" waits for "x", but the members are "a".']],
		[[member("a", "a")], ['"a" waits for itself.']],
		[[member("a"), member("b", "a", "a")], ['"b" names "a" more than once in after.']],
		[
			[member("a", "c"), member("b", "a"), member("c", "b")],
			['These wait for each other in a circle: "a" → "c" → "b" → "a".'],
		],
		[
			[member("a", "b"), member("b", "c"), member("c", "b")],
			['These wait for each other in a circle: "b" → "c" → "b".'],
		],
		[[member("a"), member("b", "x")], ['"b" waits for "x", but the members are "a", "b".']],
		[
			[member("a", "b"), member("b", "a"), member("c", "d"), member("d", "c")],
			[
				'These wait for each other in a circle: "a" → "b" → "a".',
				'These wait for each other in a circle: "c" → "d" → "c".',
			],
		],
		[[member("a\n# b", "z")], ['"a\\n# b" waits for "z", but the members are "a\\n# b".']],
	])("of %j finds %j", (members, problems) => {
		expect(checkGraph(members)).toEqual(problems);
	});

	it("finds nothing exactly where all members can be run one after the other", () => {
		const names = ["a", "b", "c", "d", "e"];
		const anyMember = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });
		fc.assert(
			fc.property(fc.tuple(anyMember, anyMember, anyMember, anyMember, anyMember), (afters) => {
				const members = names.map((name, index) => member(name, ...(afters[index] ?? [])));
				const done = new Set<string>();
				for (let round = 0; round < names.length; round++) {
					for (const { name, after } of members) if (after.every((other) => done.has(other))) done.add(name);
				}
				expect(checkGraph(members).length === 0).toBe(done.size === names.length);
			}),
		);
	});
});
