import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { oneLine } from "../streams/plain-text.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { type GitCall, git, gitLine, gitMaybe, tryGit } from "./worktree-git.ts";

/** The repository that a folder is in. */
export interface Repository {
	/** The top of the working tree, without links in it. */
	readonly top: string;
	/** From the top to the folder; empty at the top. */
	readonly prefix: string;
	/** The git directory that all its worktrees share. */
	readonly common: string;
	/** The commit that is checked out. */
	readonly head: string;
}

/** Rejects with a `StartupFailure` that says why there can be no worktree of the folder. */
export async function findRepository(cwd: string, signal: AbortSignal): Promise<Repository> {
	const call: GitCall = { cwd, signal };
	await checkPlace(call);
	const [top, prefix, common, head] = await Promise.all([
		gitLine(["rev-parse", "--show-toplevel"], call),
		gitLine(["rev-parse", "--show-prefix"], call),
		gitLine(["rev-parse", "--git-common-dir"], call),
		gitMaybe(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], call),
	]);
	if (head === undefined) {
		throw noWorktree(`the repository at ${top} has no commit yet; a worktree begins at one, so commit first`);
	}
	return {
		top: await realpath(top),
		prefix: prefix.replace(/\/$/, ""),
		common: await realpath(resolve(cwd, common)),
		head,
	};
}

async function checkPlace(call: GitCall): Promise<void> {
	const asked = await tryGit(["rev-parse", "--is-bare-repository", "--is-inside-work-tree"], call).catch(
		(error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") throw noWorktree("git was not found on this machine");
			throw error;
		},
	);
	if (asked.code !== 0) {
		const said = oneLine(asked.stderr, 300);
		const none = /not a git repository/i.test(said);
		throw noWorktree(none ? `${call.cwd} is not in a git repository` : `git cannot read the repository: ${said}`);
	}
	const [bare, inside] = asked.stdout.trim().split(/\s+/);
	if (inside === "true") return;
	throw noWorktree(
		bare === "true"
			? `${call.cwd} is in a bare git repository, which has no working tree`
			: `${call.cwd} is inside of a git directory, not in a working tree`,
	);
}

export function noWorktree(why: string): StartupFailure {
	return new StartupFailure(`There can be no worktree: ${why}.`);
}

/** How many paths differ from the last commit, untracked ones included; `undefined` where git does not say. */
export async function countUncommitted(call: GitCall): Promise<number | undefined> {
	try {
		// A folder that is new as a whole counts once: nobody asks for more, and it is found much sooner.
		const options = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"];
		return (await git(options, call)).split("\0").filter((entry) => entry !== "").length;
	} catch {
		return undefined;
	}
}
