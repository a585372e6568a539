import { type GitCall, gitList } from "./worktree-git.ts";

/** What git ignores in a worktree, folders as a whole. Never rejects: nothing depends on it but a line for people. */
export async function ignoredIn(inside: GitCall): Promise<string[]> {
	try {
		const options = ["--others", "--ignored", "--exclude-standard", "--directory", "-z"];
		return await gitList(["ls-files", ...options], inside);
	} catch {
		return [];
	}
}
