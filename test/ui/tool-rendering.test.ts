import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callLines, type ResultState, resultLines, toolRenderers } from "../../src/ui/tool-rendering.ts";
import { namedPaint, plainPaint, texts, withoutColours } from "./plain-paint.ts";

const tools = ["Agent", "get_subagent_result", "steer_subagent"];

function call(tool: string, args: unknown, expanded = false): readonly string[] {
	return texts(callLines(tool, args, expanded, plainPaint));
}

const final: ResultState = { expanded: false, isPartial: false, isError: false };

function result(details: unknown, text = "", state: Partial<ResultState> = {}, tool = "Agent"): readonly string[] {
	const content = [{ type: "text", text }];
	return texts(resultLines(tool, { content, details }, { ...final, ...state }, plainPaint));
}

const done = {
	kind: "agent",
	agent_id: "a1b2c3",
	status: "completed",
	reason: "done",
	turns: 3,
	tokens: { input: 12_345, output: 678 },
	cost_usd: 0.0123,
	duration_ms: 65_000,
};
const header =
	"agent_id: a1b2c3\nstatus: completed\ntype: plan · model: a/b · turns: 3 · tools: 1 · cost: $0.5 · time: 2s";

describe("a call", () => {
	const table: readonly [what: string, tool: string, args: unknown, line: string][] = [
		["nothing yet", "Agent", undefined, "Agent …"],
		["half of an argument", "Agent", { descr: "fin" }, "Agent …"],
		["only the type so far", "Agent", { subagent_type: "explore" }, "Agent explore"],
		["a description", "Agent", { description: "find it" }, "Agent find it"],
		[
			"everything",
			"Agent",
			{ description: "find it", subagent_type: "explore", model: "a/b", run_in_background: true, resume: "a1b2" },
			"Agent find it explore · a/b · background · resume a1b2",
		],
		["arguments of the wrong type", "Agent", { description: 3, model: {}, run_in_background: "yes" }, "Agent …"],
		["no object at all", "Agent", "text", "Agent …"],
		["no id yet", "get_subagent_result", {}, "get_subagent_result …"],
		[
			"a wait",
			"get_subagent_result",
			{ agent_id: "a1b2", wait: true, verbose: true },
			"get_subagent_result a1b2 wait · verbose",
		],
		["a message", "steer_subagent", { agent_id: "a1b2", message: "look\nthere" }, "steer_subagent a1b2 look there"],
	];
	it.each(table)("with %s is one line that says what is known", (_what, tool, args, line) => {
		expect(call(tool, args)).toEqual([line]);
	});

	it("shows its task when expanded, and only then", () => {
		const args = { description: "find it", prompt: "Find it.\nAll of it." };
		expect(call("Agent", args)).toEqual(["Agent find it"]);
		expect(call("Agent", args, true)).toEqual(["Agent find it", "Find it.", "All of it."]);
	});

	it("shows no control character of what the model wrote", () => {
		const [line] = call("Agent", { description: "\u001b[2Jfind\u0007\nit" });
		expect(line).toBe("Agent find it");
	});
});

describe("a result", () => {
	it("that is final says status, turns, tokens, cost and time (seed 000 §17 Rendering: final)", () => {
		expect(result(done)).toEqual(["✓ completed · 3 turns · 12k/678 tokens · $0.0123 · 1m05s · a1b2c3"]);
	});

	const statuses: readonly [status: string, reason: string, shown: string][] = [
		["completed", "done", "✓ completed"],
		["completed", "empty", "✓ completed (empty)"],
		["steered", "wrapped_up", "✓ steered (wrapped_up)"],
		["aborted", "turn_limit", "✗ aborted (turn_limit)"],
		["stopped", "stopped_by_user", "■ stopped (stopped_by_user)"],
		["error", "provider_error", "✗ error (provider_error)"],
		["vanished", "magic", "· vanished (magic)"],
	];
	it.each(statuses)("%s (%s) is drawn as its own", (status, reason, shown) => {
		expect(result({ status, reason })).toEqual([shown]);
	});

	it("that goes on says what the agent is doing, without a body (seed 000 §17 Rendering: partial)", () => {
		const details = { ...done, status: "running", reason: null, current_tools: ["bash", "read"], silent_ms: 12_000 };
		expect(result(details, `${header}\n\nworking`, { isPartial: true })).toEqual([
			"● running · bash, read · 3 turns · 12k/678 tokens · $0.0123 · 1m05s · silent 12s · a1b2c3",
		]);
	});

	it("leaves out a silence that is short", () => {
		expect(result({ status: "running", silent_ms: 9_999 }, "", { isPartial: true })).toEqual(["● running"]);
	});

	it("says where a queued agent stands, and that a running one is being stopped", () => {
		expect(result({ status: "queued", place_in_line: 2, agent_id: "a1b2" })).toEqual(["○ queued · 2 in line · a1b2"]);
		expect(result({ status: "running", stopping: "turn_limit" })).toEqual(["● running, stopping (turn_limit)"]);
	});

	it("shows its body without the header lines when expanded (seed 000 §17 Rendering: expanded)", () => {
		const text = `${header}\n\nThe answer.\n\nIn two parts.`;
		expect(result(done, text, { expanded: true }).slice(1)).toEqual(["The answer.", "", "In two parts."]);
		expect(result(done, text)).toHaveLength(1);
	});

	it("shows a bounded body, and says that there is more", () => {
		const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
		const shown = result(done, `${header}\n\n${lines}`, { expanded: true });
		expect(shown).toHaveLength(202);
		expect(shown.at(-2)).toBe("line 199");
		expect(shown.at(-1)).toBe("… 300 more lines");

		const long = result(done, `${header}\n\n${"x".repeat(50_000)}`, { expanded: true });
		expect(long[1]).toHaveLength(24_000);
		expect(long.at(-1)).toBe("… more text");
	});

	it.each([undefined, null, {}, [], "text", 7, { status: 7 }, { status: "" }])(
		"with the details %j falls back on its header lines (seed 000 §17 Rendering: absent details)",
		(details) => {
			expect(result(details, `${header}\n\nbody`)).toEqual(["✓ completed · 3 turns · $0.5000 · a1b2c3"]);
		},
	);

	it("of an aborted call, whose details are lost, says how its agent ended", () => {
		const text = "agent_id: a1b2\nstatus: stopped (stopped_by_user)\nturns: 1\n\npartial";
		expect(result({}, text, { isError: true })).toEqual(["■ stopped (stopped_by_user) · 1 turn · a1b2"]);
	});

	it("that is about no agent is its first words, as an error where it is one", () => {
		const content = [{ type: "text", text: 'no agent type "x"\n- there is: plan' }];
		const details = { kind: "problem", problems: ["…"] };
		const lines = resultLines("Agent", { content, details }, { ...final, isError: true }, namedPaint);
		expect(texts(lines)).toEqual(['<error>no agent type "x" - there is: plan</>']);
		expect(texts(resultLines("Agent", { content }, final, namedPaint))[0]).toMatch(/^<toolOutput>/);
	});

	it("of a steering call says what became of the message", () => {
		const text = `${header}\n\nQueued for the next boundary.`;
		expect(result({ ...done, status: "running", reason: null }, text, {}, "steer_subagent")).toEqual([
			"● running · Queued for the next boundary. · a1b2c3",
		]);
	});

	it("without anything says so", () => {
		expect(texts(resultLines("Agent", {}, final, plainPaint))).toEqual(["no text"]);
		expect(texts(resultLines("Agent", {}, { ...final, isPartial: true }, plainPaint))).toEqual(["…"]);
	});
});

describe("a group", () => {
	const members = [
		{ ...done, name: "north" },
		{ status: "queued", name: "south", place_in_line: 1, agent_id: "c3d4" },
	];
	const details = { ...done, kind: "group", group: "crew", group_id: "g1a2", status: "running", reason: null, members };

	it("is a line with its sums, then a line a member, while it goes on and in the end", () => {
		const lines = [
			"● crew of 2 running · 3 turns · 12k/678 tokens · $0.0123 · 1m05s · g1a2",
			"  ✓ north completed · 3 turns · 12k/678 tokens · $0.0123 · 1m05s · a1b2c3",
			"  ○ south queued · 1 in line · c3d4",
		];
		expect(result(details, "group_id: g1a2\n\nnorth: …", { isPartial: true })).toEqual(lines);
		expect(result(details)).toEqual(lines);
	});

	it("shows its text below when expanded, without its own header lines", () => {
		const text = "group_id: g1a2\ncrew: 2 members\ntotal: turns: 3\n\nmember: north\nagent_id: a1b2c3";
		expect(result(details, text, { expanded: true }).slice(3)).toEqual(["member: north", "agent_id: a1b2c3"]);
	});

	it("of an aborted call, whose details are lost, says what its header lines say", () => {
		const text =
			"group_id: g1a2\ncrew: 2 members, 1 completed, 1 stopped\ntotal: x\n\nmember: north\nagent_id: a1b2\nstatus: completed\nturns: 3\n\nmember: south\nagent_id: c3d4\nstatus: stopped (stopped_by_parent)";
		expect(result({}, text, { isError: true })).toEqual([
			"crew: 2 members, 1 completed, 1 stopped · g1a2",
			"  ✓ north completed · 3 turns · a1b2",
			"  ■ south stopped (stopped_by_parent) · c3d4",
		]);
	});

	it.each([undefined, "x", [], [null, 3, { status: 4 }]])("does without members, as with %j", (odd) => {
		expect(result({ kind: "group", group: "swarm", group_id: "g1a2", status: "running", members: odd })).toEqual([
			"● swarm of 0 running · g1a2",
		]);
	});

	it("is announced in the call, with each member's name when expanded", () => {
		const args = {
			description: "search",
			prompt: "Brief.",
			members: [{ name: "n", prompt: "North." }, { name: "s" }, 7],
		};
		expect(call("Agent", args)).toEqual(["Agent search crew of 3"]);
		expect(call("Agent", args, true)).toEqual(["Agent search crew of 3", "Brief.", "", "- n · North.", "- s"]);
		expect(call("Agent", { description: "search", swarm: 4, estimate_only: true, schedule: "5m" })).toEqual([
			"Agent search swarm of 4 · estimate · scheduled 5m",
		]);
	});
});

describe("toolRenderers", () => {
	const theme = {
		fg: (_colour: string, text: string) => `\u001b[38;5;9m${text}\u001b[39m`,
		bold: (text: string) => text,
	};
	const anything = fc.oneof(
		fc.anything(),
		fc.record(
			{
				description: fc.string({ unit: "grapheme" }),
				prompt: fc.string({ unit: "binary" }),
				agent_id: fc.string({ unit: "binary" }),
				message: fc.constantFrom("漢字".repeat(200), "👩‍👩‍👧‍👦".repeat(90), "\u001b[31m\u0007x\ny"),
				status: fc.oneof(fc.string(), fc.constantFrom("running", "completed")),
				current_tools: fc.array(fc.string({ unit: "grapheme" })),
				turns: fc.double(),
				kind: fc.constantFrom("group", "agent"),
				group: fc.string({ unit: "grapheme" }),
				members: fc.array(fc.record({ name: fc.string({ unit: "binary" }), status: fc.constant("running") })),
				schedule: fc.string({ unit: "binary" }),
				text: fc.string({ unit: "binary" }),
			},
			{ requiredKeys: [] },
		),
	);

	it("draw rows that fit and hold no control character, whatever the call and its result are", () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...tools),
				anything,
				fc.record({ content: fc.oneof(fc.array(anything), fc.anything()), details: anything }),
				fc.record({ expanded: fc.boolean(), isPartial: fc.boolean() }),
				fc.integer({ min: 1, max: 200 }),
				(tool, args, value, options, width) => {
					const renderers = toolRenderers(tool);
					// Only what the renderers use of a theme is there.
					const call = renderers.renderCall(args, theme as never, { expanded: options.expanded });
					const shown = renderers.renderResult(value, options, theme as never, { isError: true });
					const rows = [...call.render(width), ...shown.render(width)];
					expect(rows.length).toBeGreaterThanOrEqual(2);
					for (const row of rows) {
						expect(visibleWidth(row)).toBeLessThanOrEqual(width);
						// Colours are the theme's own; nothing else may be left of an escape sequence.
						expect(withoutColours(row)).not.toMatch(/\p{Cc}/u);
					}
				},
			),
			{ numRuns: 150 },
		);
	});

	it("do without the context that older hosts do not give", () => {
		const renderers = toolRenderers("Agent");
		expect(renderers.renderCall({ description: "x" }, plainPaint as never).render(40)).toEqual(["Agent x"]);
		const options = { expanded: false, isPartial: false };
		expect(renderers.renderResult({ details: { status: "queued" } }, options, plainPaint as never).render(40)).toEqual([
			"○ queued",
		]);
	});
});
