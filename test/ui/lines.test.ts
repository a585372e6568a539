import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawLines, type Line, linesComponent } from "../../src/ui/lines.ts";
import { withoutColours } from "./plain-paint.ts";

function cut(text: string): Line {
	return { text, overflow: "cut" };
}

function wrap(text: string): Line {
	return { text, overflow: "wrap" };
}

describe("drawLines", () => {
	it("leaves alone what fits", () => {
		expect(drawLines([cut("one"), wrap("two")], 3)).toEqual(["one", "two"]);
	});

	it("cuts with an ellipsis, or goes on below", () => {
		expect(drawLines([cut("one two")], 5).map(withoutColours)).toEqual(["one …"]);
		expect(drawLines([wrap("one two")], 5)).toEqual(["one", "two"]);
	});

	it("keeps the columns on the left free where there is room for them", () => {
		expect(drawLines([wrap("one two")], 5, 1)).toEqual([" one", " two"]);
		expect(drawLines([cut("one")], 2, 1).map(withoutColours)).toEqual(["o…"]);
	});

	it("draws nothing rather than half of a wide character", () => {
		expect(drawLines([wrap("漢字")], 1).map(withoutColours)).toEqual(["…"]);
		expect(drawLines([cut("漢字")], 2).map(withoutColours)).toEqual(["…"]);
		expect(drawLines([cut("漢字")], 3).map(withoutColours)).toEqual(["漢…"]);
	});

	it("keeps an empty line", () => {
		expect(drawLines([wrap(""), cut("")], 10)).toEqual(["", ""]);
	});

	const glyphs = fc.constantFrom(
		"a",
		" ",
		"漢",
		"👩‍👩‍👧‍👦",
		"🇫🇷",
		"👍🏽",
		"e\u0301",
		"a\u0300\u0301\u0302\u0303",
		"กำ",
		"ﷺ",
		"\u200b",
		"\u200d",
		"\ufe0f",
		"❤️",
		"\t",
		"\u001b[1m",
		"\u001b[38;5;9m",
		"\u001b[0m",
		"\u001b]8;;http://x\u0007",
		"\u001b[",
	);
	const text = fc.oneof(
		fc.array(glyphs, { maxLength: 80 }).map((parts) => parts.join("")),
		fc.string({ unit: "grapheme", maxLength: 80 }),
		fc.string({ unit: "binary", maxLength: 80 }),
	);
	const line = fc.record({ text, overflow: fc.constantFrom("cut" as const, "wrap" as const) });

	it("never draws a row wider than the terminal, whatever the text, from 1 column to 200", () => {
		fc.assert(
			fc.property(
				fc.array(line, { maxLength: 4 }),
				fc.integer({ min: 1, max: 200 }),
				fc.nat(3),
				(lines, width, indent) => {
					for (const row of drawLines(lines, width, indent)) expect(visibleWidth(row)).toBeLessThanOrEqual(width);
				},
			),
			{ numRuns: 300 },
		);
	});

	it("never draws one wider at any width, for one text of every kind of glyph", () => {
		const all = "漢字 👩‍👩‍👧‍👦🇫🇷👍🏽 e\u0301a\u0300\u0301\u0302 กำ ﷺ \u001b[1mbold\u001b[0m ❤️ word ".repeat(4);
		for (let width = 1; width <= 200; width++) {
			const rows = drawLines([cut(all), wrap(all)], width, 1);
			expect(rows.length).toBeGreaterThan(1);
			expect(rows.filter((row) => visibleWidth(row) > width)).toEqual([]);
		}
	});
});

describe("linesComponent", () => {
	it("draws again for another width, and the same rows for the same", () => {
		const component = linesComponent([wrap("one two")]);
		const narrow = component.render(5);
		expect(component.render(5)).toBe(narrow);
		expect(component.render(20)).toEqual(["one two"]);
		component.invalidate();
		expect(component.render(5)).toEqual(["one", "two"]);
	});
});
