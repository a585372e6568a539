import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, sanitizeText } from "../../src/tools/index.ts";

const forbidden = (text: string) =>
	[...text].filter((character) => {
		const code = character.codePointAt(0) ?? 0;
		const control = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
		const bidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
		const surrogate = code >= 0xd800 && code <= 0xdfff;
		return control || bidi || surrogate;
	});

/** Text in which escape sequences, whole and broken, come up often. */
const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				"\u001b[",
				"\u001b]",
				"\u001bP",
				"\u001b\\",
				"\u0007",
				"\u009b",
				"\u009d",
				"\u0090",
				"\u009c",
				"\u001b",
				"\r",
				"\n",
				"\t",
			),
			fc.constantFrom("31m", "0;title", "8;;http://x", "\u202e", "\u2066", "\ud800", "\udc00", "\u0000", "😀"),
			fc.string({ unit: "binary", maxLength: 8 }),
		),
		{ maxLength: 30 },
	)
	.map((parts) => parts.join(""));

describe("sanitizing", () => {
	it.each([
		["a colour", "\u001b[31mred\u001b[0m", "red"],
		["a cursor movement with a space before its end", "a\u001b[2 qb", "ab"],
		["a window title ended by BEL", "a\u001b]0;evil title\u0007b", "ab"],
		["a link, whose text stays", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\", "text"],
		["a clipboard write", "\u001b]52;c;aGk=\u0007done", "done"],
		["two pictures in one text", "a\u001bPq#0\u001b\\b\u001bPq#1\u001b\\c", "abc"],
		["two resets in one text", "a\u001bcb\u001bcc", "abc"],
		["a device control string over lines", "a\u001bPq#0\n~~\u001b\\b", "ab"],
		["an application command", "a\u001b_payload\u001b\\b", "ab"],
		["the one-byte forms of C1", "a\u009b31mb\u009d0;t\u009cc\u0090x\u009cd", "abcd"],
		["a full reset", "a\u001bcb", "ab"],
		["a character set choice", "a\u001b(0b", "ab"],
		["an introducer without an end, and nothing after it", "a\u001b]0;title\nstill here", "a0;title\nstill here"],
		["an introducer whose end is in a later line, and no line with it", "a\u001b]x\nkept\u0007", "ax\nkept"],
		["a lone escape at the end", "a\u001b", "a"],
		["bells and NULs", "a\u0007\u0000b", "ab"],
		["DEL", "a\u007fb", "ab"],
		["a bidi override", "a\u202eb\u202c", "ab"],
		["bidi isolates", "a\u2066b\u2069", "ab"],
		["half a surrogate pair, replaced", "a\ud83db", "a\ufffdb"],
	])("removes %s", (_name, raw, clean) => {
		expect(sanitizeText(raw)).toBe(clean);
	});

	it.each([
		["newlines and tabs", "a\n\tb"],
		["emoji with joiners", "👩‍👩‍👧 é"],
		["right-to-left text with plain marks", "\u200fשלום\u200e"],
		["brackets that follow no escape", "[31m ]0;x"],
	])("keeps %s", (_name, text) => {
		expect(sanitizeText(text)).toBe(text);
	});

	it("makes newlines of carriage returns", () => {
		expect(sanitizeText("a\r\nb\rc")).toBe("a\nb\nc");
	});

	it("leaves no control character, override or half pair in any text", () => {
		fc.assert(
			fc.property(hostile, (text) => {
				expect(forbidden(sanitizeText(text))).toEqual([]);
			}),
		);
	});

	it("changes nothing the second time", () => {
		fc.assert(
			fc.property(hostile, (text) => {
				const once = sanitizeText(text);
				expect(sanitizeText(once)).toBe(once);
			}),
		);
	});

	it("takes time in proportion to the text, whatever is in it", () => {
		// Quadratic patterns would take minutes for these.
		for (const piece of ["\u001b]", "\u001bP", "\u009d", "\u0090", "\u001b[0", "\u001b ", "\u009b;"]) {
			expect(forbidden(sanitizeText(piece.repeat(200_000)).slice(0, 100))).toEqual([]);
		}
	});
});

describe("one line", () => {
	it("folds white space and cuts with an ellipsis", () => {
		expect(oneLine(" a\n\tb  c ", 10)).toBe("a b c");
		expect(oneLine("abcdefgh", 5)).toBe("abcd…");
		expect(oneLine("abcde", 5)).toBe("abcde");
	});

	it("is never longer than its limit, has no newline and no half pair", () => {
		fc.assert(
			fc.property(hostile, fc.integer({ min: 1, max: 40 }), (text, limit) => {
				const line = oneLine(text, limit);
				expect(line.length).toBeLessThanOrEqual(limit);
				expect(line).not.toMatch(/[\n\t]/);
				expect(forbidden(line)).toEqual([]);
			}),
		);
	});
});
