import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { closeWorktree, type WorktreeEnd } from "./worktree-close.ts";
import { readMark, temporaryWorktreesFolder, type WorktreeMark, worktreesFolder } from "./worktree-mark.ts";
import { isRunning } from "./worktree-owner.ts";

/** A worktree whose run is over, and which is still there. */
export interface LeftoverWorktree {
	readonly mark: WorktreeMark;
	/** Why it is there: what stood in the way when its run ended, or that its process ended first. */
	readonly reason: string;
	/** Whether the process that it belonged to has ended, so that nobody else sees to it. */
	readonly orphaned: boolean;
}

/** The worktrees that were kept, and those of processes that have ended, of every session and repository. Never rejects. */
export async function listLeftoverWorktrees(agentDir: string): Promise<readonly LeftoverWorktree[]> {
	const folders = [worktreesFolder(agentDir), temporaryWorktreesFolder()];
	const marks = (await Promise.all(folders.map(marksIn))).flat();
	const leftovers = await Promise.all(
		marks.map(async (mark): Promise<LeftoverWorktree[]> => {
			const orphaned = !(await isRunning(mark.owner));
			if (!orphaned && mark.kept === undefined) return [];
			return [{ mark, reason: mark.kept ?? "the process that it belonged to has ended", orphaned }];
		}),
	);
	return leftovers.flat();
}

async function marksIn(folder: string): Promise<WorktreeMark[]> {
	const names = await readdir(folder).catch(() => []);
	const marks = await Promise.all(
		names
			.filter((name) => name.endsWith(".json"))
			.map((name) => readMark(join(folder, name.slice(0, -".json".length)))),
	);
	return marks.filter((mark) => mark !== undefined);
}

/** What a collection has come to, worktree by worktree. */
export interface CollectedWorktree {
	readonly mark: WorktreeMark;
	readonly end: WorktreeEnd;
}

/**
 * Removes the leftovers of processes that have ended, as long as they are clean: what was committed stays on its branch,
 * and one with anything uncommitted is kept as it is, for a person to look at. Never rejects.
 */
export async function collectLeftoverWorktrees(
	agentDir: string,
	signal: AbortSignal,
): Promise<readonly CollectedWorktree[]> {
	const collected: CollectedWorktree[] = [];
	// One after the other: nobody waits for it, and it is no reason to keep a machine busy.
	for (const leftover of await listLeftoverWorktrees(agentDir)) {
		if (signal.aborted) break;
		// Kept by a live process, or its agent has been resumed since: not ours.
		const mark = await readMark(leftover.mark.path);
		if (mark === undefined || (await isRunning(mark.owner))) continue;
		collected.push({ mark, end: await closeWorktree(mark, { signal, message: "", commit: false }) });
	}
	return collected;
}
