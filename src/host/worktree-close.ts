import { dropBranch, keepWork, signBranch, tipOf } from "./worktree-branches.ts";
import { type GitCall, git, gitLine, gitList, gitMaybe, tryWorktree } from "./worktree-git.ts";
import { leftBehind, readSteps, wasMade } from "./worktree-history.ts";
import { identity } from "./worktree-identity.ts";
import { ignoredIn } from "./worktree-ignored.ts";
import { removeMark, type WorktreeMark, writeMark } from "./worktree-mark.ts";
import { isGone, whyUntied } from "./worktree-ties.ts";

/** What became of a worktree. */
export interface WorktreeEnd {
	/** The branches that have the work, the one with the last commit first. Empty when nothing was changed. */
	readonly branches: readonly string[];
	/** The commit at which the work began. */
	readonly start: string;
	/** What differs between the two on the first branch, as `M path`, the first ones of them. */
	readonly files: readonly string[];
	readonly fileCount: number;
	/** Set where the worktree is still there, with the reason. */
	readonly kept?: { readonly path: string; readonly reason: string };
	/** What git ignores and the work brought forth: it is on no branch, and goes with the worktree. */
	readonly ignored: readonly string[];
}

export interface CloseOptions {
	/** Bounds it all. What is not done by then stays as it is, and the worktree is kept. */
	readonly signal: AbortSignal;
	/** The first line of the commit. */
	readonly message: string;
	/** Keep a worktree with uncommitted changes as it is, for a person to look at. */
	readonly commit: boolean;
}

/** How many of each are listed. */
const listed = 20;

/**
 * Ends a worktree: everything in it that git does not ignore is committed, a branch is made to reach every commit, and
 * only then is the folder removed, by git's own removal without force, which refuses where anything is uncommitted after
 * all. Whatever fails, the worktree is kept and named. Never rejects.
 */
export async function closeWorktree(mark: WorktreeMark, options: CloseOptions): Promise<WorktreeEnd> {
	const found: Found = { branches: [], files: [], fileCount: 0, ignored: [] };
	const reason = await endWorktree(mark, options, found).catch(whyFailed);
	if (reason !== undefined) await writeMark({ ...mark, kept: reason }).catch(() => undefined);
	const kept = reason === undefined ? {} : { kept: { path: mark.path, reason } };
	return { start: mark.start, ...found, ...kept };
}

/** Filled in step by step, so that a failure takes nothing away that is already safe. */
interface Found {
	branches: readonly string[];
	files: readonly string[];
	fileCount: number;
	ignored: readonly string[];
}

function whyFailed(error: unknown): string {
	if (error instanceof Error && error.name === "TimeoutError") return "there was not enough time to commit everything";
	return error instanceof Error ? error.message : String(error);
}

/** The reason why the worktree is still there, if it is. */
async function endWorktree(mark: WorktreeMark, options: CloseOptions, found: Found): Promise<string | undefined> {
	const { signal } = options;
	const shared: GitCall = { cwd: mark.repository, signal, env: { GIT_DIR: mark.repository } };
	if (await isGone(mark.path)) return endOfGone(mark, shared, found);
	const untied = await whyUntied(mark);
	if (untied !== undefined || mark.ties === undefined) return untied;
	const inside: GitCall = { cwd: mark.path, signal, env: { GIT_DIR: mark.ties.gitDir, GIT_WORK_TREE: mark.path } };
	const dirty = options.commit ? [] : await gitList(["status", "--porcelain", "-z", "--no-renames"], inside);
	if (dirty.length > 0) {
		await noteBranch(mark, shared, found);
		return `it has ${dirty.length} uncommitted change${dirty.length === 1 ? "" : "s"}`;
	}
	const { head, tip, unchanged } = await commitAll(mark, options.message, inside);
	if (!unchanged) {
		const steps = await readSteps(mark.ties.gitDir);
		const tipIsOwn = tip !== head || wasMade(tip, steps);
		found.branches = await keepWork({ ...mark, tip, tipIsOwn, leftBehind: leftBehind(steps) }, shared);
		await describeWork(mark, tip, shared, found);
	}
	const known = new Set(mark.ignored);
	found.ignored = (await ignoredIn(inside)).filter((path) => !known.has(path)).slice(0, listed);
	const nested = unchanged ? undefined : await nestedRepository(mark.start, tip, inside);
	if (nested !== undefined) return `it has a git repository of its own in ${nested}, whose contents no branch has`;
	return remove(mark, tip, inside, shared);
}

interface Committed {
	/** What was checked out; `undefined` on a branch without a commit. */
	readonly head: string | undefined;
	/** A commit of everything that is there. */
	readonly tip: string;
	readonly unchanged: boolean;
}

/**
 * Commits through git's lower commands: they run no hook, ask for no signature or message, and move no branch, so that it
 * does not matter what the agent has checked out or left half-way.
 */
async function commitAll(mark: WorktreeMark, message: string, inside: GitCall): Promise<Committed> {
	await git(["add", "--all", "--", ":/"], inside);
	const tree = await gitLine(["write-tree"], inside);
	const head = await gitMaybe(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], inside);
	const headTree = head === undefined ? undefined : await gitLine(["rev-parse", `${head}^{tree}`], inside);
	const unchanged = head === mark.start && tree === (mark.baseline ?? headTree);
	if (head !== undefined && tree === headTree) return { head, tip: head, unchanged };
	const merged = await gitMaybe(["rev-parse", "--verify", "--quiet", "MERGE_HEAD"], inside);
	const parents = [head, merged].flatMap((parent) => (parent === undefined ? [] : ["-p", parent]));
	const call = { ...inside, env: { ...inside.env, ...(await identity(inside)) } };
	const tip = await gitLine(["commit-tree", ...parents, "-m", message, tree], call);
	return { head, tip, unchanged };
}

async function describeWork(mark: WorktreeMark, tip: string, shared: GitCall, found: Found): Promise<void> {
	const [branch] = found.branches;
	if (branch === undefined) return;
	await signBranch(branch, mark.agentId, shared);
	const to = (await tipOf(branch, shared)) ?? tip;
	const entries = await gitList(["diff-tree", "-r", "-z", "--name-status", "--no-renames", mark.start, to], shared);
	const files = entries.flatMap((status, at) => (at % 2 === 0 ? [`${status} ${entries[at + 1] ?? ""}`] : []));
	found.files = files.slice(0, listed);
	found.fileCount = files.length;
}

/** A repository inside of the worktree that the commit only points at: its own commits would go with the folder. */
async function nestedRepository(start: string, tip: string, call: GitCall): Promise<string | undefined> {
	const entries = await gitList(["diff-tree", "-r", "-z", "--raw", "--no-renames", start, tip], call);
	const at = entries.findIndex((entry) => /^:\d+ 160000 /.test(entry));
	return at === -1 ? undefined : entries[at + 1];
}

async function remove(mark: WorktreeMark, tip: string, inside: GitCall, shared: GitCall): Promise<string | undefined> {
	const head = await gitMaybe(["rev-parse", "--verify", "--quiet", "HEAD"], inside);
	// git removes what is clean: what is checked out must be what was just committed. It lies on a branch by now.
	if (head !== tip) await git(["update-ref", "--no-deref", "HEAD", tip], inside);
	const untied = await whyUntied(mark);
	if (untied !== undefined) return untied;
	const { code, stderr } = await tryWorktree(["remove", "--", mark.path], shared);
	if (code !== 0 && !(await isGone(mark.path))) {
		return `git does not remove it: ${stderr.trim().replace(/^fatal: /, "") || "no reason was given"}`;
	}
	await forget(mark, shared);
	return undefined;
}

/** A worktree that something else has removed: what was committed is there, and the rest cannot be helped. */
async function endOfGone(mark: WorktreeMark, shared: GitCall, found: Found): Promise<undefined> {
	await noteBranch(mark, shared, found);
	await tryWorktree(["remove", "--", mark.path], shared);
	await forget(mark, shared);
	return undefined;
}

async function noteBranch(mark: WorktreeMark, shared: GitCall, found: Found): Promise<void> {
	const own = await tipOf(mark.branch, shared);
	if (own === undefined || own === mark.start) return;
	found.branches = [mark.branch];
	await describeWork(mark, own, shared, found);
}

/** A branch on which nothing was committed goes with its worktree. */
async function forget(mark: WorktreeMark, shared: GitCall): Promise<void> {
	if (mark.branchIsNew) await dropBranch(mark.branch, mark.start, shared);
	await removeMark(mark.path);
}
