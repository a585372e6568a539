import { describe, expect, it } from "vitest";
import { checkOrders, raceTest } from "../../support/run-race.ts";

const settles = `
	spawn A  b
	wait A   -^--!
	run A    r--s-c
	===============
	wait A   ---(c|)
	run A    ^----!
`;

describe("a race's diagram", () => {
	it("holds when all that it says comes of it", () => {
		expect(raceTest(settles)).not.toThrow();
	});

	it.each([
		["a value in another frame", "---(c|)", "----(c|)"],
		["another value", "---(c|)", "---(e|)"],
		["a value that does not come", "---(c|)", "---(cc|)"],
		["a missing end", "---(c|)", "---c"],
		["an error instead", "---(c|)", "---#"],
		["another subscription", "^----!", "^---!"],
	])("fails on %s", (_what, was, is) => {
		expect(raceTest(settles.replace(was, is))).toThrow();
	});

	it("fails on something that it does not name", () => {
		const unnamed = settles.replace("wait A   ---(c|)", "woken    ------");
		expect(raceTest(unnamed)).toThrow();
	});

	it("lets rows act from top to bottom within a frame", () => {
		const aborted = `
			spawn A  b
			wait A   -^-!
			run A    r--s-c
			===============
			wait A   ---#
			woken    ---a
			run A    ^----!
		`;
		expect(raceTest(aborted)).not.toThrow();
		expect(raceTest(settles.replace("-^--!", "-^-!"))).toThrow();
	});

	it.each([
		["a row that is none", settles.replace("spawn A  b", "spawn A b"), /not a row/],
		["a row of nobody", settles.replace("spawn A  b", "spown A  b"), /no row/],
		["only one side of the line", settles.split("=")[0] ?? "", /both sides/],
		["a letter that means nothing", settles.replace("r--s-c", "r--s--X"), /cannot say/],
	])("cannot have %s", (_what, diagram, complaint) => {
		expect(raceTest(diagram)).toThrow(complaint);
	});
});

describe("the orders of a race", () => {
	const other = settles.replace("\twait A   -^--!\n\trun A    r--s-c\n", "\trun A    r--s-c\n\twait A   -^--!\n");

	it("are the same rows, in another order", () => {
		const meeting = (diagram: string) => diagram.replace("-^--!", "-^-!");
		expect(() => checkOrders({ a: meeting(settles), b: meeting(other) })).not.toThrow();
	});

	it.each([
		["in which a row differs", settles, settles.replace("r--s-c", "r--e-c")],
		["that are one", settles, settles],
		["in which nothing meets", settles, other],
		[
			"without the subscription of a run",
			settles.replace("\trun A    ^----!\n", ""),
			other.replace("\trun A    ^----!\n", ""),
		],
	])("are not two diagrams %s", (_what, a, b) => {
		expect(() => checkOrders({ a, b })).toThrow();
	});
});
