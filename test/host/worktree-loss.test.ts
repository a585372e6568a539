import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RepositoryFixture, read, useRepository } from "./worktree-fixture.ts";

/** Whether a branch reaches a commit, so that git never throws it away. */
const reached = (repo: RepositoryFixture, commit: string): boolean =>
	repo.git("for-each-ref", `--contains=${commit}`, "refs/heads") !== "";

const commitIn = (repo: RepositoryFixture, path: string, file: string): string => {
	writeFileSync(join(path, file), file);
	repo.gitIn(path, "add", "--all");
	repo.gitIn(path, "commit", "--quiet", `--message=${file}`);
	return repo.gitIn(path, "rev-parse", "HEAD");
};

describe("work in a worktree is not lost", () => {
	it("where git knows nobody to commit as", async () => {
		const repo = useRepository({ identity: false });
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		const end = await tree.close("work");
		expect(end.kept).toBeUndefined();
		expect(repo.git("show", `${tree.branch}:new.txt`)).toBe("n");
		expect(repo.git("log", "-1", "--format=%an <%ae>", tree.branch)).toBe("Pi agent <agent@pi.invalid>");
	});

	it("where every hook fails and a signature is asked for", async () => {
		const repo = useRepository();
		const hooks = ["pre-commit", "commit-msg", "post-checkout", "post-commit", "reference-transaction"];
		repo.git("config", "commit.gpgSign", "true");
		repo.git("config", "gpg.program", "false");
		const ran = hooks.map((hook) => repo.failingHook(hook));
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		const end = await tree.close("work");
		expect(end).toMatchObject({ branches: [tree.branch], files: ["A new.txt"] });
		expect(end.kept).toBeUndefined();
		expect(ran.filter((file) => existsSync(file))).toEqual([]);
	});

	it("where the agent has committed, and changed more after that", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		const commit = commitIn(repo, tree.path, "one.txt");
		writeFileSync(join(tree.path, "two.txt"), "2");
		const end = await tree.close("the rest");
		expect(end).toMatchObject({ branches: [tree.branch], files: ["A one.txt", "A two.txt"] });
		expect(repo.git("rev-parse", `${tree.branch}~1`)).toBe(commit);
	});

	it("where the agent has committed and changed on a detached HEAD", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		repo.gitIn(tree.path, "checkout", "--quiet", "--detach");
		const commit = commitIn(repo, tree.path, "one.txt");
		writeFileSync(join(tree.path, "two.txt"), "2");
		expect(await tree.close("the rest")).toMatchObject({ branches: [tree.branch], fileCount: 2 });
		expect(reached(repo, commit)).toBe(true);
		expect(repo.leftThere()).toEqual([]);
	});

	it("where it was committed on a detached HEAD and then left for the branch, which went another way", async () => {
		const repo = useRepository();
		const tree = await repo.open({ agentId: "agent-left" });
		repo.gitIn(tree.path, "checkout", "--quiet", "--detach");
		const left = commitIn(repo, tree.path, "left.txt");
		repo.gitIn(tree.path, "checkout", "--quiet", tree.branch);
		const other = commitIn(repo, tree.path, "other.txt");
		expect((await tree.close("none")).branches).toEqual([tree.branch, "agent/agent-left-2"]);
		expect([reached(repo, left), reached(repo, other)]).toEqual([true, true]);
	});

	it("where the detached HEAD and the branch went two ways", async () => {
		const repo = useRepository();
		const tree = await repo.open({ agentId: "agent-fork" });
		const onBranch = commitIn(repo, tree.path, "branch.txt");
		repo.gitIn(tree.path, "checkout", "--quiet", "--detach", "HEAD~1");
		writeFileSync(join(tree.path, "detached.txt"), "d");
		expect((await tree.close("detached")).branches).toEqual(["agent/agent-fork-2", tree.branch]);
		expect(reached(repo, onBranch)).toBe(true);
		expect(repo.git("show", "agent/agent-fork-2:detached.txt")).toBe("d");
	});

	it("where the agent works on a branch of its own choosing, and never moves one that was there", async () => {
		const repo = useRepository();
		repo.git("branch", "develop");
		const tree = await repo.open({ agentId: "agent-own" });
		repo.gitIn(tree.path, "checkout", "--quiet", "-b", "fix-42");
		commitIn(repo, tree.path, "fix.txt");
		repo.gitIn(tree.path, "checkout", "--quiet", "develop");
		const develop = repo.git("rev-parse", "develop");
		writeFileSync(join(tree.path, "more.txt"), "m");
		const end = await tree.close("more");
		expect(end).toMatchObject({ branches: [tree.branch], files: ["A more.txt"] });
		expect(repo.git("rev-parse", "develop")).toBe(develop);
		expect(repo.git("show", "fix-42:fix.txt")).toBe("fix.txt");
	});

	it("and a branch that was only looked at is not taken for work", async () => {
		const repo = useRepository();
		repo.git("checkout", "--quiet", "-b", "develop");
		commitIn(repo, repo.top, "dev.txt");
		repo.git("checkout", "--quiet", "main");
		const tree = await repo.open();
		repo.gitIn(tree.path, "checkout", "--quiet", "develop");
		expect((await tree.close("none")).branches).toEqual([]);
		expect(repo.branches()).toEqual(["develop", "main"]);
		expect(repo.leftThere()).toEqual([]);
	});

	it("where the agent has removed its branch, or is in the middle of a merge", async () => {
		const repo = useRepository();
		const bare = await repo.open();
		repo.gitIn(bare.path, "checkout", "--quiet", "--detach");
		repo.git("branch", "--quiet", "-D", bare.branch);
		writeFileSync(join(bare.path, "new.txt"), "n");
		expect((await bare.close("work")).branches).toEqual([bare.branch]);

		const merging = await repo.open();
		writeFileSync(join(merging.path, "new.txt"), "another");
		repo.gitIn(merging.path, "add", "--all");
		repo.gitIn(merging.path, "commit", "--quiet", "--message=another");
		expect(() => repo.gitIn(merging.path, "merge", bare.branch)).toThrow();
		expect((await merging.close("half a merge")).branches).toEqual([merging.branch]);
		expect(repo.git("rev-list", "--count", `${bare.branch}..${merging.branch}`)).toBe("2");
		expect(repo.git("show", `${merging.branch}:new.txt`)).toContain("<<<<<<<");
	});

	it("where committing fails: the worktree is kept as it is, and named with the reason", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		writeFileSync(join(repo.gitIn(tree.path, "rev-parse", "--absolute-git-dir"), "index.lock"), "");
		const end = await tree.close("work");
		expect(end).toMatchObject({ branches: [], kept: { path: tree.path } });
		expect(end.kept?.reason).toContain("index.lock");
		expect(read(join(tree.path, "new.txt"))).toBe("n");
		expect(JSON.parse(read(`${tree.path}.json`))).toMatchObject({ kept: end.kept?.reason });
	});

	it("where there is not enough time: the worktree is kept", async () => {
		const repo = useRepository();
		const tree = await repo.open({ closeTimeoutMs: 300 });
		repo.git("config", "filter.slow.clean", "sleep 1000");
		writeFileSync(join(tree.path, ".gitattributes"), "*.slow filter=slow\n");
		writeFileSync(join(tree.path, "work.slow"), "w");
		const end = await tree.close("work");
		expect(end.kept).toEqual({ path: tree.path, reason: "there was not enough time to commit everything" });
		expect(read(join(tree.path, "work.slow"))).toBe("w");
	});

	it("where it is in a repository inside of the worktree", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		const inner = join(tree.path, "inner");
		mkdirSync(inner);
		repo.gitIn(inner, "init", "--quiet");
		const commit = commitIn(repo, inner, "deep.txt");
		const end = await tree.close("work");
		expect(end.kept).toEqual({
			path: tree.path,
			reason: "it has a git repository of its own in inner, whose contents no branch has",
		});
		expect(repo.gitIn(inner, "rev-parse", "HEAD")).toBe(commit);
	});

	it("where a submodule of the worktree has changes", async () => {
		const library = useRepository({ name: "library" });
		const repo = useRepository();
		repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.top, "lib");
		repo.git("commit", "--quiet", "--message=lib");
		const tree = await repo.open();
		const update = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"];
		repo.gitIn(tree.path, ...update);
		writeFileSync(join(tree.path, "lib/a.txt"), "changed inside");
		const end = await tree.close("work");
		expect(end.kept?.path).toBe(tree.path);
		expect(read(join(tree.path, "lib/a.txt"))).toBe("changed inside");
	});

	it("where the user's git shows no untracked files", async () => {
		const repo = useRepository();
		repo.git("config", "status.showUntrackedFiles", "no");
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		expect(await tree.close("work")).toMatchObject({ files: ["A new.txt"] });
	});

	it("where something still writes after the commit", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		// While git asks for the index to be written, a filter stands in for a process that the agent has left running.
		repo.git("config", "filter.late.clean", `cat && echo late >'${tree.path}/late.txt'`);
		writeFileSync(join(tree.path, ".gitattributes"), "z.late filter=late\n");
		writeFileSync(join(tree.path, "z.late"), "z");
		const end = await tree.close("work");
		const late =
			end.kept === undefined ? repo.git("show", `${tree.branch}:late.txt`) : read(join(tree.path, "late.txt"));
		expect(late.trim()).toBe("late");
	});

	it("where the folder was removed: what had been committed is there", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		const commit = commitIn(repo, tree.path, "one.txt");
		rmSync(tree.path, { recursive: true });
		const end = await tree.close("none");
		expect(end).toMatchObject({ branches: [tree.branch], files: ["A one.txt"] });
		expect(repo.git("rev-parse", tree.branch)).toBe(commit);
		expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
	});

	it("where the repository keeps no log of what was checked out", async () => {
		const repo = useRepository();
		repo.git("config", "core.logAllRefUpdates", "false");
		const tree = await repo.open();
		repo.gitIn(tree.path, "checkout", "--quiet", "--detach");
		const commit = commitIn(repo, tree.path, "one.txt");
		expect((await tree.close("none")).branches).toEqual([tree.branch]);
		expect(reached(repo, commit)).toBe(true);
	});

	it("where somebody has locked it: it stays, and its work is on the branch as well", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		repo.git("worktree", "lock", tree.path);
		appendFileSync(join(tree.path, "a.txt"), "more");
		const end = await tree.close("work");
		expect(end.branches).toEqual([tree.branch]);
		expect(end.kept?.reason).toMatch(/locked/);
		expect(execFileSync("git", ["show", `${tree.branch}:a.txt`], { cwd: repo.top, encoding: "utf8" })).toBe("a\nmore");
	});
});
