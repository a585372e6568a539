import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** One move of a worktree's HEAD, as git has logged it. */
export interface Step {
	readonly from: string;
	readonly to: string;
	/** What moved it, such as `commit: …` or `checkout: moving from … to …`. */
	readonly message: string;
}

/** Every move of the worktree's HEAD, in order; `undefined` where the repository keeps no such log. */
export async function readSteps(gitDir: string): Promise<readonly Step[] | undefined> {
	try {
		return parseSteps(await readFile(join(gitDir, "logs", "HEAD"), "utf8"));
	} catch {
		return undefined;
	}
}

/** Reads the log's lines: `<from> <to> <name> <mail> <time> <zone>` and, after a tab, the message. Pure. */
export function parseSteps(log: string): readonly Step[] {
	return log.split("\n").flatMap((line) => {
		const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line);
		const [, from, to, message = ""] = match ?? [];
		return from === undefined || to === undefined ? [] : [{ from, to, message }];
	});
}

const isCheckout = ({ message }: Step): boolean => message.startsWith("checkout: moving");

/** Whether a commit was made in the worktree, and not only checked out. Without a log it counts as made. Pure. */
export function wasMade(commit: string, steps: readonly Step[] | undefined): boolean {
	if (steps === undefined) return true;
	return steps.some((step) => step.to === commit && step.message !== "" && !/^(?:checkout|reset):/.test(step.message));
}

/**
 * Commits that were made in the worktree and then left by a checkout: on a detached HEAD, nothing reaches them any more.
 * What was amended, rebased or reset was replaced on purpose, and does not count. Pure.
 */
export function leftBehind(steps: readonly Step[] | undefined): readonly string[] {
	const left = (steps ?? []).filter(isCheckout).map((step) => step.from);
	return [...new Set(left)].filter((commit) => wasMade(commit, steps));
}
