import { devNull } from "node:os";
import { setTimeout } from "node:timers/promises";
import { oneLine } from "../streams/plain-text.ts";
import { type ProcessEnd, runProcess } from "./worktree-process.ts";

export interface GitCall {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** Variables beside those that hold for every call. */
	readonly env?: Readonly<Record<string, string>>;
}

/** A call of git that failed. The message has git's own words. */
export class GitFailure extends Error {
	override readonly name = "GitFailure";
}

/**
 * What holds for every call. No hook, no signature, no editor and no file system monitor: each of them may ask a person,
 * take for ever or refuse. What is untracked counts whatever the user's `git status` shows, since git asks the same
 * question before it removes a worktree.
 */
const fixed: readonly string[] = [
	["core.hooksPath", devNull],
	["core.fsmonitor", "false"],
	["core.quotePath", "false"],
	["core.editor", "true"],
	["commit.gpgSign", "false"],
	["gc.auto", "0"],
	["maintenance.auto", "false"],
	["submodule.recurse", "false"],
	["status.showUntrackedFiles", "all"],
	["diff.ignoreSubmodules", "none"],
	["advice.addEmbeddedRepo", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

/** Runs git without a shell. Resolves whatever git's exit code; rejects where git cannot be started. */
export function tryGit(args: readonly string[], call: GitCall): Promise<ProcessEnd> {
	return runProcess("git", [...fixed, ...args], { cwd: call.cwd, signal: call.signal, env: environment(call.env) });
}

/** The output of git. Rejects with a `GitFailure` where git fails. */
export async function git(args: readonly string[], call: GitCall): Promise<string> {
	return outputOf(args, await tryGit(args, call));
}

function outputOf(args: readonly string[], end: ProcessEnd): string {
	if (end.code === 0) return end.stdout;
	throw failureOf(args, end);
}

/**
 * Runs `git worktree`. Each call of it reads what git keeps of all the worktrees, and git writes that file by file: one
 * that is being made at this moment, by another agent, another Pi or a person, looks broken, and git gives up before it
 * has done anything. It is whole a moment later, so the call is made again then, a few times.
 */
export async function tryWorktree(args: readonly string[], call: GitCall): Promise<ProcessEnd> {
	for (let left = mostLooks; ; left--) {
		const end = await tryGit(["worktree", ...args], call);
		if (left === 1 || end.code === 0 || !halfMade.test(end.stderr)) return end;
		// Cut short by the signal, whose reason the next call rejects with.
		await setTimeout(betweenLooksMs, undefined, { signal: call.signal }).catch(() => undefined);
	}
}

/** As `tryWorktree`, but rejects with a `GitFailure` where git fails. */
export async function gitWorktree(args: readonly string[], call: GitCall): Promise<void> {
	outputOf(["worktree"], await tryWorktree(args, call));
}

const halfMade = /failed to read .*[\\/]worktrees[\\/]/;
const mostLooks = 5;
const betweenLooksMs = 100;

/** One line of output, without the line's end. A path may have line breaks of its own. */
export async function gitLine(args: readonly string[], call: GitCall): Promise<string> {
	return (await git(args, call)).replace(/\r?\n$/, "");
}

/**
 * One line of output, or `undefined` where git says no, which it does by the exit code 1. Everything else is no answer: a
 * git that was killed or could not read must not pass for a branch that is not there.
 */
export async function gitMaybe(args: readonly string[], call: GitCall): Promise<string | undefined> {
	const end = await tryGit(args, call);
	if (end.code === 0) return end.stdout.replace(/\r?\n$/, "");
	if (end.code === 1) return undefined;
	throw failureOf(args, end);
}

/** The entries of output that was asked for with `-z`. */
export async function gitList(args: readonly string[], call: GitCall): Promise<string[]> {
	return (await git(args, call)).split("\0").filter((entry) => entry !== "");
}

function failureOf(args: readonly string[], { code, stderr }: ProcessEnd): GitFailure {
	const said = oneLine(stderr, 500);
	const ended = code === undefined ? "was killed" : `ended with ${code}`;
	return new GitFailure(`git ${args[0] ?? ""} ${said === "" ? ended : `failed: ${said}`}`);
}

/** Ours, without what would make git work on another repository (Pi may have been started from a hook), or ask. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !misleading.has(name.toUpperCase()));
	return {
		...Object.fromEntries(kept),
		GIT_TERMINAL_PROMPT: "0",
		GIT_ASKPASS: "true",
		SSH_ASKPASS: "true",
		GIT_EDITOR: "true",
		GIT_SEQUENCE_EDITOR: "true",
		GIT_PAGER: "cat",
		LC_ALL: "C",
		...more,
	};
}

const misleading: ReadonlySet<string> = new Set([
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_COMMON_DIR",
	"GIT_PREFIX",
	"GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE",
	"GIT_EXTERNAL_DIFF",
	"GIT_LITERAL_PATHSPECS",
	"GIT_GLOB_PATHSPECS",
	"GIT_NOGLOB_PATHSPECS",
	"GIT_ICASE_PATHSPECS",
]);
