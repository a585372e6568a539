import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	defaultSettings,
	formatDiagnostic,
	mergeSettings,
	parseSettings,
	type SettingKey,
	type Settings,
	settingKeys,
	settingRules,
} from "../../src/profiles/index.ts";

const file = "/home/someone/orchestrator.json";

function parse(value: unknown) {
	return parseSettings(JSON.stringify(value), file);
}

const notYet = "not in effect yet: this version reads it, and it limits and changes nothing";

/** What is said of settings that are fine but for that nothing acts on them. */
function notInEffect(settings: object) {
	return settingKeys
		.filter((key) => Object.hasOwn(settings, key) && settingRules[key].inEffect === false)
		.map((key) => ({ file, key, message: notYet }));
}

describe("default settings", () => {
	it("are what the contract says, with absent limits absent", () => {
		expect(defaultSettings).toEqual({
			maxConcurrent: 4,
			maxAgents: 64,
			maxDepth: 2,
			maxZombies: 8,
			graceTurns: 3,
			stopGrace: 5,
			waitTimeoutSeconds: 600,
			headlessHold: 3600,
			backgroundByDefault: false,
			join: "group",
			childExtensions: "inherit",
			missedSchedules: "skip",
			retentionDays: 30,
			widget: "on",
			tracing: "off",
			captureContent: false,
		});
		expect(Object.keys(defaultSettings)).not.toContain("maxTurns");
	});

	it("pass their own rules", () => {
		expect(parse(defaultSettings)).toEqual({ settings: defaultSettings, diagnostics: notInEffect(defaultSettings) });
	});
});

describe("parseSettings", () => {
	const good: readonly [SettingKey, unknown][] = [
		["maxConcurrent", 1],
		["maxConcurrent", 1_000_000],
		["maxTurns", 12],
		["graceTurns", 0],
		["maxCostUsd", 0.01],
		["stopGrace", 0],
		["stopGrace", 0.25],
		["idleTimeout", 0.5],
		["backgroundByDefault", true],
		["join", "each"],
		["childExtensions", "none"],
		["childExtensions", ["gate", "log"]],
		["childExtensions", []],
		["tracing", "otlp"],
		["worktreeSetup", "npm ci"],
	];
	it.each(good)("takes %s: %j as it stands", (key, value) => {
		const settings = { [key]: value };
		expect(parse(settings)).toEqual({ settings, diagnostics: notInEffect(settings) });
	});

	it("says of a setting that nothing acts on yet that it limits nothing, and takes it", () => {
		expect(parse({ retentionDays: 5, maxConcurrent: 2 })).toEqual({
			settings: { retentionDays: 5, maxConcurrent: 2 },
			diagnostics: [{ file, key: "retentionDays", message: notYet }],
		});
	});

	it("knows which settings are in effect", () => {
		expect(settingKeys.filter((key) => settingRules[key].inEffect !== false)).toEqual([
			"maxConcurrent",
			"maxAgents",
			"maxDepth",
			"maxZombies",
			"maxTurns",
			"graceTurns",
			"maxTools",
			"maxTokens",
			"maxCostUsd",
			"runTimeout",
			"idleTimeout",
			"stopGrace",
			"waitTimeoutSeconds",
			"headlessHold",
			"backgroundByDefault",
			"join",
			"childExtensions",
			"missedSchedules",
			"worktreeSetup",
		]);
	});

	const bad: readonly [SettingKey, unknown, string][] = [
		["maxConcurrent", 0, "0 is not allowed: it must be a whole number from 1 to 1000000; ignored"],
		["maxConcurrent", 1.5, "1.5 is not allowed: it must be a whole number from 1 to 1000000; ignored"],
		["maxConcurrent", "4", '"4" is not allowed: it must be a whole number from 1 to 1000000; ignored'],
		["maxConcurrent", null, "null is not allowed: it must be a whole number from 1 to 1000000; ignored"],
		["maxConcurrent", 1_000_001, "1000001 is not allowed: it must be a whole number from 1 to 1000000; ignored"],
		["maxTurns", -1, "-1 is not allowed: it must be a whole number from 1 to 1000000, or null for none; ignored"],
		["maxCostUsd", 0, "0 is not allowed: it must be a number above 0, up to 1000000, or null for none; ignored"],
		["stopGrace", -0.1, "-0.1 is not allowed: it must be a number from 0 to 31622400; ignored"],
		["backgroundByDefault", "true", '"true" is not allowed: it must be true or false; ignored'],
		["join", "all", '"all" is not allowed: it must be "group" or "each"; ignored'],
		["tracing", true, 'true is not allowed: it must be "off", "otlp", "console" or "file"; ignored'],
		["childExtensions", "some", '"some" is not allowed: it must be "inherit", "none" or a list of names; ignored'],
		["childExtensions", [1], '[1] is not allowed: it must be "inherit", "none" or a list of names; ignored'],
		["childExtensions", {}, '{} is not allowed: it must be "inherit", "none" or a list of names; ignored'],
		["worktreeSetup", " ", '" " is not allowed: it must be a string that is not blank, or null for none; ignored'],
	];
	it.each(bad)("names and ignores %s: %j", (key, value, message) => {
		expect(parse({ [key]: value, maxAgents: 9 })).toEqual({
			settings: { maxAgents: 9 },
			diagnostics: [{ file, key, message }],
		});
	});

	it.each([null, "none"])("takes %j as the absence of a limit", (none) => {
		const { settings, diagnostics } = parse({ maxTurns: none, worktreeSetup: none });
		expect(Object.keys(settings)).toEqual([]);
		expect(diagnostics).toEqual([]);
	});

	it("names an unknown key and the one that was probably meant", () => {
		expect(parse({ max_concurent: 2 }).diagnostics).toEqual([
			{ file, key: "max_concurent", message: 'unknown setting; did you mean "maxConcurrent"? Ignored' },
		]);
	});

	it("lists all settings for a key that is like none of them", () => {
		const [diagnostic] = parse({ colour: "red" }).diagnostics;
		for (const key of settingKeys) expect(diagnostic?.message).toContain(key);
	});

	it.each(["__proto__", "constructor", "toString"])("takes %s for the unknown key that it is", (key) => {
		const { settings, diagnostics } = parseSettings(`{ "${key}": { "maxTurns": 1 } }`, file);
		expect(diagnostics).toMatchObject([{ file, key }]);
		expect(settings.maxTurns).toBeUndefined();
		expect(Object.keys(settings)).toEqual([]);
	});

	it("leaves $schema to the editor", () => {
		expect(parse({ $schema: "./x.json" })).toEqual({ settings: {}, diagnostics: [] });
	});

	it.each(["[]", "3", "null", '"text"'])("ignores a file that holds %s, with one diagnostic", (text) => {
		expect(parseSettings(text, file)).toEqual({
			settings: {},
			diagnostics: [{ file, message: "the file must hold a JSON object; all of it is ignored" }],
		});
	});

	it.each(["", "{", "{ maxTurns: 3 }", '{"maxTurns": 3,}'])(
		"ignores the broken text %j, with one diagnostic",
		(text) => {
			const { settings, diagnostics } = parseSettings(text, file);
			expect(settings).toEqual({});
			expect(diagnostics).toHaveLength(1);
			expect(diagnostics[0]?.message).toMatch(/^not JSON \(.+\); all of it is ignored$/);
		},
	);

	it("reads a file that begins with a byte order mark", () => {
		expect(parseSettings('\uFEFF{"maxTurns": 3}', file).settings).toEqual({ maxTurns: 3 });
	});

	it("never lets a file write control characters into a diagnostic, nor one without end", () => {
		const { diagnostics } = parse({ ["\u001b[2J\nkey".repeat(50)]: 1, join: "\u009b31m".repeat(500) });
		for (const diagnostic of diagnostics) {
			const line = formatDiagnostic(diagnostic);
			expect(line).not.toMatch(/\p{Cc}/u);
			expect(line.length).toBeLessThan(700);
		}
		expect(diagnostics).toHaveLength(2);
	});

	it("never throws, and whatever it takes passes its own rules", () => {
		const document = fc.oneof(
			fc.string(),
			fc.json(),
			fc.dictionary(fc.constantFrom(...settingKeys), fc.jsonValue()).map((value) => JSON.stringify(value)),
		);
		fc.assert(
			fc.property(document, (text) => {
				const { settings } = parseSettings(text, file);
				expect(parse(settings)).toEqual({ settings, diagnostics: notInEffect(settings) });
			}),
		);
	});
});

describe("mergeSettings", () => {
	it("puts the user's settings over the defaults", () => {
		expect(mergeSettings({ maxConcurrent: 9, maxTurns: 30 }, {})).toEqual({
			settings: { ...defaultSettings, maxConcurrent: 9, maxTurns: 30 },
			diagnostics: [],
		});
	});

	type Row = readonly [what: string, key: SettingKey, user: Partial<Settings>, project: Partial<Settings>];
	const taken: readonly Row[] = [
		["a lower limit", "maxConcurrent", { maxConcurrent: 9 }, { maxConcurrent: 8 }],
		["a limit lower than the default", "maxConcurrent", {}, { maxConcurrent: 3 }],
		["a limit where there was none", "maxCostUsd", {}, { maxCostUsd: 5 }],
		["the same limit", "maxAgents", { maxAgents: 10 }, { maxAgents: 10 }],
		["a preference", "join", { join: "group" }, { join: "each" }],
		[
			"a preference the other way",
			"backgroundByDefault",
			{ backgroundByDefault: true },
			{ backgroundByDefault: false },
		],
		["tracing off", "tracing", { tracing: "otlp" }, { tracing: "off" }],
		["captured content off", "captureContent", { captureContent: true }, { captureContent: false }],
		["all extensions", "childExtensions", { childExtensions: ["gate"] }, { childExtensions: "inherit" }],
		["more extensions", "childExtensions", { childExtensions: ["gate"] }, { childExtensions: ["log", "gate"] }],
		[
			"some extensions where there were none",
			"childExtensions",
			{ childExtensions: "none" },
			{ childExtensions: ["a"] },
		],
		["a command for worktrees", "worktreeSetup", {}, { worktreeSetup: "npm ci" }],
	];
	it.each(taken)("lets a project set %s", (_what, key, user, project) => {
		const { settings, diagnostics } = mergeSettings(user, project);
		expect(diagnostics).toEqual([]);
		expect(settings[key]).toEqual(project[key]);
	});

	const refused: readonly [...Row, message: string][] = [
		[
			"a higher limit",
			"maxConcurrent",
			{ maxConcurrent: 2 },
			{ maxConcurrent: 3 },
			"a project can only lower this limit, and it is 2 already; ignored",
		],
		[
			"a limit higher than the default",
			"maxDepth",
			{},
			{ maxDepth: 3 },
			"a project can only lower this limit, and it is 2 already; ignored",
		],
		[
			"tracing to somewhere else",
			"tracing",
			{ tracing: "file" },
			{ tracing: "otlp" },
			'a project can only switch this off, and it is "file"; ignored',
		],
		["tracing on", "tracing", {}, { tracing: "otlp" }, 'a project can only switch this off, and it is "off"; ignored'],
		[
			"captured content on",
			"captureContent",
			{},
			{ captureContent: true },
			"a project can only switch this off, and it is false; ignored",
		],
		[
			"no extensions",
			"childExtensions",
			{ childExtensions: ["gate"] },
			{ childExtensions: "none" },
			"a project can only add extensions, and gate would be missing; ignored",
		],
		[
			"fewer extensions",
			"childExtensions",
			{ childExtensions: ["gate", "log"] },
			{ childExtensions: ["log"] },
			"a project can only add extensions, and gate would be missing; ignored",
		],
		[
			"a list instead of all extensions",
			"childExtensions",
			{},
			{ childExtensions: ["log"] },
			"a project cannot keep any of the user's extensions out of a child; ignored",
		],
		[
			"how long things are kept",
			"retentionDays",
			{},
			{ retentionDays: 1 },
			"only the user's own settings can change this; ignored",
		],
	];
	it.each(refused)("refuses a project %s, and says so", (_what, key, user, project, message) => {
		expect(mergeSettings(user, project, "/p/.pi/orchestrator.json")).toEqual({
			settings: { ...defaultSettings, ...user },
			diagnostics: [{ file: "/p/.pi/orchestrator.json", key, message }],
		});
	});

	it("never leaves a limit looser than the user had it, whatever the project says", () => {
		const limits = settingKeys.filter((key) => settingRules[key].project === "lower");
		const some = fc
			.dictionary(fc.constantFrom(...limits), fc.integer({ min: 1, max: 50 }))
			.map((value) => value as Partial<Settings>);
		fc.assert(
			fc.property(some, some, (user, project) => {
				const { settings } = mergeSettings(user, project);
				for (const key of limits) {
					const before = (user[key] ?? defaultSettings[key] ?? Number.POSITIVE_INFINITY) as number;
					const asked = (project[key] ?? Number.POSITIVE_INFINITY) as number;
					expect(settings[key] ?? Number.POSITIVE_INFINITY).toBe(Math.min(before, asked));
				}
			}),
		);
		expect(limits).toHaveLength(14);
	});
});

describe("formatDiagnostic", () => {
	it("says where, what and why in one line", () => {
		expect(formatDiagnostic({ file: "a.json", message: "broken" })).toBe("a.json: broken");
		expect(formatDiagnostic({ file: "a.md", line: 3, key: "tools", message: "broken" })).toBe("a.md:3: tools: broken");
	});
});
