import { describe, expect, it } from "vitest";
import { byCloseness, closest } from "../../src/profiles/index.ts";

const names = ["general-purpose", "explore", "plan"];

describe("closest", () => {
	const table: readonly [name: string, expected: string | undefined][] = [
		["plam", "plan"],
		["Explore", "explore"],
		["explorer", "explore"],
		["general_purpose", "general-purpose"],
		["generalpurpose", "general-purpose"],
		["wizard", undefined],
		["", undefined],
		["x".repeat(100_000), undefined],
	];
	it.each(table)("%s is %s", (name, expected) => {
		expect(closest(name, names)).toBe(expected);
	});

	it("is nothing where there is nothing", () => {
		expect(closest("plan", [])).toBeUndefined();
	});
});

describe("byCloseness", () => {
	it("puts the nearest first and keeps the order of equals", () => {
		expect(byCloseness("plan", names)[0]).toBe("plan");
		expect(byCloseness("x", ["bb", "aa", "x"])).toEqual(["x", "bb", "aa"]);
	});
});
