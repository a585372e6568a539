import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectLeftoverWorktrees, listLeftoverWorktrees } from "../../src/host/worktree-leftovers.ts";
import type { WorktreeMark } from "../../src/host/worktree-mark.ts";
import type { OpenWorktree } from "../../src/host/worktree-open.ts";
import { collectionText } from "../../src/host/worktree-report.ts";
import { type RepositoryFixture, read, useRepository } from "./worktree-fixture.ts";

/** The worktree as a process leaves it that is no more. */
function orphan({ path }: OpenWorktree, owner?: WorktreeMark["owner"]): void {
	const dead = spawnSync(process.execPath, ["-e", ""]).pid;
	const mark = JSON.parse(readFileSync(`${path}.json`, "utf8")) as WorktreeMark;
	writeFileSync(`${path}.json`, JSON.stringify({ ...mark, owner: owner ?? { pid: dead, started: "1" } }));
}

const collect = (repo: RepositoryFixture) => collectLeftoverWorktrees(repo.agentDir, AbortSignal.timeout(60_000));

describe("worktrees of processes that have ended", () => {
	it("are listed, and those of live processes are not", async () => {
		const repo = useRepository();
		const [dead] = [await repo.open(), await repo.open()];
		expect(await listLeftoverWorktrees(repo.agentDir)).toEqual([]);
		orphan(dead);
		const [leftover, ...more] = await listLeftoverWorktrees(repo.agentDir);
		expect(more).toEqual([]);
		expect(leftover).toMatchObject({ mark: { path: dead.path, branch: dead.branch }, orphaned: true });
	});

	it("are told from those of another process that has the same id now", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		orphan(tree, { pid: process.pid, started: "long ago" });
		expect(await listLeftoverWorktrees(repo.agentDir)).toHaveLength(1);
	});

	it("go when they are clean: an unchanged one as a whole, one with commits but for its branch", async () => {
		const repo = useRepository();
		const [idle, done] = [await repo.open({ agentId: "agent-idle" }), await repo.open({ agentId: "agent-done" })];
		writeFileSync(join(done.path, "new.txt"), "n");
		repo.gitIn(done.path, "add", "--all");
		repo.gitIn(done.path, "commit", "--quiet", "--message=done");
		const kept = await repo.open();
		repo.git("worktree", "lock", kept.path);
		await kept.close("none");
		orphan(idle);
		orphan(done);
		const text = collectionText(await collect(repo));
		expect(text?.split("\n").sort()).toEqual([
			"- removed agent-done's; its work is on agent/agent-done",
			"- removed agent-idle's, unchanged",
			"Worktrees of agents whose process had ended:",
		]);
		expect(repo.branches()).toEqual(["agent/agent-done", kept.branch, "main"].sort());
		// Its own process is there to see to it.
		expect(existsSync(kept.path)).toBe(true);
		expect(await collect(repo)).toEqual([]);
	});

	it("are kept for a new file, whatever the user's git shows of those", async () => {
		const repo = useRepository();
		repo.git("config", "status.showUntrackedFiles", "no");
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		orphan(tree);
		expect((await collect(repo))[0]?.end.kept?.path).toBe(tree.path);
		expect(read(join(tree.path, "new.txt"))).toBe("n");
	});

	it("are kept and named when they are not clean, however often they are found", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		writeFileSync(join(tree.path, "new.txt"), "n");
		orphan(tree);
		await collect(repo);
		const again = await collect(repo);
		expect(again[0]?.end.kept).toEqual({ path: tree.path, reason: "it has 1 uncommitted change" });
		expect(collectionText(again)).toContain(`kept ${tree.path} (branch ${tree.branch} of ${repo.top})`);
		expect(read(join(tree.path, "new.txt"))).toBe("n");
	});

	it("are gone on with by their agent, when that is resumed", async () => {
		const repo = useRepository();
		const tree = await repo.open({ agentId: "agent-back" });
		writeFileSync(join(tree.path, "new.txt"), "n");
		await expect(repo.open({ agentId: "agent-back", run: 1 })).rejects.toThrow(/already/);
		orphan(tree);
		const again = await repo.open({ agentId: "agent-back", run: 2 });
		expect(await listLeftoverWorktrees(repo.agentDir)).toEqual([]);
		expect(await again.close("work")).toMatchObject({ branches: ["agent/agent-back"], files: ["A new.txt"] });
		expect(repo.leftThere()).toEqual([]);
	});

	it("are not searched for where nothing ever made one, and what is no mark is passed over", async () => {
		const repo = useRepository();
		expect(await listLeftoverWorktrees(repo.agentDir)).toEqual([]);
		expect(existsSync(repo.agentDir)).toBe(false);
		mkdirSync(repo.folder, { recursive: true });
		const stray = {
			version: 1,
			agentId: "agent-x",
			path: "/",
			owner: { pid: 1 },
			repository: "/",
			source: "/",
			branch: "b",
			start: "c",
		};
		const files = {
			"a.json": "{",
			"b.json": "null",
			"c.json": "[]",
			"d.json": JSON.stringify(stray),
			"e.json": '{"version":2}',
		};
		for (const [name, content] of Object.entries(files)) writeFileSync(join(repo.folder, name), content);
		expect(await collect(repo)).toEqual([]);
	});

	it("are put elsewhere when the agent directory lies in the repository", async () => {
		const repo = useRepository();
		const tree = await repo.open({ agentDir: join(repo.top, ".home") });
		expect(tree.path.startsWith(repo.top)).toBe(false);
		orphan(tree);
		const found = await listLeftoverWorktrees(repo.agentDir);
		expect(found.map(({ mark }) => mark.path)).toContain(tree.path);
		expect(await tree.close("none")).toMatchObject({ branches: [] });
		expect(existsSync(tree.path)).toBe(false);
	});
});
