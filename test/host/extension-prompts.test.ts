import { describe, expect, it } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, systemText, toolNames } from "../support/chat-request.ts";
import { agentCall, answering, newUserTexts } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const profile = (prompt: string, ...fields: readonly string[]) =>
	["---", "description: x", ...fields, "---", prompt].join("\n");

const skill = (name: string) => `---\nname: ${name}\ndescription: how to ${name}\n---\nTake wool.`;

const projectFiles = {
	"AGENTS.md": "Use tabs in this project.",
	".pi/APPEND_SYSTEM.md": "Never swear.",
	".pi/skills/knit/SKILL.md": skill("knit"),
	".pi/skills/weave/SKILL.md": skill("weave"),
	".pi/agents/after.md": profile("You come after.", "prompt_mode: append", "tools: [read, bash]"),
	".pi/agents/bare.md": profile("", "prompt_mode: append", "tools: none", "skills: none"),
	".pi/agents/skilled.md": profile("You knit.", "prompt_mode: append", "skills: [knit]"),
	".pi/agents/outer.md": profile("You delegate.", "subagents: [after]", "tools: [read, bash]"),
	".pi/agents/alone.md": profile("You stand alone.", "tools: [read]", "skills: none"),
};

const onPrompt = (result: string) => `export default (pi) => pi.on("before_agent_start", (event) => (${result}));`;

const call = (type: string) => agentCall(type, { subagent_type: type });

const begin = shareDelegation({ projectFiles, trust: true, session: false });

/** A session that starts an agent of each type in one message; the system prompts, by type. */
async function promptsOf(types: readonly string[], files: Readonly<Record<string, string>> = {}) {
	const { server, pi, rpc } = await begin(
		{
			parent: answering({ go: toolCalls(types.map(call)) }),
			child: (request) => (newUserTexts(request)[0] === "outer" ? toolCalls([call("after")]) : text("done")),
		},
		undefined,
		{ projectFiles: { ...projectFiles, ...files } },
	);
	await rpc.prompt("go");
	const [parent] = server.requestsOf("parent");
	if (parent === undefined) throw new Error("the parent has asked nothing");
	const children = new Map<string, ChatRequest>();
	for (const request of server.requestsOf("child")) {
		const [task] = newUserTexts(request);
		if (task !== undefined) children.set(task, request);
	}
	const childOf = (type: string): ChatRequest => {
		const request = children.get(type);
		if (request === undefined) throw new Error(`no agent of type ${type} has asked`);
		return request;
	};
	return { pi, parent: systemText(parent), childOf, of: (type: string) => systemText(childOf(type)) };
}

const count = (whole: string, part: string): number => whole.split(part).length - 1;

describe("a child's system prompt", () => {
	it("has the parent's as an exact prefix, then what differs, then its own: prompt_mode append", async () => {
		const { parent, of, childOf, pi } = await promptsOf(["after", "bare", "skilled"], {
			".pi/extensions/behind.ts": onPrompt('{ systemPrompt: event.systemPrompt + "\\nFOOTER" }'),
		});
		expect(parent).toMatch(/\nFOOTER$/);
		for (const type of ["after", "bare", "skilled"]) expect(of(type).slice(0, parent.length)).toBe(parent);
		const [after, bare, skilled] = ["after", "bare", "skilled"].map((type) => of(type).slice(parent.length));
		expect(parent).toContain("Use tabs in this project.");
		expect(toolNames(childOf("after"))).toEqual(["read", "bash"]);
		expect(after).toContain("\nOf all tools named above you have only these: read, bash.\n\nYou come after.\n");
		expect(after).toContain(pi.cwd);
		// What extensions put behind a prompt stands behind this one as well.
		expect(after).toMatch(/\nFOOTER$/);
		expect(after).not.toMatch(/Use tabs|Never swear|how to knit|working directory is/);
		expect(toolNames(childOf("bare"))).toEqual([]);
		expect(bare).toContain("\nYou have none of the tools named above.\nYou have none of the skills named above.");
		expect(skilled).toContain("\nOf all skills named above you have only these: knit.\n\nYou knit.\n");
		expect(skilled).toContain("how to knit");
		expect(skilled).not.toContain("how to weave");
	});

	it("is its own alone, without the project's files, where the profile does not say otherwise", async () => {
		const { of, pi } = await promptsOf(["alone", "general-purpose"]);
		expect(of("alone")).toMatch(/^You stand alone\./);
		expect(of("alone")).toContain(pi.cwd);
		expect(of("alone")).not.toMatch(/Use tabs|Never swear|AGENTS\.md|how to|bash|Agent|coding/i);
		// A built-in type is a helper of this very session, for which the project's rules hold.
		expect(of("general-purpose")).toMatch(/^You are a subagent: /);
		expect(of("general-purpose")).toContain("Use tabs in this project.");
		expect(of("general-purpose")).toContain("Never swear.");
	});

	it("has that of the agent which started it, where an agent did", async () => {
		const { of, childOf } = await promptsOf(["outer"]);
		const outer = of("outer");
		expect(outer).toMatch(/^You delegate\./);
		expect(of("after").slice(0, outer.length)).toBe(outer);
		expect(of("after").slice(outer.length)).toContain("these: read, bash.\n\nYou come after.\n");
		expect(toolNames(childOf("after"))).toEqual(["read", "bash"]);
	});

	it("keeps the parent's in front of what extensions do to prompts", async () => {
		const { parent, of } = await promptsOf(["after"], {
			".pi/extensions/a-before.ts": onPrompt('{ systemPrompt: "HEADER\\n" + event.systemPrompt }'),
			".pi/extensions/b-behind.ts": onPrompt('{ systemPrompt: event.systemPrompt + "\\nFOOTER" }'),
		});
		expect(parent).toMatch(/^HEADER\n.*\nFOOTER$/s);
		const child = of("after");
		expect(child.slice(0, parent.length)).toBe(parent);
		expect(count(child, "HEADER")).toBe(1);
		expect(child.slice(parent.length)).toContain("\n\nYou come after.\n");
	});
});
