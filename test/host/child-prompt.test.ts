import { describe, expect, it } from "vitest";
import { childPrompt, knowsSkillsOfParent } from "../../src/host/child-prompt.ts";

const here = { own: "/project", parents: "/project" };
const config = { systemPrompt: "You review.", tools: ["read"], isolated: false };
const after = { ...config, parentPrompt: "You are the session." };

/** The lines between the parent's prompt and the agent's own. */
const between = (change: Partial<typeof after> & { readonly skills?: readonly string[] }, cwd = here): string[] => {
	const prompt = childPrompt({ ...after, ...change }, cwd);
	expect(prompt.startsWith("You are the session.\n\n")).toBe(true);
	expect(prompt.endsWith("\n\nYou review.")).toBe(true);
	return prompt.split("\n\n").slice(1, -1).join("\n\n").split("\n").slice(1);
};

describe("an agent's prompt", () => {
	it("is the profile's alone where no other is to stand before it", () => {
		expect(childPrompt(config, { own: "/elsewhere", parents: "/project" })).toBe("You review.");
	});

	it("says which of what its parent's names it does not have", () => {
		expect(between({})).toEqual(["Of all tools named above you have only these: read."]);
		expect(between({ tools: [] })).toEqual(["You have none of the tools named above."]);
		expect(between({ skills: ["knit", "sew"] })[1]).toBe("Of all skills named above you have only these: knit, sew.");
		expect(between({ skills: [] })[1]).toBe("You have none of the skills named above.");
		expect(between({ skills: ["knit"], isolated: true })[1]).toBe("You have none of the skills named above.");
	});

	it("says that it works somewhere else than its parent", () => {
		expect(between({}, { own: "/worktree", parents: "/project" })[1]).toBe(
			"Your working directory is /worktree, and not the one named above.",
		);
	});

	it("needs no list of skills of its own only where it has all of its parent's", () => {
		expect(knowsSkillsOfParent(after)).toBe(true);
		expect(knowsSkillsOfParent(config)).toBe(false);
		expect(knowsSkillsOfParent({ ...after, skills: ["knit"] })).toBe(false);
		expect(knowsSkillsOfParent({ ...after, isolated: true })).toBe(false);
	});
});
