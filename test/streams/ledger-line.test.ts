import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GroupId } from "../../src/streams/ids.ts";
import { leftLine, openedLine, settledLine } from "../../src/streams/ledger-line.ts";
import { parseLedgerLine } from "../../src/streams/ledger-parse.ts";
import { history, place } from "./ledger-fixture.ts";

const { opened, started, settled, record } = history("a1b2");

describe("a line of the ledger", () => {
	it.each([opened, started, settled, leftLine(place, 7)])("is read as it was written: $type", (line) => {
		expect(parseLedgerLine(JSON.stringify(line))).toEqual(line);
	});

	it("has no system prompt, which the profile has", () => {
		expect(JSON.stringify(opened)).not.toContain("be brief");
	});

	it("has the result itself only where no file has it", () => {
		expect(settledLine(place, record, undefined)).toMatchObject({ text: "the answer" });
		const saved = settledLine(place, record, "a1b2.md");
		expect(saved).toMatchObject({ textFile: "a1b2.md" });
		expect(JSON.stringify(saved)).not.toContain("the answer");
	});

	it("names the group of a member", () => {
		const group = {
			groupId: "group1" as GroupId,
			kind: "crew",
			description: "a review",
			background: true,
			join: "group",
			member: "critic",
			index: 1,
			after: ["author"],
		} as const;
		const line = openedLine(place, record, 5, { prompt: "p", group });
		expect(parseLedgerLine(JSON.stringify(line))).toMatchObject({ group });
	});

	it.each([
		["another version", { ...opened, v: 2 }],
		["another kind", { ...opened, type: "moved" }],
		["a kind that every object has", { ...opened, type: "constructor" }],
	])("is unknown with %s", (_what, line) => {
		expect(parseLedgerLine(JSON.stringify(line))).toBe("unknown");
	});

	it.each([
		["cut", JSON.stringify(settled).slice(0, -5)],
		["empty", ""],
		["no object", "[1]"],
		["without a version", JSON.stringify({ ...opened, v: undefined })],
		["an id that is none", JSON.stringify({ ...opened, agent: "../x" })],
		["run 0", JSON.stringify({ ...opened, run: 0 })],
		[
			"a status with the reason of another",
			JSON.stringify({ ...settled, verdict: { status: "error", reason: "done" } }),
		],
		["a status that every object has", JSON.stringify({ ...settled, verdict: { status: "toString", reason: "x" } })],
		["a spend that is not a number", JSON.stringify({ ...settled, spend: { input: "7" } })],
		["tools that are not names", JSON.stringify({ ...started, tools: [1] })],
		["limits without a grace", JSON.stringify({ ...opened, config: { limits: {} } })],
	])("is damaged when it is %s", (_what, text) => {
		expect(parseLedgerLine(text)).toBe("damaged");
	});

	it("never throws, and what it takes is what it would write", () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
				expect(["unknown", "damaged"]).toContain(parseLedgerLine(text));
			}),
		);
	});

	it("is damaged wherever a write was cut", () => {
		for (const line of [opened, started, settled]) {
			const text = JSON.stringify(line);
			for (let length = 0; length < text.length; length++) {
				expect(parseLedgerLine(text.slice(0, length))).toBe("damaged");
			}
		}
	});
});
