import { oneLine } from "../streams/plain-text.ts";
import type { WorktreeEnd } from "./worktree-close.ts";
import type { CollectedWorktree, LeftoverWorktree } from "./worktree-leftovers.ts";

/** How many of each are named in a result. */
const named = 12;

/** What became of an agent's worktree, for the model that gets its result. Pure. */
export function worktreeNotes(end: WorktreeEnd): string[] {
	const [branch, ...others] = end.branches;
	const notes: string[] = [];
	if (branch !== undefined) notes.push(...branchNotes(branch, end));
	for (const other of others) notes.push(`More of its work is on the branch ${shown(other)}.`);
	if (branch === undefined && end.kept === undefined) notes.push("It changed no files in its worktree.");
	if (end.ignored.length > 0) {
		notes.push(`Not kept, because git ignores them: ${listed(end.ignored, end.ignored.length)}.`);
	}
	if (end.kept !== undefined) {
		notes.push(`Its worktree is kept at ${shown(end.kept.path)}: ${oneLine(end.kept.reason, 500)}.`);
	}
	return notes;
}

function branchNotes(branch: string, { start, files, fileCount }: WorktreeEnd): string[] {
	const word = forShell(branch);
	const count = `${fileCount} file${fileCount === 1 ? "" : "s"}`;
	return [
		`Its work is on the branch ${shown(branch)}, not in your files: ${count}${fileCount === 0 ? "" : ` (${listed(files, fileCount)})`}.`,
		`To see it: git diff ${start.slice(0, 12)} ${word}. To take it over: git merge ${word}.`,
	];
}

function listed(items: readonly string[], count: number): string {
	const some = items.slice(0, named).map((item) => shown(item));
	return [...some, ...(count > some.length ? [`and ${count - some.length} more`] : [])].join(", ");
}

/** Names are the agent's own choice: on one line, and bounded. */
function shown(name: string): string {
	return oneLine(name, 200);
}

/** A word of a command line. git allows names that a shell would run. */
function forShell(word: string): string {
	return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What an agent that works in a worktree has to know about it. Pure. */
export function worktreeBrief(tree: {
	readonly cwd: string;
	readonly path: string;
	readonly branch: string;
	readonly start: string;
	readonly uncommitted: number;
}): string {
	const missing =
		tree.uncommitted === 0 ? [] : ["Changes that are not committed in the main working tree are not in it."];
	return [
		`You work in a git worktree of your own, ${tree.path}, on the branch ${tree.branch} (commit ${tree.start.slice(0, 12)}).`,
		...missing,
		"Stay inside it. When you end, all your changes are committed to that branch for you; files that git ignores are not kept.",
	].join(" ");
}

/** A leftover in a line for a person, with what can be done about it. Pure. */
export function leftoverLine({ mark, reason }: LeftoverWorktree): string {
	return `${shown(mark.path)} (branch ${mark.branch} of ${shown(mark.source)}): ${oneLine(reason, 300)}`;
}

/** What a collection has come to, for a person; `undefined` where there was nothing to collect. Pure. */
export function collectionText(collected: readonly CollectedWorktree[]): string | undefined {
	if (collected.length === 0) return undefined;
	const kept = collected.flatMap(({ mark, end }) =>
		end.kept === undefined ? [] : [`kept ${leftoverLine({ mark, reason: end.kept.reason, orphaned: true })}`],
	);
	const gone = collected.flatMap(({ mark, end }) => {
		if (end.kept !== undefined) return [];
		const [branch] = end.branches;
		return [
			branch === undefined
				? `removed ${mark.agentId}'s, unchanged`
				: `removed ${mark.agentId}'s; its work is on ${shown(branch)}`,
		];
	});
	return [
		"Worktrees of agents whose process had ended:",
		...[...gone, ...kept].map((line) => `- ${line}`),
		...(kept.length === 0 ? [] : ["Look there, commit or copy what you want, then: git worktree remove <folder>"]),
	].join("\n");
}
