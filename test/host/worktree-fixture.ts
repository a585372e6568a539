import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { type OpenWorktree, openWorktree, type WorktreeRequest } from "../../src/host/worktree-open.ts";
import { type AgentId, parseAgentId } from "../../src/streams/ids.ts";

export interface RepositoryOptions {
	/** The name of the repository's folder. */
	readonly name?: string;
	/** Files of the first commit, by path. `null` for no commit at all. */
	readonly files?: Readonly<Record<string, string>> | null;
	/** Whether the repository says who commits. Nothing else does. */
	readonly identity?: boolean;
}

/** A repository in a temporary folder, and an agent directory beside it. */
export interface RepositoryFixture {
	readonly root: string;
	readonly top: string;
	readonly agentDir: string;
	/** Where worktrees go. */
	readonly folder: string;
	/** Runs git and gives what it says, without the line's end. */
	git(...args: readonly string[]): string;
	gitIn(cwd: string, ...args: readonly string[]): string;
	write(path: string, content: string): void;
	open(changes?: Partial<Omit<WorktreeRequest, "agentId">> & { readonly agentId?: string }): Promise<OpenWorktree>;
	branches(): string[];
	/** The files of a commit with their contents. */
	filesOf(commit: string): Readonly<Record<string, string>>;
	/** What lies in the folder of worktrees. */
	leftThere(): string[];
	/**
	 * Leaves what git has written of a worktree that it is in the middle of making. The first `git worktree` that meets it
	 * and fails sees to it that the other is done by the next time, unless it stays broken.
	 */
	halfMadeWorktree(options?: { readonly staysBroken?: boolean }): { wasMet(): boolean };
	/** Installs a hook that leaves a file and fails. Returns that file. */
	failingHook(name: string): string;
}

let agents = 0;

export const newId = (): string => `agent-${agents++}`;

export function useRepository(options: RepositoryOptions = {}): RepositoryFixture {
	const { name = "project", files = { "a.txt": "a\n", "sub/b.txt": "b\n" }, identity = true } = options;
	const root = realpathSync(mkdtempSync(join(tmpdir(), "worktrees-")));
	onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
	const top = join(root, name);
	const agentDir = join(root, "agent");
	const folder = join(agentDir, "orchestrator", "worktrees");
	mkdirSync(top, { recursive: true });
	// No configuration but the repository's own, and nobody to commit as.
	for (const [key, value] of Object.entries({
		HOME: root,
		XDG_CONFIG_HOME: root,
		GIT_CONFIG_GLOBAL: "",
		GIT_CONFIG_NOSYSTEM: "1",
		TMPDIR: root,
	})) {
		vi.stubEnv(key, value === "" ? join(root, "gitconfig") : value);
	}
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const gitIn = (cwd: string, ...args: readonly string[]): string =>
		execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@test.invalid", ...args], {
			cwd,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		}).replace(/\n$/, "");
	const git = (...args: readonly string[]): string => gitIn(top, ...args);
	const write = (path: string, content: string): void => {
		mkdirSync(dirname(join(top, path)), { recursive: true });
		writeFileSync(join(top, path), content);
	};
	git("init", "--quiet", "--initial-branch=main");
	if (identity) {
		git("config", "user.name", "Owner");
		git("config", "user.email", "owner@test.invalid");
	}
	if (files !== null) {
		for (const [path, content] of Object.entries(files)) write(path, content);
		git("add", "--all");
		git("commit", "--quiet", "--allow-empty", "--message=first");
	}
	const fixture: RepositoryFixture = {
		root,
		top,
		agentDir,
		folder,
		git,
		gitIn,
		write,
		open: ({ agentId = newId(), ...changes } = {}) =>
			openWorktree({
				cwd: top,
				agentDir,
				run: 1,
				signal: new AbortController().signal,
				...changes,
				agentId: agentId as AgentId,
			}),
		branches: () => git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n").sort(),
		filesOf: (commit) =>
			Object.fromEntries(
				git("ls-tree", "-r", "-z", "--name-only", commit)
					.split("\0")
					.filter((path) => path !== "")
					.map((path) => [path, git("show", `${commit}:${path}`)]),
			),
		leftThere: () => (existsSync(folder) ? readdirSync(folder).sort() : []),
		halfMadeWorktree({ staysBroken = false } = {}) {
			const entry = join(top, ".git", "worktrees", "half");
			mkdirSync(entry, { recursive: true });
			writeFileSync(join(entry, "gitdir"), `${join(root, "half", ".git")}\n`);
			writeFileSync(join(entry, "HEAD"), `${git("rev-parse", "HEAD")}\n`);
			writeFileSync(join(entry, "commondir"), "");
			const met = join(root, "half-was-met");
			const bin = join(root, "bin");
			mkdirSync(bin);
			const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
			const done = staysBroken ? "" : `rm -r '${entry}'`;
			const meet = `case "$*" in *" worktree "*) touch '${met}'; ${done};; esac`;
			writeFileSync(join(bin, "git"), `#!/bin/sh\n'${real}' "$@" || { code=$?; ${meet}; exit $code; }\n`);
			chmodSync(join(bin, "git"), 0o755);
			vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
			return { wasMet: () => existsSync(met) };
		},
		failingHook(hook) {
			const seen = join(root, `${hook}-ran`);
			const file = join(top, ".git", "hooks", hook);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `#!/bin/sh\necho ran >>'${seen}'\nexit 1\n`);
			chmodSync(file, 0o755);
			return seen;
		},
	};
	return fixture;
}

export const read = (path: string): string => readFileSync(path, "utf8");

export function idOf(text: string): AgentId {
	const id = parseAgentId(text);
	if (id === undefined) throw new Error(`${text} is no agent id`);
	return id;
}

/** Waits until a condition holds that only another process can bring about. */
export async function until(holds: () => boolean): Promise<void> {
	await vi.waitUntil(holds, { timeout: 50_000, interval: 20 });
}
