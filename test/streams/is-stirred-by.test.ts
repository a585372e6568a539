import { describe, expect, it } from "vitest";
import { isStirredBy } from "../../src/streams/is-stirred-by.ts";
import { ended, queued, running } from "../ui/records.ts";

const inLine = queued("a");
/** Last heard of at 1,500. */
const atWork = running("a");
const over = ended("a");

describe("an agent whose own agent says something", () => {
	it("is told at once of one that stands in line or has ended", () => {
		expect([inLine, over].map((own) => isStirredBy(own, atWork, 1_500))).toEqual([true, true]);
	});

	it("is told of one that works when it has not been heard of for a second", () => {
		expect([1_500, 2_499, 2_500].map((now) => isStirredBy(atWork, atWork, now))).toEqual([false, false, true]);
	});

	it("is told nothing while it is in line, or when it has ended", () => {
		expect([inLine, over].map((parent) => isStirredBy(over, parent, 99_000))).toEqual([false, false]);
	});
});
