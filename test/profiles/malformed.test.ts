import { describe, expect, it } from "vitest";
import {
	defaultSettings,
	formatDiagnostic,
	mergeSettings,
	parseSettings,
	profileFields,
} from "../../src/profiles/index.ts";
import { file, parse, withFields } from "./profile-fixture.ts";

const allKeys = profileFields.map(({ key }) => key).join(", ");

/** What was made of it, the text, and all that is said: `line: key: what is wrong`. */
type Row = readonly [what: string, text: string, ...said: readonly string[]];

function sayings(text: string): readonly string[] {
	return parse(text).diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).slice(`${file}:`.length));
}

describe("a profile file that is broken", () => {
	const rows: readonly Row[] = [
		["an empty file", "", "1: the file is empty: a profile begins with its fields between two lines of ---"],
		["white space alone", " \n\n\t", "1: the file is empty: a profile begins with its fields between two lines of ---"],
		[
			"a byte order mark alone",
			"\uFEFF",
			"1: the file is empty: a profile begins with its fields between two lines of ---",
		],
		[
			"a text without fields",
			"# Reviewer\n\nReview it.",
			"1: the first line is not ---: a profile begins with its fields between two lines of ---",
		],
		[
			"a space before the first fence",
			" ---\ndescription: x\n---\nGo.",
			"1: the first line is not ---: a profile begins with its fields between two lines of ---",
		],
		[
			"a fence of four dashes",
			"----\ndescription: x\n----\nGo.",
			"1: the first line is not ---: a profile begins with its fields between two lines of ---",
		],
		[
			"a blank line before the first fence",
			"\n---\ndescription: x\n---\nGo.",
			"1: the first line is not ---: a profile begins with its fields between two lines of ---",
		],
		["no second fence", "---\ndescription: x\n\nGo.", "1: no second line of --- ends the fields that begin here"],
		[
			"a second fence that is indented",
			"---\ndescription: x\n ---\nGo.",
			"1: no second line of --- ends the fields that begin here",
		],
		[
			"more fields than any profile has",
			`---\ndescription: ${"x".repeat(20_000)}\n---\nGo.`,
			"1: the fields have 20013 characters, and 8192 is the most; the prompt belongs below the second ---",
		],
		[
			"no fields between the fences",
			"---\n---\nGo.",
			"1: description: missing: one line that tells a model what it is for",
		],
		[
			"a comment for fields",
			"---\n# nothing\n---\nGo.",
			"1: description: missing: one line that tells a model what it is for",
		],
		["a list for fields", "---\n- name\n- tools\n---\nGo.", "2: the fields must be lines of `key: value`"],
		["a word for fields", "---\nreviewer\n---\nGo.", "2: the fields must be lines of `key: value`"],
		[
			"no description",
			"---\nname: reviewer\n---\nGo.",
			"1: description: missing: one line that tells a model what it is for",
		],
		[
			"a blank description",
			"---\ndescription: '  '\n---\nGo.",
			'2: description: "  " is not allowed: it must be a string that is not blank',
		],
		["no prompt", "---\ndescription: x\n---\n", "3: no prompt: it stands below the second line of ---"],
		[
			"a prompt of white space",
			"---\ndescription: x\n---\n \n\t\n",
			"3: no prompt: it stands below the second line of ---",
		],
		["a key twice", withFields("tools: [read]", "tools: [bash]"), "4: not YAML (Map keys must be unique)"],
		["a tab for indentation", withFields("tools:", "\t- read"), "4: not YAML (Tabs are not allowed as indentation)"],
		["a quote that does not end", withFields('model: "acme'), '3: not YAML (Missing closing "quote)'],
		[
			"a bracket that does not end",
			withFields("tools: [read, grep"),
			"3: not YAML (Flow sequence in block collection must be sufficiently indented and end with a ])",
		],
		[
			"a colon in an unquoted description",
			"---\ndescription: Reviews: everything\n---\nGo.",
			"2: not YAML (a value with a colon and a space in it must stand in quotes)",
		],
		[
			"a key without a colon",
			withFields("isolated"),
			"3: not YAML (Implicit map keys need to be followed by map values)",
		],
		[
			"a list that is indented wrongly",
			withFields("tools:", "  - read", " - grep"),
			"5: not YAML (A block sequence may not be used as an implicit map key)",
		],
		[
			"two documents",
			withFields("...", "tools: read"),
			"4: not YAML (a line of ... ends the fields, and more follow it)",
		],
		["a key that is a list", withFields("? [a, b]", ": c"), "3: a key must be a word"],
		[
			"a reference",
			withFields("tools: &t [read]", "disallowed_tools: *t"),
			"3: tools: references (& and *) are not allowed: write the value out",
			"4: disallowed_tools: references (& and *) are not allowed: write the value out",
		],
		[
			"a reference to nothing",
			withFields("tools: *t"),
			"3: tools: references (& and *) are not allowed: write the value out",
		],
		[
			"references that grow without end",
			withFields("tools: &a [read, read]", "skills: &b [*a, *a, *a]", "subagents: [*b, *b, *b]"),
			"3: tools: references (& and *) are not allowed: write the value out",
			"4: skills: references (& and *) are not allowed: write the value out",
			"5: subagents: references (& and *) are not allowed: write the value out",
		],
		["brackets without end", withFields(`tools: ${"[".repeat(6_000)}`), "3: not YAML (nested too deeply)"],
		["a tag", withFields("model: !!binary aGVsbG8="), "3: model: tags (!) are not allowed: write the value as it is"],
		["a tag of nobody's", withFields("model: !secret acme"), "3: not YAML (Unresolved tag: !secret)"],
		[
			"a merged map",
			withFields("<<: {tools: [bash]}"),
			"3: <<: merging other fields in is not allowed: write them out",
		],
		[
			"a field within a field",
			withFields("tools:", "  allow: [read]"),
			"4: tools: a value cannot have fields of its own",
		],
		[
			"a list within a list",
			withFields("tools: [read, [bash]]"),
			"3: tools: a list may hold only words, and no lists or fields",
		],
		[
			"a pair within a list",
			withFields("tools: [read: true]"),
			"3: tools: a list may hold only words, and no lists or fields",
		],
		[
			"a misspelt limit",
			withFields("max_turn: 3"),
			'3: max_turn: unknown key; did you mean "max_turns"? An agent without that could get more than meant, so the file is not used',
		],
		[
			"a limit as another harness spells it",
			withFields("disallowedTools: [bash]"),
			'3: disallowedTools: unknown key; did you mean "disallowed_tools"? An agent without that could get more than meant, so the file is not used',
		],
		[
			"a misspelt model",
			withFields("modle: acme/small"),
			'3: modle: unknown key; did you mean "model"? An agent without that could get more than meant, so the file is not used',
		],
		[
			"a name that leaves its folder",
			withFields("name: ../../reviewer"),
			'3: name: "../../reviewer" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"a name with a space",
			withFields("name: code reviewer"),
			'3: name: "code reviewer" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"a name with a line break",
			withFields('name: "code\\nreviewer"'),
			'3: name: "code reviewer" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"a name for a shell",
			withFields('name: "$(reboot)"'),
			'3: name: "$(reboot)" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"a name that is a number",
			withFields("name: 7"),
			"3: name: 7 is not allowed: it must be a string that is not blank",
		],
		[
			"a name that is too long",
			withFields(`name: ${"x".repeat(65)}`),
			'3: name: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"a name without letters",
			withFields("name: '...'"),
			'3: name: "..." is no name for a profile: up to 64 letters, digits, dots, dashes and underscores, the first a letter or digit, and no two dots together',
		],
		[
			"tools without a value",
			withFields("tools:"),
			'3: tools: null is not allowed: it must be "inherit", "none" or a list of names',
		],
		[
			"tools that are a number",
			withFields("tools: 3"),
			'3: tools: 3 is not allowed: it must be "inherit", "none" or a list of names',
		],
		[
			"a pattern of tools",
			withFields("tools: '*'"),
			'3: tools: "*" is no name: neither patterns nor spaces are allowed',
		],
		[
			"a tool with a pattern of arguments",
			withFields("tools: [read, 'Bash(git:*)']"),
			'3: tools: "Bash(git:*)" is no name: neither patterns nor spaces are allowed',
		],
		[
			"a number among the tools",
			withFields("tools: [read, 1]"),
			'3: tools: ["read", 1] is not allowed: it must be "inherit", "none" or a list of names',
		],
		[
			"a comma too many",
			withFields("tools: read, grep,"),
			'3: tools: ["read", " grep", ""] is not allowed: it must be "inherit", "none" or a list of names',
		],
		[
			"inherit in a list",
			withFields("tools: [inherit, web_search]"),
			'3: tools: "inherit" must stand alone, not in a list',
		],
		[
			"disallowed tools that are a switch",
			withFields("disallowed_tools: true"),
			'3: disallowed_tools: true is not allowed: it must be "none" or a list of names',
		],
		[
			"extensions that are a switch",
			withFields("extensions: false"),
			'3: extensions: false is not allowed: it must be "inherit", "none" or a list of names',
		],
		[
			"a path with a space for an extension",
			withFields("extensions: ['my gate.ts']"),
			'3: extensions: "my gate.ts" is no name: neither patterns nor spaces are allowed',
		],
		[
			"a tool that is a pattern",
			withFields("tools: ['mcp_*']"),
			'3: tools: "mcp_*" is no name: neither patterns nor spaces are allowed',
		],
		[
			"an extension for a tool",
			withFields("tools: [ext:web]"),
			'3: tools: "ext:web" names no tool: write ext:<extension>/<tool>, or ext:<extension>/* for all that it has',
		],
		[
			"a pattern for a tool of an extension",
			withFields("disallowed_tools: ['ext:web/s*']"),
			'3: disallowed_tools: "ext:web/s*" names no tool: write ext:<extension>/<tool>, or ext:<extension>/* for all that it has',
		],
		[
			"a skill that is a pattern",
			withFields("skills: ['git-*']"),
			'3: skills: "git-*" is no name: neither patterns nor spaces are allowed',
		],
		[
			"a model with a space",
			withFields("model: acme large"),
			'3: model: "acme large" is no name of a model: it has no spaces',
		],
		[
			"a list of models",
			withFields("model: [acme/large, acme/small]"),
			'3: model: ["acme/large", "acme/small"] is not allowed: it must be a string that is not blank',
		],
		[
			"a level of thinking that does not exist",
			withFields("thinking: ultra"),
			'3: thinking: "ultra" is not allowed: it must be "off", "minimal", "low", "medium", "high", "xhigh", "max" or "inherit"',
		],
		[
			"thinking as a switch",
			withFields("thinking: true"),
			'3: thinking: true is not allowed: it must be "off", "minimal", "low", "medium", "high", "xhigh", "max" or "inherit"',
		],
		[
			"no turns",
			withFields("max_turns: 0"),
			"3: max_turns: 0 is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"turns and a half",
			withFields("max_turns: 1.5"),
			"3: max_turns: 1.5 is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"turns in quotes",
			withFields("max_turns: '12'"),
			'3: max_turns: "12" is not allowed: it must be a whole number from 1 to 1000000, or null for none',
		],
		[
			"turns without end",
			withFields("max_turns: .inf"),
			"3: max_turns: Infinity is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"turns that are no number",
			withFields("max_turns: .nan"),
			"3: max_turns: NaN is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"more turns than there are",
			withFields("max_turns: 99999999999999999999"),
			"3: max_turns: 100000000000000000000 is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"fewer tools than none",
			withFields("max_tools: -1"),
			"3: max_tools: -1 is not allowed: it must be a whole number from 1 to 1000000, or null for none",
		],
		[
			"a timeout with a unit",
			withFields("timeout: 5m"),
			'3: timeout: "5m" is not allowed: it must be a number above 0, up to 31622400, or null for none',
		],
		[
			"no time at all",
			withFields("timeout: 0"),
			"3: timeout: 0 is not allowed: it must be a number above 0, up to 31622400, or null for none",
		],
		[
			"a mode that does not exist",
			withFields("prompt_mode: prepend"),
			'3: prompt_mode: "prepend" is not allowed: it must be "replace" or "append"',
		],
		[
			"yes for true",
			withFields("inherit_context: yes"),
			'3: inherit_context: "yes" is not allowed: it must be true or false',
		],
		[
			"1 for true",
			withFields("run_in_background: 1"),
			"3: run_in_background: 1 is not allowed: it must be true or false",
		],
		[
			"isolated in quotes",
			withFields("isolated: 'true'"),
			'3: isolated: "true" is not allowed: it must be true or false',
		],
		[
			"an isolation that does not exist",
			withFields("isolation: container"),
			'3: isolation: "container" is not allowed: it must be "worktree", or null for none',
		],
		[
			"a subagent that is no name",
			withFields("subagents: [plan, ../plan]"),
			'3: subagents: "../plan" is no name: it is one word',
		],
		[
			"a partition with a space",
			withFields("partitions: [team a]"),
			'3: partitions: "team a" is no name: it is one word',
		],
		[
			"a field that cannot be locked",
			withFields("lock: [model, tools]"),
			'3: lock: "tools" cannot be locked; a call can set only: model, thinking, max_turns, isolated, run_in_background, isolation, inherit_context',
		],
		[
			"a lock on everything",
			withFields("lock: true"),
			'3: lock: true is not allowed: it must be "none" or a list of names',
		],
		["enabled as a word", withFields("enabled: off"), '3: enabled: "off" is not allowed: it must be true or false'],
		["a colour that is none", withFields("color: '#12'"), '3: color: "#12" is no colour: write a word or #rrggbb'],
		[
			"control characters",
			withFields('model: "\\e[2Jacme"'),
			'3: model: " [2Jacme" is no name of a model: it has no spaces',
		],
	];
	it.each(rows)("by %s gives no profile, keeps its name, and says where and why", (_what, text, ...said) => {
		const { profile, name } = parse(text);
		expect(profile).toBeUndefined();
		expect(name).toBe("reviewer");
		expect(sayings(text)).toEqual(said);
	});

	it("says no more of a thousand faults than of twenty, each in one short line", () => {
		const { profile, diagnostics } = parse(withFields(...Array.from({ length: 400 }, (_, n) => `tool${n}: "\\e[2J"`)));
		expect(profile).toBeUndefined();
		expect(diagnostics).toHaveLength(20);
		const name = "\u001b[2J\u2028".repeat(100);
		for (const diagnostic of [...diagnostics, ...parse(withFields(`${JSON.stringify(name)}: 1`)).diagnostics]) {
			const line = formatDiagnostic(diagnostic);
			expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
			expect(line.length).toBeLessThan(500);
		}
	});

	const names: readonly [what: string, text: string, stem: string, name: string | undefined][] = [
		["its own name, though its fields are no YAML", '---\nname: "auditor"\ntools: [\n---\nGo.', "x", "auditor"],
		["its own name, though the second fence is missing", "---\nname: auditor\nGo.", "x", "auditor"],
		["its own name, though another field is wrong", "---\nname: auditor\nmax_turns: 0\n---\nGo.", "x", "auditor"],
		["its file's name, though its own leaves the folder", "---\nname: ../auditor\n---\nGo.", "x", "x"],
		["no name, where neither is one", "---\nname: ../auditor\n---\nGo.", "../x", undefined],
	];
	it.each(names)("keeps %s", (_what, text, stem, name) => {
		const parsed = parse(text, stem);
		expect(parsed.profile).toBeUndefined();
		expect(parsed.name).toBe(name);
	});
});

describe("a profile file with a fault of no consequence", () => {
	const rows: readonly Row[] = [
		[
			"a key that is like no other",
			withFields("memory: project"),
			`3: memory: unknown key; there are: ${allKeys}. Ignored`,
		],
		[
			"a key of a prototype",
			withFields("__proto__: {tools: inherit}"),
			`3: __proto__: unknown key; there are: ${allKeys}. Ignored`,
		],
		[
			"another key of a prototype",
			withFields("constructor: x"),
			`3: constructor: unknown key; there are: ${allKeys}. Ignored`,
		],
		[
			"a misspelt key of no consequence",
			withFields("colour: red"),
			'3: colour: unknown key; did you mean "color"? Ignored',
		],
		[
			"a field that nothing acts on yet",
			withFields("color: teal"),
			"3: color: not in effect yet: this version reads it, and it changes nothing",
		],
		[
			"fields of another harness",
			withFields("hooks:", "  Stop: [{ command: rm }]"),
			`3: hooks: unknown key; there are: ${allKeys}. Ignored`,
		],
	];
	it.each(rows)("such as %s gives the profile, and says so", (_what, text, ...said) => {
		expect(parse(text).profile).toMatchObject({ name: "reviewer", systemPrompt: "Review it." });
		expect(sayings(text)).toEqual(said);
	});
});

describe("a settings file that is broken", () => {
	const whole = (text: string) => parseSettings(text, "orchestrator.json");
	const rows: readonly Row[] = [
		["an empty file", "", "not JSON (Unexpected end of JSON input); all of it is ignored"],
		["a list", "[1]", "the file must hold a JSON object; all of it is ignored"],
		["a comma too many", '{"maxTurns": 3,}', "not JSON"],
		["a comment", '{ /* few */ "maxTurns": 3 }', "not JSON"],
		["single quotes", "{'maxTurns': 3}", "not JSON"],
		["a key without quotes", "{maxTurns: 3}", "not JSON"],
		["YAML", "maxTurns: 3", "not JSON"],
		["half a file", '{"maxTurns": ', "not JSON"],
		["brackets without end", "[".repeat(100_000), "not JSON"],
		["a nested object", '{"limits": {"maxTurns": 3}}', "limits: unknown setting; there are:"],
		["a key of a prototype", '{"__proto__": {"maxTurns": 3}}', "__proto__: unknown setting; there are:"],
		["a misspelt key", '{"maxTurn": 3}', 'maxTurn: unknown setting; did you mean "maxTurns"? Ignored'],
		[
			"a number in quotes",
			'{"maxTurns": "3"}',
			'maxTurns: "3" is not allowed: it must be a whole number from 1 to 1000000, or null for none; ignored',
		],
		["a number without end", '{"maxTurns": 1e999}', "maxTurns: Infinity is not allowed"],
		["an object for a word", '{"join": {}}', 'join: {} is not allowed: it must be "group" or "each"; ignored'],
	];
	it.each(rows)("by %s leaves the defaults, and says why", (_what, text, said) => {
		const { settings, diagnostics } = whole(text);
		expect(mergeSettings(settings, {}).settings).toEqual(defaultSettings);
		expect(diagnostics).toHaveLength(1);
		expect(diagnostics.map(formatDiagnostic)[0]).toContain(`orchestrator.json: ${said}`);
	});
});
