import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AgentId, parseAgentId } from "../streams/index.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { claimBranch, dropBranch, earlierBranch, tipOf } from "./worktree-branches.ts";
import { closeWorktree, type WorktreeEnd } from "./worktree-close.ts";
import { type GitCall, git, gitLine, gitWorktree, tryWorktree } from "./worktree-git.ts";
import { ignoredIn } from "./worktree-ignored.ts";
import { makeWorktreesFolder, readMark, removeMark, type WorktreeMark, writeMark } from "./worktree-mark.ts";
import { isRunning, thisProcess } from "./worktree-owner.ts";
import { countUncommitted, findRepository, noWorktree, type Repository } from "./worktree-repository.ts";
import { runSetup } from "./worktree-setup.ts";
import { isGone, readTies, whyUntied } from "./worktree-ties.ts";

export interface WorktreeRequest {
	/** The folder that the parent works in: the worktree is one of its repository, and the agent begins in the same one. */
	readonly cwd: string;
	readonly agentDir: string;
	readonly agentId: AgentId;
	/** From 2 on, the agent goes on where it was. */
	readonly run: number;
	/** A line for the shell that makes the worktree ready. */
	readonly setup?: string | undefined;
	readonly setupTimeoutMs?: number;
	/** How long saving the work may take at the end. */
	readonly closeTimeoutMs?: number;
	/** Abandons the making of it. Of no account once the worktree is open. */
	readonly signal: AbortSignal;
}

export interface OpenWorktree {
	readonly path: string;
	/** The parent's folder in it. */
	readonly cwd: string;
	/** The top of the working tree that it was made from, in the forms in which paths may name it. */
	readonly sources: readonly string[];
	readonly branch: string;
	readonly start: string;
	/** Paths in the parent's tree that differ from the commit, and so are not as the parent has them. */
	readonly uncommitted: number;
	/** See `closeWorktree`. `message` is the first line of the commit, if one is needed. */
	close(message: string): Promise<WorktreeEnd>;
}

const setupMs = 600_000;
const closeMs = 30_000;

/**
 * Makes a worktree for an agent, on a branch of its own, at the commit that the parent has checked out. Rejects with a
 * `StartupFailure` that says why there can be none, or with the signal's reason; nothing is left then that is not named.
 */
export async function openWorktree(request: WorktreeRequest): Promise<OpenWorktree> {
	const { cwd, agentDir, signal } = request;
	signal.throwIfAborted();
	// It becomes a name of a folder and of a branch.
	const agentId = parseAgentId(request.agentId);
	if (agentId === undefined) throw noWorktree("the agent's id is not one");
	const repository = await findRepository(cwd, signal);
	const folder = await makeWorktreesFolder(agentDir, repository.top);
	const place: Place = { ...request, agentId, repository, path: join(folder, agentId) };
	const mark = (await reopen(place)) ?? (await make(place));
	try {
		const inside = await enter(mark, repository.prefix);
		return {
			path: mark.path,
			cwd: inside,
			sources: [...new Set([mark.source, topOf(cwd, repository.prefix)])],
			branch: mark.branch,
			start: mark.start,
			uncommitted: (await countUncommitted({ cwd, signal })) ?? 0,
			close: (message) =>
				closeWorktree(mark, { signal: AbortSignal.timeout(request.closeTimeoutMs ?? closeMs), message, commit: true }),
		};
	} catch (error) {
		throw await abandon(mark, error);
	}
}

interface Place extends WorktreeRequest {
	readonly repository: Repository;
	readonly path: string;
}

/** The top as the parent's own path names it, links included, where it does. */
function topOf(cwd: string, prefix: string): string {
	const tail = prefix === "" ? "" : `/${prefix}`;
	return cwd.endsWith(tail) ? cwd.slice(0, cwd.length - tail.length) : cwd;
}

/** The worktree that an earlier run of the agent has left, because it could not be saved or because its process ended. */
async function reopen({ path, run, repository }: Place): Promise<WorktreeMark | undefined> {
	if (await isGone(path)) return undefined;
	const mark = await readMark(path);
	if (run === 1 || mark === undefined) throw noWorktree(`there is something at ${path} already`);
	if (mark.repository !== repository.common) throw noWorktree(`${path} belongs to the repository ${mark.repository}`);
	const untied = await whyUntied(mark);
	if (untied !== undefined) throw noWorktree(`the agent's earlier one, ${path}, cannot be used: ${untied}`);
	const me = await thisProcess();
	if (mark.owner.pid !== me.pid && (await isRunning(mark.owner))) {
		throw noWorktree(`the agent's earlier one, ${path}, is in use by process ${mark.owner.pid}`);
	}
	const { kept: _, ...rest } = mark;
	const again: WorktreeMark = { ...rest, run, owner: me };
	await writeMark(again);
	return again;
}

async function make(place: Place): Promise<WorktreeMark> {
	const { path, repository, agentId, run, signal } = place;
	const shared: GitCall = { cwd: repository.common, signal, env: { GIT_DIR: repository.common } };
	const earlier = run === 1 ? undefined : await earlierBranch(agentId, shared);
	const start = (earlier === undefined ? undefined : await tipOf(earlier, shared)) ?? repository.head;
	// What somebody has removed by hand is still on git's list, and would be in the way.
	if (run > 1) await tryWorktree(["remove", "--", path], shared);
	const branch = earlier ?? (await claimBranch(agentId, start, shared));
	const mark: WorktreeMark = {
		version: 1,
		agentId,
		run,
		owner: await thisProcess(),
		path,
		repository: repository.common,
		source: repository.top,
		branch,
		branchIsNew: earlier === undefined,
		start,
	};
	try {
		await writeMark(mark);
		await gitWorktree(["add", "--quiet", "--", path, branch], shared);
	} catch (error) {
		throw await unmake(mark, error);
	}
	return ready(mark, place);
}

/** After a `git worktree add` that failed or was ended: git clears away what it has made, all but the branch. */
async function unmake(mark: WorktreeMark, error: unknown): Promise<unknown> {
	const signal = AbortSignal.timeout(closeMs);
	const shared: GitCall = { cwd: mark.repository, signal, env: { GIT_DIR: mark.repository } };
	if (!(await isGone(mark.path))) return abandon(mark, error);
	if (mark.branchIsNew) await dropBranch(mark.branch, mark.start, shared).catch(() => undefined);
	await removeMark(mark.path);
	return asRefusal(error);
}

/** Ties the worktree to its mark, and runs the setup. */
async function ready(bare: WorktreeMark, { setup, setupTimeoutMs = setupMs, signal }: Place): Promise<WorktreeMark> {
	let mark = bare;
	try {
		const call: GitCall = { cwd: bare.path, signal };
		const ties = await readTies(bare.path, await gitLine(["rev-parse", "--absolute-git-dir"], call));
		mark = { ...bare, ties };
		await writeMark(mark);
		if (setup === undefined) return mark;
		const { path, source, agentId } = mark;
		await runSetup({ command: setup, path, source, agentId, signal, timeoutMs: setupTimeoutMs });
		const inside: GitCall = { ...call, env: { GIT_DIR: ties.gitDir, GIT_WORK_TREE: path } };
		mark = { ...mark, baseline: await treeOf(mark, inside), ignored: await ignoredIn(inside) };
		await writeMark(mark);
		return mark;
	} catch (error) {
		throw await abandon(mark, error);
	}
}

/** The tree of everything that is there now, made with an index of its own so that nothing looks staged. */
async function treeOf(mark: WorktreeMark, inside: GitCall): Promise<string> {
	const clean = (await gitLine(["status", "--porcelain"], inside)) === "";
	if (clean) return gitLine(["rev-parse", `${mark.start}^{tree}`], inside);
	const call: GitCall = {
		...inside,
		env: { ...inside.env, GIT_INDEX_FILE: join(mark.ties?.gitDir ?? "", "setup-index") },
	};
	await git(["read-tree", mark.start], call);
	await git(["add", "--all", "--", ":/"], call);
	return gitLine(["write-tree"], call);
}

/** Removes a worktree in which no agent has worked, if it is clean. What is to be thrown says so if it is not. */
async function abandon(mark: WorktreeMark, error: unknown): Promise<unknown> {
	const signal = AbortSignal.timeout(closeMs);
	const { kept } = await closeWorktree(mark, { signal, message: "", commit: false });
	const refusal = asRefusal(error);
	if (kept === undefined) return refusal;
	const why = refusal instanceof Error ? refusal.message : String(refusal);
	return new StartupFailure(`${why}\nThe worktree is kept at ${kept.path}: ${kept.reason}.`, { cause: refusal });
}

function asRefusal(error: unknown): unknown {
	return error instanceof Error && error.name === "GitFailure" ? noWorktree(error.message) : error;
}

/** The parent's folder in the worktree; made where the commit does not have it. A link on the way could lead out. */
async function enter({ path }: WorktreeMark, prefix: string): Promise<string> {
	let folder = path;
	for (const part of prefix === "" ? [] : prefix.split("/")) {
		folder = join(folder, part);
		if (await isGone(folder)) await mkdir(folder);
		const isFolder = (await lstat(folder)).isDirectory();
		if (!isFolder) throw noWorktree(`in the commit, ${prefix} is not a folder`);
	}
	return realpath(folder);
}
