import { lstat, mkdir, readFile, realpath, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { type AgentId, parseAgentId } from "../streams/index.ts";
import type { ProcessOwner } from "./worktree-owner.ts";

/**
 * What is known of a worktree, in a file beside it: written before the worktree is made and removed after it has gone, so
 * that whoever finds the worktree knows whose it was, whatever has happened in between.
 */
export interface WorktreeMark {
	readonly version: 1;
	readonly agentId: AgentId;
	readonly run: number;
	readonly owner: ProcessOwner;
	/** The worktree's folder. */
	readonly path: string;
	/** The git directory that all worktrees of the repository share. */
	readonly repository: string;
	/** The top of the working tree that it was made from. */
	readonly source: string;
	readonly branch: string;
	/** Whether the branch was made for this worktree: only then does it go with one in which nothing was changed. */
	readonly branchIsNew: boolean;
	/** The commit at which the work began. */
	readonly start: string;
	/** Absent until the worktree is there. */
	readonly ties?: WorktreeTies;
	/** The tree that the setup left behind, where that is not the commit's own. */
	readonly baseline?: string;
	/** What git ignored when the work began: the setup's doing, and nobody's loss. */
	readonly ignored?: readonly string[];
	/** Why the worktree was kept when its run had ended. */
	readonly kept?: string;
}

/** What ties a worktree's folder to its repository. Compared before anything is done there: an agent can change it. */
export interface WorktreeTies {
	/** The worktree's own git directory, inside the repository's. */
	readonly gitDir: string;
	readonly inode: string;
	/** The contents of the files with which the two point at each other. */
	readonly gitFile: string;
	readonly backLink: string;
	readonly commonDir: string;
}

/** The folder of all worktrees of a user. Not a session's own: those are cleared out by age, and these never are. */
export function worktreesFolder(agentDir: string): string {
	return join(agentDir, "orchestrator", "worktrees");
}

/** Where worktrees go when the agent directory lies in the repository itself, where they would be part of it. */
export function temporaryWorktreesFolder(): string {
	return join(tmpdir(), `pi-worktrees-${process.getuid?.() ?? "user"}`);
}

/** Makes the folder for worktrees of the repository at `top`, outside of it, and for nobody else's eyes. */
export async function makeWorktreesFolder(agentDir: string, top: string): Promise<string> {
	const usual = await privateFolder(worktreesFolder(agentDir));
	if (!isWithin(usual, top)) return usual;
	await removeFolderIfEmpty(usual);
	const other = await privateFolder(temporaryWorktreesFolder());
	if (!isWithin(other, top)) return other;
	throw new Error(`there is no folder for worktrees outside of the repository at ${top}`);
}

async function privateFolder(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const stat = await lstat(folder);
	const own = process.getuid === undefined || stat.uid === process.getuid();
	if (!stat.isDirectory() || !own) throw new Error(`${folder} is not a folder of this user`);
	return realpath(folder);
}

/** Whether `path` is `folder` or lies below it. Both absolute; links are not looked at. */
export function isWithin(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export function markFile(path: string): string {
	return `${path}.json`;
}

/** Writes the mark in one step, so that a reader never sees half of it. */
export async function writeMark(mark: WorktreeMark): Promise<void> {
	const file = markFile(mark.path);
	const draft = `${file}.${process.pid}.tmp`;
	// Another worktree that ends at this moment takes the folder with it, if it was the last.
	await mkdir(dirname(mark.path), { recursive: true, mode: 0o700 });
	await writeFile(draft, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
	await rename(draft, file);
}

/** The mark beside a worktree; `undefined` where there is none that can be understood. */
export async function readMark(path: string): Promise<WorktreeMark | undefined> {
	try {
		const mark = JSON.parse(await readFile(markFile(path), "utf8")) as Partial<WorktreeMark> | null;
		return isMark(mark) && mark.path === path ? mark : undefined;
	} catch {
		return undefined;
	}
}

function isMark(mark: Partial<WorktreeMark> | null): mark is WorktreeMark {
	if (mark?.version !== 1 || typeof mark.owner?.pid !== "number") return false;
	const texts = [mark.agentId, mark.path, mark.repository, mark.source, mark.branch, mark.start];
	return texts.every((text) => typeof text === "string") && parseAgentId(mark.agentId ?? "") !== undefined;
}

/** Removes the mark, and the folder with the last of them. */
export async function removeMark(path: string): Promise<void> {
	await unlink(markFile(path)).catch(() => undefined);
	await removeFolderIfEmpty(dirname(path));
}

async function removeFolderIfEmpty(folder: string): Promise<void> {
	await rmdir(folder).catch(() => undefined);
}
