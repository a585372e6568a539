import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentId } from "../../src/streams/ids.ts";
import {
	type AgentsCommand,
	agentsHelp,
	parseAgentsCommand,
	resolveId,
	selectToStop,
	subcommands,
} from "../../src/ui/agents-command.ts";
import { ended, queued, running } from "./records.ts";

describe("parseAgentsCommand", () => {
	const good: readonly [args: string, command: AgentsCommand][] = [
		["", { type: "list" }],
		["   ", { type: "list" }],
		["list", { type: "list" }],
		[" LIST ", { type: "list" }],
		["help", { type: "help" }],
		["show a1b2", { type: "show", id: "a1b2" }],
		["show\ta1b2 ", { type: "show", id: "a1b2" }],
		["stop a1b2", { type: "stop", targets: { ids: ["a1b2"] } }],
		["stop a1b2  c3d4 a1b2", { type: "stop", targets: { ids: ["a1b2", "c3d4"] } }],
		["stop --all", { type: "stop", targets: "all" }],
		["stop --background", { type: "stop", targets: "background" }],
		["steer a1b2 look there", { type: "steer", id: "a1b2", message: "look there" }],
		["steer a1b2   two  spaces,\nand a line ", { type: "steer", id: "a1b2", message: "two  spaces,\nand a line" }],
		["resume a1b2", { type: "resume", id: "a1b2", message: undefined }],
		["resume a1b2 look again ", { type: "resume", id: "a1b2", message: "look again" }],
		["doctor", { type: "doctor" }],
		["steer a1b2 --all", { type: "steer", id: "a1b2", message: "--all" }],
	];
	it.each(good)("takes %j", (args, command) => {
		expect(parseAgentsCommand(args)).toEqual(command);
	});

	const bad: readonly [args: string, message: string][] = [
		["list all", "Usage: /agents list"],
		["help me", "Usage: /agents help"],
		["doctor now", "Usage: /agents doctor"],
		["show", "Usage: /agents show <id>"],
		["show a1b2 c3d4", "Usage: /agents show <id>"],
		["stop", "Usage: /agents stop <id…>|--background|--all"],
		["stop --all a1b2", "Usage: /agents stop <id…>|--background|--all"],
		["stop a1b2 --all", "Usage: /agents stop <id…>|--background|--all"],
		["stop --all --background", "Usage: /agents stop <id…>|--background|--all"],
		["stop --everything", "Usage: /agents stop <id…>|--background|--all"],
		["resume", "Usage: /agents resume <id> [text]"],
		["steer", "Usage: /agents steer <id> <text>"],
		["steer a1b2", "Usage: /agents steer <id> <text>"],
		["shwo a1b2", 'Unknown subcommand "shwo"; there are: show, stop, list, steer, help, resume, doctor, schedules.'],
	];
	it.each(bad)("says what is wrong with %j", (args, message) => {
		expect(parseAgentsCommand(args)).toEqual({ type: "problem", message });
	});

	it.each(["restart a1b2", "constructor"])("does not pretend to know %j", (args) => {
		const command = parseAgentsCommand(args);
		expect(command.type).toBe("problem");
		if (command.type === "problem") for (const name of subcommands.keys()) expect(command.message).toContain(name);
	});

	it("answers anything with a command, and never a control character", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (args) => {
				const command = parseAgentsCommand(args);
				if (command.type === "problem") expect(command.message).not.toMatch(/\p{Cc}/u);
			}),
		);
	});
});

describe("agentsHelp", () => {
	it("has a line for each subcommand", () => {
		expect(agentsHelp().split("\n")).toEqual([
			"/agents list                                  all agents of this session",
			"/agents show <id>                             an agent and what it wrote, or a group",
			"/agents stop <id…>|--background|--all         stop agents or groups, and say what was stopped",
			"/agents resume <id> [text]                    let an agent that has ended go on, in the background",
			"/agents steer <id> <text>                     send a running agent a message",
			"/agents doctor                                what is wrong, and what to do",
			"/agents schedules [pause|resume|cancel <id>]  what is to start by itself, or change one of it",
			"/agents help                                  this text",
			"An id may be shortened to a beginning that only one agent or group has.",
		]);
	});
});

describe("resolveId", () => {
	const known = ["abcd1", "abce2", "abc", "xyz9"] as AgentId[];
	const found: readonly [given: string, id: string][] = [
		["abcd1", "abcd1"],
		["abcd", "abcd1"],
		["x", "xyz9"],
		["abc", "abc"],
	];
	it.each(found)("finds %s as %s", (given, id) => {
		expect(resolveId(given, known)).toEqual({ ok: true, id });
	});

	it("refuses a beginning that several agents have, and names them", () => {
		expect(resolveId("ab", known)).toEqual({ ok: false, problem: '"ab" fits several: abcd1, abce2, abc.' });
	});

	it("names what there is when there is no such agent", () => {
		expect(resolveId("xyz8", known)).toEqual({
			ok: false,
			problem: 'No agent "xyz8"; there are: xyz9, abc, abcd1, abce2.',
		});
		expect(resolveId("X", known).ok).toBe(false);
		expect(resolveId("a", [])).toEqual({ ok: false, problem: 'No agent "a": this session has none.' });
	});
});

describe("selectToStop", () => {
	const records = [running("bg01"), running("fg01", { background: false }), queued("bg02"), ended("done1")];

	it("takes all that are live, or the background ones of them", () => {
		expect(selectToStop("all", records)).toEqual({ ok: true, ids: ["bg01", "fg01", "bg02"] });
		expect(selectToStop("background", records)).toEqual({ ok: true, ids: ["bg01", "bg02"] });
		expect(selectToStop("all", [])).toEqual({ ok: true, ids: [] });
	});

	it("takes each agent that is named once, live or not: the report says which had ended", () => {
		expect(selectToStop({ ids: ["done", "fg", "fg01"] }, records)).toEqual({ ok: true, ids: ["done1", "fg01"] });
	});

	it("takes none when one of them cannot be found, and says which", () => {
		expect(selectToStop({ ids: ["fg01", "bg", "nope"] }, records)).toEqual({
			ok: false,
			problems: ['"bg" fits several: bg01, bg02.', expect.stringMatching(/^No agent "nope"; there are: /)],
		});
	});
});
