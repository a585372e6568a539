import { describe, expect, it } from "vitest";
import { type GroupId, toToolCallId } from "../../src/streams/ids.ts";
import { leftLine, openedLine, settledLine, startedLine } from "../../src/streams/ledger-line.ts";
import { parseLedgerLine } from "../../src/streams/ledger-parse.ts";
import type { TerminalRecord } from "../../src/streams/record.ts";
import type { ScheduleId } from "../../src/streams/schedules.ts";
import { history, place } from "./ledger-fixture.ts";

type Json = Readonly<Record<string, unknown>>;

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
const { record } = history("a1b2", {
	outcome: {
		verdict: { status: "error", reason: "provider_error" },
		text: "partial",
		message: "500",
		unread: ["left"],
		notes: ["its work is on a branch"],
	},
});
const called: TerminalRecord = { ...record, toolCallId: toToolCallId("t1"), schedule: "s-1" as ScheduleId };
const { startedAt: _, sessionFile: __, ...bare } = history("b1b2").record;

/** Each kind of line with everything that it may say. */
const full = {
	left: leftLine(place, 7),
	opened: openedLine(place, called, 5, { prompt: "p", group }),
	started: startedLine(place, called, 6),
	settled: { ...settledLine(place, called, "a1b2.md"), text: "partial" },
} as const;
/** What a line may leave out. */
const optional = [
	"opened.toolCall",
	"opened.schedule",
	"opened.group",
	"opened.config.limits.maxTurns",
	"started.file",
	"settled.message",
	"settled.notes",
	"settled.text",
	"settled.textFile",
	"settled.started",
];

/** Every path to a value in `line`: `config`, `config.limits`, `config.limits.graceTurns`, … */
function paths(line: Json): string[] {
	return Object.entries(line).flatMap(([key, value]) => {
		const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
		return [key, ...(isNested ? paths(value as Json).map((rest) => `${key}.${rest}`) : [])];
	});
}

/** The line with something else at a path; without it where that is `undefined`. */
function withValue(line: Json, path: string, value: unknown): Json {
	const [key = "", ...rest] = path.split(".");
	const inner = rest.length === 0 ? value : withValue(line[key] as Json, rest.join("."), value);
	const { [key]: ___, ...others } = line;
	return inner === undefined ? others : { ...others, [key]: inner };
}

const all = Object.entries(full).flatMap(([type, line]) =>
	paths(line as unknown as Json)
		.filter((path) => path !== "v" && path !== "type")
		.map((path) => ({ type, path, line: line as unknown as Json })),
);
const parse = (line: Json) => parseLedgerLine(JSON.stringify(line));

describe("a line of the ledger with everything that it may say", () => {
	it.each(Object.entries(full))("is read as it was written: %s", (_type, line) => {
		expect(parseLedgerLine(JSON.stringify(line))).toEqual(line);
	});

	it("names its kind, the call, the group, and the files", () => {
		expect(full.left).toEqual({ v: 1, ...place, at: 7, type: "left" });
		expect(full.opened).toMatchObject({ v: 1, ...place, at: 5, agent: "a1b2", run: 1, type: "opened", toolCall: "t1" });
		expect(full.started).toMatchObject({ v: 1, at: 6, type: "started", model: "acme/large", file: "a1b2.jsonl" });
		expect(full.settled).toMatchObject({ type: "settled", message: "500", notes: ["its work is on a branch"] });
		expect(full.settled).toMatchObject({ at: record.endedAt, started: record.startedAt, textFile: "a1b2.md" });
	});

	it("leaves out what there is not", () => {
		expect(openedLine(place, bare, 5, { prompt: "p" })).not.toHaveProperty("toolCall");
		expect(openedLine(place, bare, 5, { prompt: "p" })).not.toHaveProperty("group");
		expect(startedLine(place, bare, 6)).not.toHaveProperty("file");
		for (const key of ["message", "notes", "textFile", "started"]) {
			expect(settledLine(place, bare, undefined)).not.toHaveProperty(key);
		}
	});
});

describe("a line of the ledger", () => {
	it.each(all)("of the kind $type is damaged when $path is something else", ({ path, line }) => {
		for (const wrong of [{ no: "such value" }, [7], null]) {
			expect([path, wrong, parse(withValue(line, path, wrong))]).toEqual([path, wrong, "damaged"]);
		}
	});

	it.each(all)("of the kind $type says $path, unless it is something that it may leave out", ({ type, path, line }) => {
		const without = withValue(line, path, undefined);
		expect(parse(without)).toEqual(optional.includes(`${type}.${path}`) ? without : "damaged");
	});

	it.each([
		["a count that is negative", "turns", -1],
		["a count that is broken", "turns", 1.5],
		["a count that is text", "turns", "1"],
		["an amount that is text", "spend.cost", "1"],
		["a list of other things", "unread", ["left", 7]],
		["a verdict without a reason", "verdict", { status: "completed" }],
		["a verdict of no status", "verdict", { status: "moved", reason: "done" }],
	] as const)("is damaged with %s", (_what, path, value) => {
		expect(parse(withValue(full.settled as unknown as Json, path, value))).toBe("damaged");
	});

	it("may say that nothing happened in the run", () => {
		const line = withValue(full.settled as unknown as Json, "turns", 0);
		expect(parse(line)).toEqual(line);
	});

	it.each([
		["kind", ["swarm", "crew"]],
		["join", ["group", "each"]],
	] as const)("has one of the known words for a group's %s", (key, words) => {
		const opened = full.opened as unknown as Json;
		for (const word of words) {
			const line = withValue(opened, `group.${key}`, word);
			expect(parse(line)).toEqual(line);
		}
		expect(parse(withValue(opened, `group.${key}`, "other"))).toBe("damaged");
	});

	it("is unknown with a version of later, whatever it says, and with a kind that is no text", () => {
		expect(parse({ v: 2 })).toBe("unknown");
		expect(parse({ ...full.left, type: 7 })).toBe("unknown");
		expect(parse({ ...full.left, v: "1" })).toBe("damaged");
	});
});
