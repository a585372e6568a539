import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { read, useRepository } from "./worktree-fixture.ts";

describe("a worktree", () => {
	it("has the parent's commit on a branch of its own, outside of the repository", async () => {
		const repo = useRepository();
		const tree = await repo.open({ agentId: "agent-one" });
		expect(tree).toMatchObject({ path: join(repo.folder, "agent-one"), cwd: tree.path, branch: "agent/agent-one" });
		expect(read(join(tree.path, "sub/b.txt"))).toBe("b\n");
		expect(repo.gitIn(tree.path, "branch", "--show-current")).toBe("agent/agent-one");
		expect(repo.git("status", "--porcelain")).toBe("");
	});

	it("in which nothing was changed goes, and its branch and its folder with it", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		expect(await tree.close("work")).toEqual({
			branches: [],
			start: repo.git("rev-parse", "HEAD"),
			files: [],
			fileCount: 0,
			ignored: [],
		});
		expect(repo.leftThere()).toEqual([]);
		expect(existsSync(repo.folder)).toBe(false);
		expect(repo.branches()).toEqual(["main"]);
		expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
	});

	it("leaves changed, new and deleted files on its branch, the ignored ones aside", async () => {
		const repo = useRepository({ files: { "a.txt": "a\n", "gone.txt": "x\n", ".gitignore": "*.log\n" } });
		const tree = await repo.open({ agentId: "agent-two" });
		writeFileSync(join(tree.path, "a.txt"), "changed\n");
		repo.gitIn(tree.path, "rm", "--quiet", "gone.txt");
		mkdirSync(join(tree.path, "new"));
		writeFileSync(join(tree.path, "new/with space\nand line.txt"), "n");
		writeFileSync(join(tree.path, "noise.log"), "noise");
		const end = await tree.close("what it did");
		expect(end).toMatchObject({
			branches: ["agent/agent-two"],
			files: ["M a.txt", "D gone.txt", "A new/with space\nand line.txt"],
			fileCount: 3,
			ignored: ["noise.log"],
		});
		expect(end.kept).toBeUndefined();
		expect(repo.filesOf("agent/agent-two")).toEqual({
			".gitignore": "*.log",
			"a.txt": "changed",
			"new/with space\nand line.txt": "n",
		});
		expect(repo.git("log", "-1", "--format=%s by %an", "agent/agent-two")).toBe("what it did by Owner");
		expect(repo.leftThere()).toEqual([]);
		expect(read(join(repo.top, "a.txt"))).toBe("a\n");
		expect(repo.git("status", "--porcelain")).toBe("");
	});

	it("lists the first files of many, and counts the others", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		for (let at = 0; at < 30; at++) writeFileSync(join(tree.path, `f${at}`), "");
		const end = await tree.close("many");
		expect([end.files.length, end.fileCount]).toEqual([20, 30]);
	});

	it("starts in the parent's folder, also where the commit does not have that", async () => {
		const repo = useRepository();
		repo.write("only/here/note.txt", "not committed");
		const [sub, only] = [
			await repo.open({ cwd: join(repo.top, "sub") }),
			await repo.open({ cwd: join(repo.top, "only/here") }),
		];
		expect(sub.cwd).toBe(join(sub.path, "sub"));
		expect(only.cwd).toBe(join(only.path, "only/here"));
		expect(existsSync(only.cwd)).toBe(true);
		expect(only.uncommitted).toBe(1);
		expect(await only.close("none")).toMatchObject({ branches: [] });
		expect(repo.leftThere()).toEqual([sub.path, `${sub.path}.json`].map((path) => path.slice(repo.folder.length + 1)));
	});

	it("does not count as changed for what the setup has left in it", async () => {
		const repo = useRepository();
		const setup = 'echo "$PI_AGENT_ID" >made.txt && cp "$PI_WORKTREE_SOURCE/.env" "$PI_WORKTREE/.env"';
		repo.write(".env", "secret");
		const idle = await repo.open({ setup, agentId: "agent-idle" });
		expect([read(join(idle.path, "made.txt")), read(join(idle.path, ".env"))]).toEqual(["agent-idle\n", "secret"]);
		expect(await idle.close("none")).toMatchObject({ branches: [], ignored: [] });
		const busy = await repo.open({ setup, agentId: "agent-busy" });
		writeFileSync(join(busy.path, "work.txt"), "w");
		expect((await busy.close("work")).branches).toEqual(["agent/agent-busy"]);
		expect(repo.leftThere()).toEqual([]);
		expect(repo.branches()).toEqual(["agent/agent-busy", "main"]);
	});

	it("is gone, and the failure told, when the setup fails and leaves it clean", async () => {
		const repo = useRepository();
		const failing = repo.open({ setup: "echo half; echo 'no such package' >&2; exit 3" });
		await expect(failing).rejects.toThrow(/setup of the worktree .* ended with 3:\nhalf\n\nno such package$/s);
		expect([repo.leftThere(), repo.branches()]).toEqual([[], ["main"]]);
	});

	it("is kept and named when the setup fails and leaves something in it", async () => {
		const repo = useRepository();
		const failing = repo.open({ agentId: "agent-half", setup: "echo x >half; exit 1" });
		await expect(failing).rejects.toThrow(
			`The worktree is kept at ${repo.folder}/agent-half: it has 1 uncommitted change.`,
		);
		expect(read(join(repo.folder, "agent-half/half"))).toBe("x\n");
	});

	it("is gone when a setup that does not end takes too long", async () => {
		const repo = useRepository();
		const failing = repo.open({ setup: "sleep 1000 & wait", setupTimeoutMs: 200 });
		await expect(failing).rejects.toThrow(/took longer than 0.2 s/);
		expect([repo.leftThere(), repo.branches()]).toEqual([[], ["main"]]);
	});

	it("goes on where the agent was when that is resumed", async () => {
		const repo = useRepository();
		const first = await repo.open({ agentId: "agent-again" });
		writeFileSync(join(first.path, "one.txt"), "1");
		await first.close("one");
		const second = await repo.open({ agentId: "agent-again", run: 2 });
		expect([second.path, second.branch]).toEqual([first.path, first.branch]);
		expect(read(join(second.path, "one.txt"))).toBe("1");
		expect(await second.close("nothing")).toMatchObject({ branches: [] });
		expect(repo.branches()).toContain("agent/agent-again");
		const third = await repo.open({ agentId: "agent-again", run: 3 });
		writeFileSync(join(third.path, "two.txt"), "2");
		expect(await third.close("two")).toMatchObject({ branches: ["agent/agent-again"], files: ["A two.txt"] });
		expect(repo.branches()).toEqual(["agent/agent-again", "main"]);
	});

	it("comes beside others that are made at the same moment", async () => {
		const repo = useRepository();
		const trees = await Promise.all(Array.from({ length: 6 }, () => repo.open()));
		for (const { path } of trees) writeFileSync(join(path, "mine.txt"), path);
		const ends = await Promise.all(trees.map((tree) => tree.close("mine")));
		// Each says one branch, and there its work is.
		const branches = ends.map((end) => end.branches.join());
		expect(branches.map((branch) => repo.git("show", `${branch}:mine.txt`))).toEqual(trees.map((tree) => tree.path));
		expect(repo.leftThere()).toEqual([]);
	});

	it("comes while git is in the middle of making another", async () => {
		const repo = useRepository();
		const half = repo.halfMadeWorktree();
		const tree = await repo.open();
		expect(half.wasMet()).toBe(true);
		writeFileSync(join(tree.path, "mine.txt"), "m");
		expect(await tree.close("mine")).toMatchObject({ branches: [tree.branch], files: ["A mine.txt"] });
	});

	it("is refused with git's words where another stays broken, and leaves nothing", async () => {
		const repo = useRepository();
		const half = repo.halfMadeWorktree({ staysBroken: true });
		await expect(repo.open()).rejects.toThrow(/There can be no worktree: git worktree failed: fatal: failed to read/);
		expect(half.wasMet()).toBe(true);
		expect([repo.leftThere(), repo.branches()]).toEqual([[], ["main"]]);
	});
});
