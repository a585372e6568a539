import { describe, expect, it } from "vitest";
import { addSpend, noSpend, subtractSpend } from "../../src/streams/usage.ts";

const more = { input: 50, output: 40, cacheRead: 30, cacheWrite: 20, cost: 8 };
const less = { input: 5, output: 4, cacheRead: 3, cacheWrite: 2, cost: 0.5 };

describe("spend", () => {
	it("is added kind by kind", () => {
		expect(addSpend(more, less)).toEqual({ input: 55, output: 44, cacheRead: 33, cacheWrite: 22, cost: 8.5 });
		expect(addSpend(more, noSpend)).toEqual(more);
	});

	it("is subtracted kind by kind", () => {
		expect(subtractSpend(more, less)).toEqual({ input: 45, output: 36, cacheRead: 27, cacheWrite: 18, cost: 7.5 });
		expect(subtractSpend(more, more)).toEqual(noSpend);
	});
});
