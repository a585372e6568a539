import { describe, expect, it } from "vitest";
import {
	builtInProfiles,
	defaultSettings,
	delegationProblems,
	effectiveConfig,
	orchestrationTools,
	type ParentFacts,
	type Profile,
	profilesOf,
	type Settings,
} from "../../src/profiles/index.ts";

const lead: Profile = {
	name: "lead",
	description: "Leads.",
	systemPrompt: "Lead.",
	tools: ["read", "Agent"],
	subagents: ["worker"],
	source: "user",
};

const session: ParentFacts = {
	model: "acme/large",
	thinking: "off",
	activeTools: ["read", "bash", ...orchestrationTools],
	models: [{ id: "acme/large", thinkingLevels: ["off"] }],
};

interface Change {
	readonly profile?: Partial<Profile>;
	readonly settings?: Partial<Settings>;
	readonly parent?: Partial<ParentFacts>;
	readonly isolated?: boolean;
}

function configure({ profile, settings, parent, isolated }: Change = {}) {
	return effectiveConfig({
		profiles: [{ ...lead, ...profile }, ...builtInProfiles],
		call: { subagentType: "lead", ...(isolated === undefined ? {} : { isolated }) },
		settings: { ...defaultSettings, ...settings },
		parent: { ...session, ...parent },
	});
}

function given(change: Change = {}) {
	const result = configure(change);
	if (!result.ok) throw new Error(result.problems.join("\n"));
	const { tools, subagents, partitions } = result.config;
	return { tools, subagents, partitions, notes: result.notes };
}

describe("a profile with subagents", () => {
	it("gives its agents the three tools beside their own, whether or not it lists them", () => {
		const whole = { tools: ["read", ...orchestrationTools], subagents: ["worker"], partitions: undefined, notes: [] };
		expect(given()).toEqual(whole);
		expect(given({ profile: { tools: ["read"] } })).toEqual(whole);
		expect(given({ profile: { tools: "inherit" } }).tools).toEqual(["read", "bash", ...orchestrationTools]);
	});

	it("gives none of them that its parent does not have or that it denies itself", () => {
		const activeTools = ["read", "Agent", "get_subagent_result"];
		expect(given({ parent: { activeTools } }).tools).toEqual(activeTools);
		expect(given({ profile: { disallowedTools: ["STEER_subagent"] } }).tools).toEqual(activeTools);
	});

	it.each<[string, Change, string]>([
		["at the last level", { settings: { maxDepth: 1 } }, "it is at the last of the levels of agents, maxDepth 1"],
		[
			"at the last level below an agent",
			{ parent: { depth: 1 } },
			"it is at the last of the levels of agents, maxDepth 2",
		],
		["isolated by the call", { isolated: true }, "an isolated agent has built-in tools only"],
		[
			"without Agent",
			{ profile: { disallowedTools: ["agent"] } },
			"the tool Agent is not active here, or denied to it",
		],
		["below one without", { parent: { activeTools: ["read"] } }, "the tool Agent is not active here, or denied to it"],
	])("gives none of them %s, and says why (seed 000 §14.1)", (_where, change, why) => {
		expect(given(change)).toEqual({
			tools: ["read"],
			subagents: undefined,
			partitions: undefined,
			notes: [`it starts no agents: worker (${why})`],
		});
	});

	it("gives them at every level above the last", () => {
		expect(given({ parent: { depth: 1 }, settings: { maxDepth: 3 } }).subagents).toEqual(["worker"]);
	});
});

describe("an agent without subagents in its profile", () => {
	it("has none of the three tools, whatever it lists", () => {
		const { subagents: _, ...profile } = lead;
		const result = effectiveConfig({
			profiles: [profile],
			call: { subagentType: "lead" },
			settings: defaultSettings,
			parent: session,
		});
		expect(result).toMatchObject({
			ok: true,
			config: { tools: ["read"] },
			notes: ["tools not given: Agent (only an agent whose profile has subagents starts agents)"],
		});
		expect(given({ profile: { subagents: [] } }).tools).toEqual(["read"]);
	});
});

describe("a worktree below a worktree", () => {
	it("is refused: the agent works in the one that there is", () => {
		const worktree = { isolation: "worktree" } as const;
		expect(configure({ profile: worktree, parent: worktree })).toEqual({
			ok: false,
			problems: [
				"isolation: worktree (profile) cannot be had inside of a worktree: leave it out, and the agent works in the same one",
			],
		});
		expect(configure({ parent: worktree }).ok).toBe(true);
	});
});

describe("the profiles that an agent sees", () => {
	const named = (name: string, ...partitions: string[]): Profile => ({
		...lead,
		name,
		...(partitions.length === 0 ? {} : { partitions }),
	});
	const all = [named("Open"), named("docs", "a"), named("both", "a", "b"), named("code", "b"), named("other")];
	const seen = (partitions: readonly string[], subagents = ["open", "DOCS", "both", "code", "nobody"]) =>
		profilesOf(all, { subagents, partitions }).map(({ name }) => name);

	it("are those among its subagents that share a partition with it, or name none", () => {
		expect(seen(["a"])).toEqual(["Open", "docs", "both"]);
		expect(seen(["b"])).toEqual(["Open", "both", "code"]);
		expect(seen(["c"])).toEqual(["Open"]);
		expect(seen([])).toEqual(["Open"]);
		expect(seen(["A"])).toEqual(["Open"]);
	});

	it("are none where it has no subagents, and none that cannot be started", () => {
		expect(seen(["a"], [])).toEqual([]);
		expect(profilesOf([{ ...named("open"), enabled: false }, named("OPEN")], { subagents: ["open"] })).toEqual([]);
		expect(profilesOf([{ ...named("open"), broken: "no" }], { subagents: ["open"] })).toEqual([]);
	});

	it("are told to the person where a name among its subagents can never be one of them", () => {
		const profile = (name: string, more: Partial<Profile>): Profile => ({ ...lead, name, subagents: [], ...more });
		const docs = profile("docs", { partitions: ["text", "web"] });
		const chief = profile("chief", {
			subagents: ["DOCS", "explore", "nobody"],
			partitions: ["text"],
			file: "chief.md",
		});
		const coder = profile("coder", { subagents: ["docs", "coder", "off", "broken"] });
		const off = [profile("Off", { enabled: false }), profile("off", {})];
		const broken = profile("broken", { broken: "no", file: "broken.md" });
		expect(delegationProblems([docs, chief, coder, ...off, broken, ...builtInProfiles])).toEqual([
			{ file: "chief.md", key: "subagents", message: 'there is no agent type "nobody"; it starts none' },
			{
				file: "coder",
				key: "subagents",
				message: '"docs" is in the partitions text, web, and this profile in none of them; it starts none',
			},
			{ file: "coder", key: "subagents", message: '"off" is switched off; it starts none' },
			{
				file: "coder",
				key: "subagents",
				message: '"broken" cannot be used until its file is repaired; it starts none',
			},
		]);
	});

	it("know of its partitions, whether or not it may delegate", () => {
		expect(given({ profile: { partitions: ["a"] } }).partitions).toEqual(["a"]);
		expect(given({ profile: { partitions: ["a"], subagents: [] } }).partitions).toEqual(["a"]);
	});
});
