import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyLimit, capText, shareLimit } from "../../src/streams/index.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 400, size: "max" });
const limits = fc.integer({ min: 0, max: 300 });

describe("a capped text", () => {
	it("is the text itself up to the limit", () => {
		const text = "x".repeat(bodyLimit);
		expect(capText(text, bodyLimit)).toEqual({ text, cut: 0 });
	});

	it("keeps head and tail and names the cut in place", () => {
		const { text, cut } = capText(`HEAD${"x".repeat(30_000)}TAIL`, bodyLimit);
		expect(text.startsWith("HEADxxx")).toBe(true);
		expect(text.endsWith("xxxTAIL")).toBe(true);
		expect(text).toContain(`[… ${cut} characters cut here …]`);
		expect(text.length).toBeLessThanOrEqual(bodyLimit);
		expect(text.length).toBeGreaterThan(bodyLimit - 10);
	});

	it("is its head alone where the words for the cut leave no room for two characters", () => {
		const text = "x".repeat(100);
		const words = "\n\n[… 100 characters cut here …]\n\n".length;
		expect(capText(text, 5)).toEqual({ text: "xxxxx", cut: 95 });
		expect(capText(text, words + 1).text).toBe("x".repeat(words + 1));
		expect(capText(text, words + 2).text).toBe("x\n\n[… 98 characters cut here …]\n\nx");
		expect([capText(text, 0), capText(text, -1)]).toEqual([
			{ text: "", cut: 100 },
			{ text: "", cut: 100 },
		]);
	});

	it("never exceeds its limit", () => {
		fc.assert(
			fc.property(anyText, limits, (text, limit) => {
				expect(capText(text, limit).text.length).toBeLessThanOrEqual(limit);
			}),
		);
	});

	it("consists of a prefix, the mark and a suffix, and counts what is missing", () => {
		fc.assert(
			fc.property(anyText, limits, (text, limit) => {
				const capped = capText(text, limit);
				const [head = "", tail = ""] = capped.text.split(`\n\n[… ${capped.cut} characters cut here …]\n\n`);
				expect(text.startsWith(head)).toBe(true);
				expect(text.endsWith(tail)).toBe(true);
				expect(capped.cut).toBe(capped.text === text ? 0 : text.length - head.length - tail.length);
			}),
		);
	});

	it("splits no surrogate pair", () => {
		const emoji = fc
			.array(fc.constantFrom("😀", "a", "🏳️‍🌈"), { maxLength: 300, size: "max" })
			.map((parts) => parts.join(""));
		fc.assert(
			fc.property(emoji, limits, (text, limit) => {
				expect(capText(text, limit).text).not.toMatch(/\p{Surrogate}/u);
			}),
		);
	});
});

describe("a shared limit", () => {
	const lengths = fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 20 });

	it("gives what short texts leave to the long ones, in equal parts", () => {
		expect(shareLimit([10, 20_000, 30_000], 24_000)).toEqual([10, 11_995, 11_995]);
		expect(shareLimit([5_000, 5_000], 24_000)).toEqual([5_000, 5_000]);
	});

	it("gives nobody more than it needs and all together no more than there is", () => {
		fc.assert(
			fc.property(lengths, fc.integer({ min: 0, max: 100_000 }), (needs, total) => {
				const shares = shareLimit(needs, total);
				expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(total);
				expect(shares.every((share, index) => share <= (needs[index] ?? 0))).toBe(true);
			}),
		);
	});

	it("cuts nobody below what another, uncut or not, gets", () => {
		fc.assert(
			fc.property(lengths, fc.integer({ min: 0, max: 100_000 }), (needs, total) => {
				const shares = shareLimit(needs, total);
				const cut = shares.filter((share, index) => share < (needs[index] ?? 0));
				const most = Math.max(0, ...shares);
				// Whoever is cut has as much as anyone, but for the rest of a division.
				for (const share of cut) expect(share).toBeGreaterThanOrEqual(most - 1);
			}),
		);
	});
});
