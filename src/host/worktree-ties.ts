import { lstat, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeMark, WorktreeTies } from "./worktree-mark.ts";

/** Reads what ties a fresh worktree to its repository. */
export async function readTies(path: string, gitDir: string): Promise<WorktreeTies> {
	return { gitDir, ...(await readFiles(path, gitDir)) };
}

async function readFiles(path: string, gitDir: string): Promise<Omit<WorktreeTies, "gitDir">> {
	const [folder, gitFile, backLink, commonDir] = await Promise.all([
		lstat(path, { bigint: true }),
		readPlain(join(path, ".git")),
		readPlain(join(gitDir, "gitdir")),
		readPlain(join(gitDir, "commondir")),
	]);
	if (!folder.isDirectory()) throw new Error(`${path} is not a folder`);
	return { inode: `${folder.dev}:${folder.ino}`, gitFile, backLink, commonDir };
}

/** A file that is one itself, and not a link to another. */
async function readPlain(file: string): Promise<string> {
	const stat = await lstat(file);
	if (!stat.isFile()) throw new Error(`${file} is not a file`);
	return readFile(file, "utf8");
}

/**
 * Why nothing may be done in a worktree, or `undefined` where it is what it was: the same folder and no link, pointing at
 * the same place in the same repository, which points back. Otherwise git would commit, or remove, something else.
 */
export async function whyUntied({ path, ties }: WorktreeMark): Promise<string | undefined> {
	if (ties === undefined) return "it was never made ready";
	try {
		if ((await realpath(path)) !== path) return "its folder is behind a link now";
		const now = await readFiles(path, ties.gitDir);
		if (now.inode !== ties.inode) return "its folder was replaced by another";
		const same = now.gitFile === ties.gitFile && now.backLink === ties.backLink && now.commonDir === ties.commonDir;
		return same ? undefined : "what ties it to the repository was changed";
	} catch (error) {
		return `what ties it to the repository cannot be read (${error instanceof Error ? error.message : String(error)})`;
	}
}

/** Whether there is nothing at all at the path, not even a link that leads nowhere. */
export async function isGone(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ENOENT";
	}
}
