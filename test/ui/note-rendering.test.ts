import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noteLines, renderNote } from "../../src/ui/note-rendering.ts";
import { plainPaint, texts } from "./plain-paint.ts";

function note(
	content: unknown,
	details?: unknown,
	expanded = false,
	customType = "subagent-result",
): readonly string[] {
	return texts(noteLines({ customType, content, details }, expanded, plainPaint));
}

const details = {
	delivery: ["a1b2#1", "c3d4#2"],
	agents: [
		{ agentId: "a1b2", status: "completed", description: "find it" },
		{ agentId: "c3d4", status: "error", description: "break\nit" },
	],
};
const text = "agent_id: a1b2\nstatus: completed\n\nThe answer.";

describe("a published result", () => {
	it("is a line an agent", () => {
		expect(note(text, details)).toEqual(["agent ✓ completed · find it · a1b2", "agent ✗ error · break it · c3d4"]);
	});

	it("names the members of a group", () => {
		const [agent] = details.agents;
		expect(note(text, { ...details, agents: [{ ...agent, member: "north" }] })).toEqual([
			"agent ✓ completed · north · find it · a1b2",
		]);
	});

	it("shows its text when expanded", () => {
		expect(note(text, details, true)).toEqual([
			"agent ✓ completed · find it · a1b2",
			"agent ✗ error · break it · c3d4",
			"agent_id: a1b2",
			"status: completed",
			"",
			"The answer.",
		]);
	});

	it("names eight agents and counts the rest", () => {
		const agents = Array.from({ length: 20 }, (_, index) => ({ agentId: `id${index}`, status: "completed" }));
		const lines = note(text, { agents });
		expect(lines).toHaveLength(9);
		expect(lines.at(-1)).toBe("agent and 12 more");
	});

	it.each([undefined, {}, { agents: "x" }, { agents: [] }, { agents: [null, 3, { status: 4 }] }])(
		"with the details %j falls back on its header lines",
		(odd) => {
			expect(note([{ type: "text", text }], odd)).toEqual(["agent ✓ completed · a1b2"]);
		},
	);

	it("without details or header lines is its first words", () => {
		expect(note("something\nelse")).toEqual(["agent something else"]);
		expect(note(undefined)).toEqual(["agent "]);
	});
});

describe("a notice", () => {
	it("is one line, and its whole text when expanded", () => {
		expect(note("2 agents\nwere stopped", undefined, false, "subagent-notice")).toEqual([
			"agents 2 agents were stopped",
		]);
		expect(note("2 agents\nwere stopped", undefined, true, "subagent-notice")).toEqual([
			"agents",
			"2 agents",
			"were stopped",
		]);
	});
});

describe("renderNote", () => {
	it("keeps the padding of the host free", () => {
		const message = { customType: "subagent-notice", content: "stopped" };
		expect(renderNote(message, { expanded: false, outputPad: 2 }, plainPaint as never).render(40)).toEqual([
			"  agents stopped",
		]);
	});

	it("draws rows that fit, whatever the message is", () => {
		const odd = fc.record({
			customType: fc.constantFrom("subagent-result", "subagent-notice"),
			content: fc.oneof(fc.string({ unit: "binary" }), fc.constant("漢👍🏽 ".repeat(300)), fc.anything()),
			details: fc.oneof(
				fc.anything(),
				fc.record({
					agents: fc.array(fc.record({ status: fc.string(), description: fc.string({ unit: "grapheme" }) })),
				}),
			),
		});
		const shown = fc.record({ expanded: fc.boolean(), outputPad: fc.nat(4) });
		fc.assert(
			fc.property(odd, shown, fc.integer({ min: 1, max: 200 }), (message, options, width) => {
				for (const row of renderNote(message, options, plainPaint as never).render(width)) {
					expect(visibleWidth(row)).toBeLessThanOrEqual(width);
				}
			}),
			{ numRuns: 100 },
		);
	});
});
