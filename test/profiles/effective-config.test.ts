import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	builtInProfiles,
	builtInTools,
	type CallOverrides,
	type ConfigInput,
	defaultSettings,
	effectiveConfig,
	type OverridableField,
	orchestrationTools,
	type ParentFacts,
	type Profile,
	type Settings,
	thinkingLevels,
} from "../../src/profiles/index.ts";

const allLevels = thinkingLevels;
const parent: ParentFacts = {
	model: "acme/large",
	thinking: "medium",
	activeTools: ["read", "bash", "edit", "write", "grep", "find", "ls", "web_search", ...orchestrationTools],
	models: [
		{ id: "acme/large", thinkingLevels: allLevels },
		{ id: "acme/large-preview", thinkingLevels: allLevels },
		{ id: "acme/small", thinkingLevels: ["off"] },
		{ id: "Other/Small-2", thinkingLevels: ["low", "high"] },
	],
};

const custom: Profile = {
	name: "Reviewer",
	description: "Reviews.",
	systemPrompt: "Review.",
	tools: ["grep", "read", "web_search"],
	model: "acme/small",
	thinking: "off",
	maxTurns: 7,
	source: "project",
};

function given(change: {
	readonly call?: CallOverrides;
	readonly profiles?: readonly Profile[];
	readonly settings?: Partial<Settings>;
	readonly parent?: Partial<ParentFacts>;
}): ConfigInput {
	return {
		profiles: change.profiles ?? [custom, ...builtInProfiles],
		call: change.call ?? {},
		settings: { ...defaultSettings, ...change.settings },
		parent: { ...parent, ...change.parent },
	};
}

function configOf(change: Parameters<typeof given>[0]) {
	const result = effectiveConfig(given(change));
	if (!result.ok) throw new Error(result.problems.join("\n"));
	return result;
}

function problemsOf(change: Parameters<typeof given>[0]): readonly string[] {
	const result = effectiveConfig(given(change));
	return result.ok ? [] : result.problems;
}

describe("effectiveConfig", () => {
	it("gives a call that asks for nothing a general-purpose agent on the parent's model", () => {
		expect(effectiveConfig(given({}))).toEqual({
			ok: true,
			config: {
				subagentType: "general-purpose",
				systemPrompt: builtInProfiles[0]?.systemPrompt,
				projectContext: true,
				model: "acme/large",
				thinking: "medium",
				tools: ["read", "bash", "edit", "write", "grep", "find", "ls"],
				limits: { graceTurns: 3 },
				isolated: false,
			},
			background: false,
			notes: [],
			sources: {
				model: "parent",
				thinking: "parent",
				tools: "parent",
				isolated: "default",
				background: "settings",
			},
		});
	});

	it("lets the call beat the profile, the profile beat the settings, and both beat the parent", () => {
		const settings = { maxTurns: 20, graceTurns: 1 };
		const byProfile = configOf({ call: { subagentType: "reviewer" }, settings });
		expect(byProfile.config).toMatchObject({ model: "acme/small", thinking: "off" });
		expect(byProfile.config.limits).toEqual({ maxTurns: 7, graceTurns: 1 });
		expect(byProfile.sources).toMatchObject({ model: "profile", thinking: "profile", maxTurns: "profile" });

		const call = { subagentType: "reviewer", model: "acme/large", thinking: "max", maxTurns: 2, isolated: true };
		const byCall = configOf({ call, settings });
		expect(byCall.config).toMatchObject({ model: "acme/large", thinking: "max", isolated: true });
		expect(byCall.config.limits).toEqual({ maxTurns: 2, graceTurns: 1 });
		expect(byCall.sources).toMatchObject({ model: "call", thinking: "call", maxTurns: "call", isolated: "call" });

		const bySettings = configOf({ settings });
		expect(bySettings.config.limits).toEqual({ maxTurns: 20, graceTurns: 1 });
		expect(bySettings.sources).toMatchObject({ model: "parent", thinking: "parent", maxTurns: "settings" });
	});

	it("names everything that is wrong at once", () => {
		expect(problemsOf({ call: { model: "nothing", thinking: "huge", maxTurns: 0 } })).toEqual([
			'no model "nothing" is available; there are: acme/large, acme/small, Other/Small-2, acme/large-preview',
			'no thinking level "huge" (call); there are: off, minimal, low, medium, high, xhigh, max',
			"max turns must be a whole number from 1, not 0 (call)",
		]);
	});

	it.each([1.5, -1, Number.NaN])("refuses %d turns", (maxTurns) => {
		expect(problemsOf({ call: { maxTurns } })).toEqual([
			`max turns must be a whole number from 1, not ${maxTurns} (call)`,
		]);
	});
});

describe("the agent type", () => {
	it.each(["reviewer", "REVIEWER", " Reviewer "])("is found for %j, whatever the case", (subagentType) => {
		expect(configOf({ call: { subagentType } }).config.subagentType).toBe("Reviewer");
	});

	it("is the first of two with one name", () => {
		const own: Profile = { ...custom, name: "EXPLORE" };
		expect(configOf({ profiles: [own, ...builtInProfiles], call: { subagentType: "explore" } }).config).toMatchObject({
			subagentType: "EXPLORE",
			systemPrompt: "Review.",
		});
	});

	it("that is unknown is a problem that lists what there is, the closest first", () => {
		expect(problemsOf({ call: { subagentType: "plam" } })).toEqual([
			'no agent type "plam"; there are: plan, explore, Reviewer, general-purpose',
		]);
		expect(problemsOf({ call: { subagentType: "" } })).toHaveLength(1);
	});
});

describe("the model", () => {
	const found: readonly [asked: string, id: string][] = [
		["acme/large", "acme/large"],
		["ACME/Large", "acme/large"],
		["large", "acme/large"],
		["preview", "acme/large-preview"],
		["small-2", "Other/Small-2"],
		["OTHER", "Other/Small-2"],
		["acme/s", "acme/small"],
	];
	it.each(found)("%j is %s", (model, id) => {
		expect(configOf({ call: { model } }).config.model).toBe(id);
	});

	it("that a part could name in several ways is a problem with the candidates", () => {
		expect(problemsOf({ call: { model: "acme" } })).toEqual([
			'model "acme" fits several models: acme/large, acme/large-preview, acme/small',
		]);
	});

	it("that two providers have is a problem until the provider is named", () => {
		const models = [
			{ id: "a/m", thinkingLevels: ["off"] },
			{ id: "b/m", thinkingLevels: ["off"] },
		];
		expect(problemsOf({ call: { model: "m" }, parent: { models, model: "a/m" } })).toEqual([
			'model "m" fits several models: a/m, b/m',
		]);
		expect(configOf({ call: { model: "b/m" }, parent: { models, model: "a/m" } }).config.model).toBe("b/m");
	});

	it("may have a slash in its own name", () => {
		const models = [{ id: "router/acme/large", thinkingLevels: ["off"] }];
		expect(
			configOf({ call: { model: "acme/large" }, parent: { models, model: "router/acme/large" } }).config.model,
		).toBe("router/acme/large");
	});

	it("that is unknown is a problem with a bounded list of what there is", () => {
		const models = Array.from({ length: 300 }, (_, index) => ({ id: `acme/m${index}`, thinkingLevels: ["off"] }));
		const [problem] = problemsOf({ call: { model: "zzz" }, parent: { models, model: "acme/m0" } });
		expect(problem).toMatch(/^no model "zzz" is available; there are: .* and 288 more$/);
		expect(problem?.length).toBeLessThan(250);
	});

	it("must be named while the session has none", () => {
		expect(problemsOf({ parent: { model: undefined, models: parent.models.slice(0, 1) } })).toEqual([
			'this session has no model, so one must be named with "model"; there are: acme/large',
		]);
		expect(problemsOf({ parent: { model: undefined, models: [] } })).toEqual([
			'this session has no model, so one must be named with "model"; there are: none',
		]);
		expect(configOf({ call: { model: "preview" }, parent: { model: undefined } }).config.model).toBe(
			"acme/large-preview",
		);
	});

	it("of a profile that cannot be had is a problem, not another model", () => {
		const profiles = [{ ...custom, model: "gone/model" }];
		expect(problemsOf({ profiles, call: { subagentType: "reviewer" } })[0]).toMatch(/^no model "gone\/model"/);
	});

	it("that is out of the session's scope is a problem that says so, unless it is the parent's own", () => {
		const limited = { modelsOutOfScope: ["acme/huge", "acme/large-preview"], models: parent.models.slice(0, 1) };
		expect(problemsOf({ call: { model: "huge" }, parent: limited })).toEqual([
			'model "huge" is out of this session\'s scope of models (enabledModels or --models); there are: acme/large',
		]);
		expect(problemsOf({ call: { model: "zzz" }, parent: limited })).toEqual([
			'no model "zzz" is available; there are: acme/large',
		]);
		// A part that names one model of the scope is not ambiguous for one that is out of it.
		expect(configOf({ call: { model: "larg" }, parent: limited }).config.model).toBe("acme/large");
	});

	it("of the parent can be had though the host does not list it", () => {
		const unlisted = { model: "virtual/best", thinking: "high" };
		expect(configOf({ parent: unlisted }).config).toMatchObject({ model: "virtual/best", thinking: "high" });
		expect(configOf({ parent: unlisted, call: { model: "virtual" } }).config.model).toBe("virtual/best");
	});

	it("is named in a problem without control characters and without end", () => {
		const [problem] = problemsOf({ call: { model: "\u001b[2J\n".repeat(100) } });
		expect(problem).not.toMatch(/\p{Cc}/u);
		expect(problem?.length).toBeLessThan(300);
	});
});

describe("thinking", () => {
	const clamped: readonly [asked: string, model: string, given: string][] = [
		["high", "acme/small", "off"],
		["off", "Other/Small-2", "low"],
		["medium", "Other/Small-2", "high"],
		["max", "Other/Small-2", "high"],
	];
	it.each(clamped)("%s on %s becomes %s, and a note says so", (thinking, model, level) => {
		const { config, notes } = configOf({ call: { thinking, model } });
		expect(config.thinking).toBe(level);
		expect(notes).toEqual([`thinking: ${level}, because ${model} does not have "${thinking}"`]);
	});

	it("that the model has is given without a note", () => {
		expect(configOf({ call: { thinking: "xhigh" } })).toMatchObject({ config: { thinking: "xhigh" }, notes: [] });
	});

	it("of the parent may be a level that is not known here", () => {
		const models = [{ id: "acme/large", thinkingLevels: ["off", "ultra"] }];
		expect(configOf({ parent: { thinking: "ultra", models } }).config.thinking).toBe("ultra");
	});
});

describe("the tools", () => {
	it("of a profile are those the parent has active, in the profile's order, and the rest is said", () => {
		const profiles = [{ ...custom, tools: ["grep", "powershell", "read", "lsp", "grep", "Agent"] }];
		const { config, notes } = configOf({ profiles, call: { subagentType: "reviewer" } });
		expect(config.tools).toEqual(["grep", "read"]);
		expect(notes).toEqual([
			"tools not given: powershell, lsp (not active in this session)",
			"tools not given: Agent (only an agent whose profile has subagents starts agents)",
		]);
	});

	it("of an extension are given where a profile names them, and not to an isolated agent", () => {
		const call = { subagentType: "reviewer" };
		expect(configOf({ call }).config.tools).toEqual(["grep", "read", "web_search"]);
		const isolated = configOf({ call: { ...call, isolated: true } });
		expect(isolated.config.tools).toEqual(["grep", "read"]);
		expect(isolated.notes).toEqual(["tools not given: web_search (an isolated agent has built-in tools only)"]);
	});

	it("inherited are the parent's active built-in ones, in the parent's order", () => {
		const activeTools = ["mcp_x", "write", "Agent", "powershell", "read"];
		expect(configOf({ parent: { activeTools } }).config.tools).toEqual(["write", "powershell", "read"]);
	});

	it("are found in any case of letters, as other harnesses write them", () => {
		const profiles = [{ ...custom, tools: ["Read", "GREP", "read", "agent"] }];
		const { config, notes } = configOf({ profiles, call: { subagentType: "reviewer" } });
		expect(config.tools).toEqual(["read", "grep"]);
		expect(notes).toEqual(["tools not given: Agent (only an agent whose profile has subagents starts agents)"]);
	});

	it("that the profile disallows are not given, in any case of letters, and said only where they were asked for", () => {
		const inherits: Profile = { ...custom, tools: "inherit", disallowedTools: ["Bash", "WRITE", "edit"] };
		const call = { subagentType: "reviewer" };
		expect(configOf({ profiles: [inherits], call })).toMatchObject({
			config: { tools: ["read", "grep", "find", "ls"] },
			notes: [],
		});
		const names: Profile = { ...custom, tools: ["read", "bash"], disallowedTools: ["BASH"] };
		expect(configOf({ profiles: [names], call })).toMatchObject({
			config: { tools: ["read"] },
			notes: ["tools not given: bash (the profile has it in disallowed_tools)"],
		});
	});

	it.each([
		["none", "the profile has extensions: none"],
		[["web"], "the profile's extensions do not have it"],
	] as const)("of extensions are not given with extensions: %j", (extensions, reason) => {
		const profiles = [{ ...custom, extensions }];
		const { config, notes } = configOf({ profiles, call: { subagentType: "reviewer" } });
		expect(config.tools).toEqual(["grep", "read"]);
		expect(notes).toEqual([`tools not given: web_search (${reason})`]);
	});

	it("of which a profile can have none stop the spawn, and a profile that wants none is content", () => {
		const call = { subagentType: "reviewer" };
		expect(problemsOf({ profiles: [{ ...custom, tools: ["lsp", "Agent"] }], call })).toEqual([
			'agent type "Reviewer" can have none of its tools: tools not given: lsp (not active in this session); tools not given: Agent (only an agent whose profile has subagents starts agents)',
		]);
		expect(configOf({ profiles: [{ ...custom, tools: [] }], call })).toMatchObject({
			config: { tools: [] },
			notes: [],
		});
	});

	const webTools = [
		{ name: "web_search", extensions: ["web", "@acme/web"] },
		{ name: "Fetch", extensions: ["web", "@acme/web"] },
		{ name: "mcp__docs__search", extensions: ["docs", "mcp"] },
		{ name: "off", extensions: ["other"] },
		{ name: "script", extensions: ["codemode"], reaches: true as const },
	];
	const withWeb = {
		activeTools: ["read", "web_search", "Fetch", "mcp__docs__search", "script"],
		extensionTools: () => webTools,
	};
	const call = { subagentType: "reviewer" };
	const toolsOf = (more: Partial<Profile>, overrides: CallOverrides = {}) => {
		const input = given({ profiles: [{ ...custom, ...more }], call: { ...call, ...overrides }, parent: withWeb });
		const result = effectiveConfig(input);
		return result.ok ? [...result.config.tools, ...result.notes] : result.problems;
	};

	it.each<[wanted: string, ...given: string[]]>([
		["ext:web/web_search", "web_search"],
		["ext:@acme/web/web_search", "web_search"],
		["EXT:Web/fetch", "Fetch"],
		["ext:web/*", "web_search", "Fetch"],
		["ext:docs/search", "mcp__docs__search"],
		["ext:docs/mcp__docs__search", "mcp__docs__search"],
		["ext:mcp/*", "mcp__docs__search"],
		["ext:other/off", "tools not given: off (not active in this session)"],
		["ext:codemode/script", "tools not given: script (it calls other tools, which the agent might not have)"],
		["script", "tools not given: script (it calls other tools, which the agent might not have)"],
		["ext:other/*", "tools not given: ext:other/* (not active in this session)"],
	])("of an extension are found by its name: %s", (wanted, ...names) => {
		expect(toolsOf({ tools: ["read", wanted] })).toEqual(["read", ...names]);
	});

	it("that are named by an extension which has none such stop the spawn, with what there is", () => {
		expect(toolsOf({ tools: ["read", "ext:wep/x", "ext:web/serch"] })).toEqual([
			'agent type "Reviewer": no extension "wep" has tools in this session; there are: web, mcp, docs, other, @acme/web, codemode',
			'agent type "Reviewer": the extension "web" has no tool "serch" in this session; it has: Fetch, web_search',
		]);
		expect(problemsOf({ profiles: [{ ...custom, tools: ["ext:web/x"] }], call })).toEqual([
			'agent type "Reviewer": no extension "web" has tools in this session; there are: none',
		]);
	});

	it("are denied in the same words, last, and what denies nothing is no matter", () => {
		const tools = ["read", "ext:web/*", "ext:docs/search"];
		const reason = "the profile has it in disallowed_tools";
		expect(toolsOf({ tools, disallowedTools: ["ext:WEB/*", "ext:nowhere/*"] })).toEqual([
			"read",
			"mcp__docs__search",
			`tools not given: web_search, Fetch (${reason})`,
		]);
		expect(toolsOf({ tools: ["ext:web/*"], disallowedTools: ["ext:web/fetch"] })).toEqual([
			"web_search",
			`tools not given: Fetch (${reason})`,
		]);
	});

	it("of extensions are none for an isolated agent, and of a list of extensions those of it", () => {
		const tools = ["read", "ext:web/*", "ext:docs/search"];
		expect(toolsOf({ tools }, { isolated: true })).toEqual([
			"read",
			"tools not given: web_search, Fetch, mcp__docs__search (an isolated agent has built-in tools only)",
		]);
		expect(toolsOf({ tools, extensions: ["DOCS"] })).toEqual([
			"read",
			"mcp__docs__search",
			"tools not given: web_search, Fetch (the profile's extensions do not have it)",
		]);
	});

	const references = ["ext:web/*", "ext:web/web_search", "ext:docs/search", "ext:nowhere/*", "ext:web/none"];
	const known = fc.constantFrom(...builtInTools, ...orchestrationTools, ...webTools.map(({ name }) => name), "mcp_x");
	const names = fc.oneof(known, fc.constantFrom(...references), fc.string());
	const toolLists = fc.array(names, { maxLength: 12 });
	// No tool of a session has a name that is a reference.
	const activeLists = toolLists.map((list) => list.filter((name) => !name.startsWith("ext:")));
	const extensionLists = fc.constantFrom("inherit" as const, "none" as const, ["web"]);
	const toolProfiles = (
		wanted: fc.Arbitrary<readonly string[] | "inherit">,
		denied = toolLists,
	): fc.Arbitrary<Profile> =>
		fc
			.record({ tools: wanted, disallowedTools: denied, extensions: extensionLists, isolated: fc.boolean() })
			.map((fields) => ({ ...custom, ...fields }));
	const isolating = fc.option(fc.boolean(), { nil: undefined });

	function resultOf(profile: Profile, activeTools: readonly string[], isolated: boolean | undefined) {
		const call = { subagentType: "reviewer", ...(isolated === undefined ? {} : { isolated }) };
		const extensionTools = () => webTools;
		return effectiveConfig(given({ profiles: [profile], call, parent: { activeTools, extensionTools } }));
	}

	it("are never more than the parent's active ones, never ours, never a disallowed one, and never twice", () => {
		const wanted = fc.oneof(toolLists, fc.constant("inherit" as const));
		fc.assert(
			fc.property(toolProfiles(wanted), activeLists, isolating, (profile, activeTools, isolated) => {
				const result = resultOf(profile, activeTools, isolated);
				const tools = result.ok ? result.config.tools : [];
				expect(tools.filter((tool) => !activeTools.includes(tool))).toEqual([]);
				expect(tools.filter((tool) => orchestrationTools.includes(tool))).toEqual([]);
				expect(tools.filter((tool) => profile.disallowedTools?.includes(tool))).toEqual([]);
				expect(tools).not.toContain("script");
				expect(new Set(tools).size).toBe(tools.length);
				if (profile.disallowedTools?.includes("ext:web/*")) {
					expect(tools.filter((tool) => tool === "web_search" || tool === "Fetch")).toEqual([]);
				}
				if (Array.isArray(profile.extensions)) expect(tools.filter((tool) => tool.startsWith("mcp"))).toEqual([]);
				const builtInOnly = (isolated ?? profile.isolated) || profile.extensions === "none";
				if (builtInOnly) expect(tools.filter((tool) => !builtInTools.includes(tool))).toEqual([]);
			}),
		);
	});

	it("that are wanted are each given or named as not given", () => {
		const lists = fc.array(known);
		fc.assert(
			fc.property(toolProfiles(lists, lists), lists, isolating, (profile, activeTools, isolated) => {
				const result = resultOf(profile, activeTools, isolated);
				const words = result.ok ? result.notes : result.problems.flatMap((problem) => problem.split(/; |: (?=tools)/));
				const said = words.flatMap((note) => /^tools not given: (.*) \(/.exec(note)?.[1]?.split(", ") ?? []);
				const tools = result.ok ? result.config.tools : [];
				expect([...tools, ...said].sort()).toEqual([...new Set(profile.tools)].sort());
			}),
		);
	});

	it("of the read-only profiles can neither write nor run anything, whatever the parent has", () => {
		fc.assert(
			fc.property(fc.constantFrom("explore", "plan"), toolLists, (subagentType, activeTools) => {
				const result = effectiveConfig(given({ call: { subagentType }, parent: { activeTools } }));
				const tools = result.ok ? result.config.tools : [];
				expect(tools.filter((tool) => !["read", "grep", "find", "ls"].includes(tool))).toEqual([]);
			}),
		);
	});
});

describe("a profile", () => {
	const call = { subagentType: "reviewer" };
	const read: Profile = { ...custom, file: ".pi/agents/reviewer.md" };

	it("decides whether its agents are in the background and isolated, unless the call does", () => {
		const profiles = [{ ...custom, runInBackground: true, isolated: true }];
		expect(configOf({ profiles, call })).toMatchObject({
			background: true,
			config: { isolated: true },
			sources: { background: "profile", isolated: "profile", tools: "profile" },
		});
		expect(configOf({ profiles, call: { ...call, runInBackground: false, isolated: false } })).toMatchObject({
			background: false,
			config: { isolated: false },
			sources: { background: "call", isolated: "call" },
		});
		expect(configOf({ call, settings: { backgroundByDefault: true } })).toMatchObject({
			background: true,
			sources: { background: "settings", isolated: "default" },
		});
	});

	it.each([
		["inherit" as const, undefined],
		["none" as const, []],
		[["knit"], ["knit"]],
	])("with skills: %j gives its agents the skills %j", (skills, given) => {
		expect(configOf({ profiles: [{ ...custom, skills }], call }).config.skills).toEqual(given);
	});

	const overrides: readonly [OverridableField, CallOverrides][] = [
		["model", { model: "acme/large" }],
		["thinking", { thinking: "high" }],
		["max_turns", { maxTurns: 8 }],
		["isolated", { isolated: true }],
		["run_in_background", { runInBackground: false }],
	];
	it.each(overrides)("that locks %s refuses a call that sets it, naming itself and the field", (field, override) => {
		const profiles = [{ ...read, lock: [field] }];
		expect(problemsOf({ profiles, call: { ...call, ...override } })).toEqual([
			`agent type "Reviewer" locks ${field} in .pi/agents/reviewer.md: leave it out of the call`,
		]);
		expect(problemsOf({ profiles, call })).toEqual([]);
		expect(problemsOf({ profiles: [read], call: { ...call, ...override } })).toEqual([]);
	});

	it("that locks a field takes a call that says what it says itself", () => {
		const profiles = [{ ...read, lock: ["model", "max_turns"] as const }];
		expect(configOf({ profiles, call: { ...call, model: "acme/small", maxTurns: 7 } }).config.model).toBe("acme/small");
	});

	it("that is switched off keeps its name, and is not among what there is", () => {
		const profiles: readonly Profile[] = [{ ...read, name: "explore", enabled: false }, ...builtInProfiles];
		expect(problemsOf({ profiles, call: { subagentType: "Explore" } })).toEqual([
			'agent type "explore" is switched off (enabled: false in .pi/agents/reviewer.md)',
		]);
		expect(problemsOf({ profiles, call: { subagentType: "explorer" } })).toEqual([
			'no agent type "explorer"; there are: plan, general-purpose',
		]);
	});

	it("whose file is broken keeps its name, so that nothing looser runs under it", () => {
		const profiles: readonly Profile[] = [{ ...read, name: "plan", broken: "plan.md:3: no" }, ...builtInProfiles];
		expect(problemsOf({ profiles, call: { subagentType: "plan" } })).toEqual([
			'agent type "plan" cannot be used until its file is repaired: plan.md:3: no',
		]);
	});

	it("brings its limits, which beat those of the settings; the others are theirs", () => {
		const limited: Profile = { ...read, maxTurns: 8, maxTools: 3, timeout: 60 };
		const settings = { maxTools: 9, maxTokens: 5000, runTimeout: 90, idleTimeout: 20 };
		const { config, sources } = configOf({ profiles: [limited], call, settings });
		expect(config.limits).toEqual({
			maxTurns: 8,
			graceTurns: 3,
			maxTools: 3,
			maxTokens: 5000,
			runTimeout: 60,
			idleTimeout: 20,
		});
		expect(sources).toMatchObject({
			maxTools: "profile",
			maxTokens: "settings",
			runTimeout: "profile",
			idleTimeout: "settings",
		});
	});

	it("puts its agents into worktrees, unless the project is not trusted", () => {
		const profiles = [{ ...read, isolation: "worktree" as const }];
		const given = configOf({ profiles, call });
		expect([given.config.isolation, given.sources.isolation]).toEqual(["worktree", "profile"]);
		expect(problemsOf({ profiles, call, parent: { projectTrusted: false } })).toEqual([
			"isolation: worktree (profile) needs a trusted project; the user can trust it for the next session, with /trust",
		]);
		const byCall = configOf({ call: { ...call, isolation: "worktree" }, profiles: [read] });
		expect([byCall.config.isolation, byCall.sources.isolation]).toEqual(["worktree", "call"]);
		expect(configOf({ profiles: [read], call }).config).not.toHaveProperty("isolation");
		const locked = [{ ...read, file: "reviewer.md", lock: ["isolation" as const] }];
		expect(problemsOf({ profiles: locked, call: { ...call, isolation: "worktree" } })).toEqual([
			'agent type "Reviewer" locks isolation in reviewer.md: leave it out of the call',
		]);
	});

	it("that sets what would only give its agents more than they get now can be used", () => {
		const more: Partial<Profile> = {
			subagents: ["plan"],
			partitions: ["a"],
			inheritContext: true,
			promptMode: "append",
		};
		const parent = { systemPrompt: () => "You are the session.", conversation: () => [] };
		expect(problemsOf({ profiles: [{ ...read, ...more }], call, parent })).toEqual([]);
	});

	it("starts its agents from the session's conversation where it, or the call, says so", () => {
		const entries = [{ type: "message" }];
		const parent = { conversation: () => entries };
		const own = { ...read, inheritContext: true };
		const byProfile = configOf({ profiles: [own], call, parent });
		expect(byProfile.config.inherited).toBe(entries);
		expect(byProfile.config.inheritContext).toBe(true);
		expect(byProfile.sources.inheritContext).toBe("profile");
		const byCall = configOf({ profiles: [read], call: { ...call, inheritContext: true }, parent });
		expect(byCall.config.inherited).toBe(entries);
		expect(byCall.sources.inheritContext).toBe("call");
		const not = configOf({ profiles: [own], call: { ...call, inheritContext: false }, parent });
		expect(not.config).not.toHaveProperty("inherited");
		expect(not.config).not.toHaveProperty("inheritContext");
		expect(not.sources).not.toHaveProperty("inheritContext");
		expect(problemsOf({ profiles: [own], call })).toEqual([
			"inherit_context: this session's conversation is not known",
		]);
		const locked = { ...read, lock: ["inherit_context" as const] };
		expect(problemsOf({ profiles: [locked], call: { ...call, inheritContext: true }, parent })).toEqual([
			'agent type "Reviewer" locks inherit_context in .pi/agents/reviewer.md: leave it out of the call',
		]);
	});

	it("puts its prompt after the session's where it says so, and only then", () => {
		const parent = { systemPrompt: () => "You are the session." };
		const after = configOf({ profiles: [{ ...read, promptMode: "append" }], call, parent }).config;
		expect(after).toMatchObject({ systemPrompt: "Review.", parentPrompt: "You are the session." });
		for (const profile of [read, { ...read, promptMode: "replace" as const }]) {
			const { config } = configOf({ profiles: [profile], call, parent });
			expect(config.systemPrompt).toBe("Review.");
			expect(config).not.toHaveProperty("parentPrompt");
			expect(config).not.toHaveProperty("projectContext");
		}
		expect(problemsOf({ profiles: [{ ...read, promptMode: "append" }], call })).toEqual([
			'agent type "Reviewer" has prompt_mode: append, and this session\'s prompt is not known',
		]);
	});
});

describe("the built-in profiles", () => {
	it("are three, and cost the model at most 250 characters", () => {
		expect(builtInProfiles.map((profile) => profile.name)).toEqual(["general-purpose", "explore", "plan"]);
		const described = builtInProfiles.map((profile) => `${profile.name}: ${profile.description}`).join("\n");
		expect(described).not.toMatch(/[\r\t]/);
		expect(described.length).toBeLessThanOrEqual(250);
	});

	it("name no tool in their prompts, since what an agent gets depends on its parent", () => {
		for (const { systemPrompt } of builtInProfiles) {
			expect(systemPrompt).not.toMatch(/\b(bash|powershell|grep|find tool|ls)\b|`/);
			expect(systemPrompt.length).toBeLessThan(600);
		}
	});
});
