import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Profile, parseProfile, profileFields } from "../../src/profiles/index.ts";
import { file, parse, withFields } from "./profile-fixture.ts";

const plain: Profile = {
	name: "reviewer",
	description: "Reviews.",
	systemPrompt: "Review it.",
	tools: "inherit",
	file,
	source: "project",
};

describe("parseProfile", () => {
	it("takes the file's name, the description and the prompt, and everything else from the session", () => {
		expect(parse(withFields())).toEqual({ name: "reviewer", profile: plain, diagnostics: [] });
	});

	const fields: readonly [line: string, read: Partial<Profile>][] = [
		["name: Code-Reviewer.v2", { name: "Code-Reviewer.v2" }],
		["tools: [read, grep, read]", { tools: ["read", "grep"] }],
		["tools: Read, Grep ,mcp__docs__search", { tools: ["Read", "Grep", "mcp__docs__search"] }],
		["tools: read", { tools: ["read"] }],
		["tools: inherit", {}],
		["tools: none", { tools: [] }],
		["tools: []", { tools: [] }],
		["disallowed_tools: [bash, write]", { disallowedTools: ["bash", "write"] }],
		["disallowed_tools: none", { disallowedTools: [] }],
		["extensions: none", { extensions: "none" }],
		["extensions: inherit", { extensions: "inherit" }],
		["skills: none", { skills: "none" }],
		["skills: [knit, sew]", { skills: ["knit", "sew"] }],
		["model: acme/large", { model: "acme/large" }],
		["model: inherit", {}],
		["thinking: off", { thinking: "off" }],
		["thinking: inherit", {}],
		["max_turns: 12", { maxTurns: 12 }],
		["max_turns: none", {}],
		["max_turns: null", {}],
		["prompt_mode: replace", { promptMode: "replace" }],
		["prompt_mode: append", { promptMode: "append" }],
		["extensions: [web]", { extensions: ["web"] }],
		["tools: [read, 'ext:@acme/web/search', 'ext:web/*']", { tools: ["read", "ext:@acme/web/search", "ext:web/*"] }],
		["disallowed_tools: ext:web/*", { disallowedTools: ["ext:web/*"] }],
		["inherit_context: false", { inheritContext: false }],
		["inherit_context: true", { inheritContext: true }],
		["run_in_background: true", { runInBackground: true }],
		["isolated: true", { isolated: true }],
		["isolation: none", {}],
		["isolation: worktree", { isolation: "worktree" }],
		["subagents: none", { subagents: [] }],
		["partitions: []", { partitions: [] }],
		["lock: [model, max_turns]", { lock: ["model", "max_turns"] }],
		["max_tools: 40", { maxTools: 40 }],
		["max_tokens: 100000", { maxTokens: 100_000 }],
		["timeout: 0.5", { timeout: 0.5 }],
		["lock: model", { lock: ["model"] }],
		["subagents: [explore]", { subagents: ["explore"] }],
		["partitions: docs", { partitions: ["docs"] }],
		["enabled: false", { enabled: false }],
	];
	it.each(fields)("reads %j, and says nothing of it", (line, read) => {
		expect(parse(withFields(line))).toMatchObject({ profile: { ...plain, ...read }, diagnostics: [] });
	});

	const notYet: readonly [line: string, key: string, read: Partial<Profile>][] = [
		["color: teal", "color", { color: "teal" }],
		["color: '#00aaff'", "color", { color: "#00aaff" }],
	];
	it.each(notYet)("reads %j, and says that it is not in effect yet", (line, key, read) => {
		const { profile, diagnostics } = parse(withFields(line));
		expect(profile).toEqual({ ...plain, ...read });
		expect(diagnostics).toMatchObject([{ file, line: 3, key, message: expect.stringMatching(/^not in effect yet: /) }]);
	});

	it.each([
		["a byte order mark", "\uFEFF---\ndescription: Reviews.\n---\nReview it."],
		["the line ends of Windows", "---\r\ndescription: Reviews.\r\n---\r\n\r\nReview it.\r\n"],
		["the line ends of old Macs", "---\rdescription: Reviews.\r---\rReview it."],
		["space behind the fences", "--- \ndescription: Reviews.\n---\t\nReview it."],
		["a comment", "---\n# who\ndescription: Reviews. # what\n---\nReview it."],
		["quotes", "---\n\"description\": 'Reviews.'\n---\nReview it."],
	])("is not put off by %s", (_what, text) => {
		expect(parse(text)).toMatchObject({ profile: plain, diagnostics: [] });
	});

	it("keeps a prompt as it stands, further fences and fields in it included", () => {
		const prompt = "One.\n\n---\ntools: [bash]\n---\n\n  - two\n";
		const { profile } = parse(`---\ndescription: Reviews.\n---\n${prompt}`);
		expect(profile).toEqual({ ...plain, systemPrompt: prompt.trim() });
	});

	it("needs no prompt of its own where it comes after the session's", () => {
		const { profile } = parse("---\ndescription: x\nprompt_mode: append\n---\n");
		expect(profile).toMatchObject({ systemPrompt: "", promptMode: "append" });
	});

	it("never throws, and says why whenever there is no profile", () => {
		const line = fc.tuple(fc.constantFrom(...profileFields.map(({ key }) => key)), fc.oneof(fc.string(), fc.json()));
		const lines = fc.array(
			line.map(([key, value]) => `${key}: ${value}`),
			{ maxLength: 5 },
		);
		const text = fc.oneof(
			fc.string(),
			lines.map((some) => withFields(...some)),
		);
		fc.assert(
			fc.property(text, (given) => {
				const { profile, diagnostics } = parse(given);
				expect(profile !== undefined || diagnostics.length > 0).toBe(true);
				for (const { line = 0 } of diagnostics) expect(line).toBeGreaterThan(0);
			}),
		);
	});
});

it("the parser is handed in, and one that fails is a diagnostic", () => {
	const failing = {
		LineCounter: class {},
		parseDocument: () => {
			throw new RangeError("Maximum call stack size exceeded");
		},
	};
	const parsed = parseProfile(failing as unknown as Parameters<typeof parseProfile>[0], withFields(), {
		file,
		stem: "reviewer",
		source: "user",
	});
	expect(parsed.diagnostics).toEqual([{ file, line: 2, message: "not YAML (nested too deeply)" }]);
});
