import { describe, expect, it } from "vitest";
import { builtInProfiles } from "../../src/profiles/index.ts";
import { type DoctorFacts, doctorReport } from "../../src/ui/index.ts";

const healthy: DoctorFacts = {
	profiles: builtInProfiles,
	diagnostics: [],
	conflicts: [],
	projectTrusted: true,
	projectFiles: ".pi/agents and .pi/orchestrator.json",
	model: "acme/large",
	host: { version: "1.6.0", lacks: [] },
};

describe("the doctor's report", () => {
	it("says that nothing is wrong, and what there is", () => {
		expect(doctorReport(healthy)).toEqual({
			ok: true,
			text: [
				"Nothing is wrong.",
				"",
				"Agent types: general-purpose (built-in), explore (built-in), plan (built-in)",
				"Project: trusted",
				"Pi 1.6.0",
			].join("\n"),
		});
	});

	it("names every problem with what to do about it", () => {
		const { text, ok } = doctorReport({
			...healthy,
			conflicts: [{ tool: "Agent", path: "/x/other.ts" }],
			model: undefined,
			diagnostics: [{ file: "a.md", line: 3, key: "tools", message: "broken" }],
		});
		expect(ok).toBe(false);
		expect(text.split("\n").slice(0, 4)).toEqual([
			"3 problems:",
			"- The tool Agent comes from /x/other.ts. Load only one of the two extensions that have it.",
			"- This session has no model: choose one with /model, or log in to a provider with /login.",
			"- a.md:3: tools: broken",
		]);
	});

	it("says what is not read of an untrusted project, and what an older Pi lacks", () => {
		const { text, ok } = doctorReport({
			...healthy,
			projectTrusted: false,
			host: { version: "0.81.1", lacks: ["x", "y"] },
		});
		expect(ok).toBe(true);
		expect(text).toContain(
			"Project: not trusted, so .pi/agents and .pi/orchestrator.json are not read\nPi 0.81.1: x; y",
		);
	});

	it("has no types that cannot be used, and no control characters", () => {
		const { text } = doctorReport({
			...healthy,
			profiles: [
				{ ...builtInProfiles[1], name: "off", enabled: false } as DoctorFacts["profiles"][number],
				{ ...builtInProfiles[1], name: "mine", file: ".pi/agents/m.md" } as DoctorFacts["profiles"][number],
			],
			diagnostics: [{ file: "a\u001b[2J.md", message: "one\ntwo" }],
		});
		expect(text).toContain("Agent types: mine (.pi/agents/m.md)\n");
		expect(text.split("\n")[1]).toBe("- a.md: one two");
	});
});
