import type { ValueSource } from "./effective-config.ts";
import type { ParentFacts } from "./parent-facts.ts";

/** What is wrong with the isolation that a run is to have. That there is a repository at all shows when the run starts. */
export function checkIsolation(
	wanted: { readonly source: ValueSource } | undefined,
	{ projectTrusted, isolation }: ParentFacts,
): readonly string[] {
	if (wanted === undefined) return [];
	const asked = `isolation: worktree (${wanted.source})`;
	// What its parent has not committed, which may be all of its work, would not be there.
	if (isolation !== undefined) {
		return [`${asked} cannot be had inside of a worktree: leave it out, and the agent works in the same one`];
	}
	// What git runs in a project is the project's own choice.
	if (projectTrusted !== false) return [];
	return [`${asked} needs a trusted project; the user can trust it for the next session, with /trust`];
}
