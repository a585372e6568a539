import { type GitCall, tryGit } from "./worktree-git.ts";

/** Who commits where the user has told git nobody: without a name, git refuses. */
const fallback = { name: "Pi agent", mail: "agent@pi.invalid" };

/**
 * Variables that git needs to commit in the user's name, or in the agent's where the user has none. A name that git would
 * make up from the machine's does not count.
 */
export async function identity(call: GitCall): Promise<Readonly<Record<string, string>>> {
	const asked = await Promise.all(
		["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) =>
			tryGit(["-c", "user.useConfigOnly=true", "var", name], call),
		),
	);
	if (asked.every(({ code }) => code === 0)) return {};
	return {
		GIT_AUTHOR_NAME: fallback.name,
		GIT_AUTHOR_EMAIL: fallback.mail,
		GIT_COMMITTER_NAME: fallback.name,
		GIT_COMMITTER_EMAIL: fallback.mail,
	};
}
