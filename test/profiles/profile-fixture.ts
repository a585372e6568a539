import * as yaml from "yaml";
import { type ParsedProfile, parseProfile } from "../../src/profiles/index.ts";

/** The file that every text of these tests is from. */
export const file = ".pi/agents/reviewer.md";

export function parse(text: string, stem = "reviewer"): ParsedProfile {
	return parseProfile(yaml, text, { file, stem, source: "project" });
}

/** A profile file with these lines of frontmatter. The description is given; other lines may repeat it. */
export function withFields(...lines: readonly string[]): string {
	return ["---", "description: Reviews.", ...lines, "---", "Review it."].join("\n");
}
