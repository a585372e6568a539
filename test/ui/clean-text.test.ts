import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanLine, cleanText } from "../../src/ui/clean-text.ts";

const esc = "\u001b";

describe("cleanText", () => {
	const table: readonly [what: string, text: string, clean: string][] = [
		["plain text", "é漢👍🏽 ok", "é漢👍🏽 ok"],
		["colours", `${esc}[1;31mred${esc}[0m`, "red"],
		["a cleared screen", `a${esc}[2Jb`, "ab"],
		["a link", `${esc}]8;;http://x${esc}\\name${esc}]8;;\u0007`, "name"],
		["a title", `${esc}]0;title\u0007x`, "x"],
		["a picture", `${esc}_Gf=24;AAAA${esc}\\x`, "x"],
		["a device control string", `${esc}Pq#0${esc}\\x`, "x"],
		["an introducer without an end", `${esc}]0;not the end`, "0;not the end"],
		["one byte introducers", "\u009b31mred \u009d0;title\u009cx", "red x"],
		["a lone escape", `a${esc}`, "a"],
		["bells and backspaces", "a\u0007b\u0008c\u007f", "abc"],
		["carriage returns", "one\r\ntwo\rthree", "one\ntwo\nthree"],
		["line separators", "one\u2028two", "one\ntwo"],
		["tabs", "a\tb", "a  b"],
		["direction overrides", "a\u202eb\u2066c", "abc"],
		["half a surrogate pair", "a\ud83d", "a\ufffd"],
	];
	it.each(table)("cleans %s", (_what, text, clean) => {
		expect(cleanText(text)).toBe(clean);
	});

	it("leaves no control character but line breaks, whatever comes in", () => {
		const nasty = fc.array(
			fc.constantFrom(esc, "[", "]", "\\", "\u0007", "\u009b", "\u009d", "\u009c", "P", "3", "m", "x", "\n"),
		);
		fc.assert(
			fc.property(
				fc.oneof(
					nasty.map((parts) => parts.join("")),
					fc.string({ unit: "binary" }),
				),
				(text) => {
					expect(cleanText(text)).not.toMatch(/[^\P{Cc}\n]/u);
				},
			),
		);
	});

	it("follows no introducer further than the next one", () => {
		// Were each of them followed to the end of the text, this would take minutes.
		for (const introducer of [`${esc}]`, "\u009d", `${esc}[`, `${esc}P`]) {
			expect(cleanText(introducer.repeat(200_000))).not.toMatch(/\p{Cc}/u);
		}
	});
});

describe("cleanLine", () => {
	it("is one line without space around it", () => {
		expect(cleanLine("  one\n\n two\t three ")).toBe("one two three");
	});

	it("is cut between characters", () => {
		expect(cleanLine("abcdef", 4)).toBe("abc…");
		expect(cleanLine("👍👍👍", 2)).toBe("👍…");
		expect(cleanLine("abcd", 4)).toBe("abcd");
	});
});
