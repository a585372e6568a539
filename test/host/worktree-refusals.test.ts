import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { newId, read, until, useRepository } from "./worktree-fixture.ts";

describe("there is no worktree", () => {
	it("without a repository, without a commit, in a bare repository and inside of a git directory", async () => {
		const repo = useRepository();
		const outside = mkdtempSync(join(repo.root, "none-"));
		await expect(repo.open({ cwd: outside })).rejects.toThrow(`${outside} is not in a git repository`);
		await expect(repo.open({ cwd: join(repo.top, ".git") })).rejects.toThrow(/inside of a git directory/);
		repo.gitIn(outside, "init", "--quiet", "--bare", "bare.git");
		await expect(repo.open({ cwd: join(outside, "bare.git") })).rejects.toThrow(/bare git repository/);
		repo.gitIn(outside, "init", "--quiet", "fresh");
		await expect(repo.open({ cwd: join(outside, "fresh") })).rejects.toThrow(/no commit yet.*commit first/);
		expect(existsSync(repo.agentDir)).toBe(false);
	});

	it("without git", async () => {
		const repo = useRepository();
		vi.stubEnv("PATH", repo.root);
		await expect(repo.open()).rejects.toThrow("git was not found on this machine");
	});

	it.each([
		"../out",
		"a/../../b",
		"with space",
		"two\nlines",
		"$(touch canary)",
		"`touch canary`",
		";touch canary",
		"",
		"-",
		"abc",
	])("for an agent called %j", async (agentId) => {
		const repo = useRepository();
		await expect(repo.open({ agentId })).rejects.toThrow("the agent's id is not one");
		expect([repo.branches(), readdirSync(repo.root).sort()]).toEqual([["main"], ["project"]]);
	});

	it("where something lies in its place already, which is left alone", async () => {
		const repo = useRepository();
		mkdirSync(join(repo.folder, "agent-taken"), { recursive: true });
		writeFileSync(join(repo.folder, "agent-taken/file"), "mine");
		await expect(repo.open({ agentId: "agent-taken" })).rejects.toThrow(/something at .* already/);
		await expect(repo.open({ agentId: "agent-taken", run: 2 })).rejects.toThrow(/something at .* already/);
		expect(read(join(repo.folder, "agent-taken/file"))).toBe("mine");
	});

	it("where the parent's folder is a link in the commit", async () => {
		const repo = useRepository();
		symlinkSync("..", join(repo.top, "link"));
		repo.git("add", "link");
		repo.git("commit", "--quiet", "--message=link");
		rmSync(join(repo.top, "link"));
		mkdirSync(join(repo.top, "link"));
		await expect(repo.open({ cwd: join(repo.top, "link") })).rejects.toThrow("in the commit, link is not a folder");
		expect([repo.leftThere(), repo.branches()]).toEqual([[], ["main"]]);
	});

	it("once it is not wanted any more, at any moment of its making, and then nothing is left of it", async () => {
		const repo = useRepository();
		const begun = join(repo.root, "begun");
		repo.git("config", "filter.slow.smudge", `echo >'${begun}' && sleep 1000`);
		writeFileSync(join(repo.top, ".gitattributes"), "b.txt filter=slow\n");
		repo.git("add", "--all");
		repo.git("commit", "--quiet", "--message=slow");
		const stop = new AbortController();
		const opening = repo.open({ signal: stop.signal });
		await until(() => existsSync(begun));
		const reason = new Error("stopped");
		stop.abort(reason);
		await expect(opening).rejects.toBe(reason);
		await expect(repo.open({ signal: stop.signal })).rejects.toBe(reason);
		expect([repo.leftThere(), repo.branches()]).toEqual([[], ["main"]]);
		expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
	});
});

describe("names", () => {
	it.each(["with space", "two\nlines", "$(touch canary)", "a;touch canary", "'\"`touch canary`", "-rf", "ünï çode"])(
		"of a repository such as %j reach no shell",
		async (name) => {
			const repo = useRepository({ name, files: { "sub dir/$(touch canary)": "x", "a.txt": "a" } });
			const tree = await repo.open({ cwd: join(repo.top, "sub dir") });
			writeFileSync(join(tree.cwd, ";touch canary"), "new");
			const end = await tree.close(`-m "$(touch canary)"`);
			expect(end).toMatchObject({ branches: [tree.branch], files: ["A sub dir/;touch canary"] });
			expect(end.kept).toBeUndefined();
			const names = readdirSync(repo.root, { recursive: true }).map(String);
			expect(names.filter((path) => /(^|\/)canary/.test(path))).toEqual([]);
		},
	);

	it("of branches that are taken give way", async () => {
		const repo = useRepository();
		const agentId = newId();
		repo.git("branch", `agent/${agentId}`);
		expect((await repo.open({ agentId })).branch).toBe(`agent/${agentId}-2`);
	});

	it("of branches that cannot be, because one is called agent, give way", async () => {
		const repo = useRepository();
		repo.git("branch", "agent");
		const agentId = newId();
		expect((await repo.open({ agentId })).branch).toBe(`agent-${agentId}`);
	});
});

describe("a worktree whose folder is not what it was is left alone", () => {
	it("when a link stands in its place", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		const victim = join(repo.root, "victim");
		renameSync(tree.path, victim);
		symlinkSync(victim, tree.path);
		writeFileSync(join(victim, "new.txt"), "n");
		const end = await tree.close("work");
		expect([end.branches, repo.git("rev-parse", tree.branch)]).toEqual([[], tree.start]);
		expect(end.kept).toEqual({ path: tree.path, reason: "its folder is behind a link now" });
		expect(read(join(victim, "a.txt"))).toBe("a\n");
	});

	it("when another folder stands in its place", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		renameSync(tree.path, join(repo.root, "moved"));
		mkdirSync(tree.path);
		writeFileSync(join(tree.path, ".git"), read(join(repo.root, "moved/.git")));
		expect((await tree.close("work")).kept?.reason).toBe("its folder was replaced by another");
	});

	it("when its .git points at another repository", async () => {
		const repo = useRepository();
		const other = useRepository({ name: "other" });
		const tree = await repo.open();
		writeFileSync(join(tree.path, ".git"), `gitdir: ${other.top}/.git\n`);
		const end = await tree.close("work");
		expect(end.kept?.reason).toBe("what ties it to the repository was changed");
		expect(other.git("status", "--porcelain")).toBe("");
		expect(other.git("rev-list", "--all", "--count")).toBe("1");
	});

	it("when its .git is a link or a folder", async () => {
		const repo = useRepository();
		const tree = await repo.open();
		renameSync(join(tree.path, ".git"), join(repo.root, "dot-git"));
		symlinkSync(join(repo.root, "dot-git"), join(tree.path, ".git"));
		expect((await tree.close("work")).kept?.reason).toMatch(/\.git is not a file/);
	});

	it("and what links in it lead to is neither committed nor removed", async () => {
		const repo = useRepository();
		const precious = join(repo.root, "precious");
		mkdirSync(precious);
		writeFileSync(join(precious, "file"), "p");
		const tree = await repo.open();
		symlinkSync(precious, join(tree.path, "out"));
		symlinkSync(join(precious, "file"), join(tree.path, "out-file"));
		const end = await tree.close("links");
		expect(end).toMatchObject({ branches: [tree.branch], files: ["A out", "A out-file"] });
		expect(repo.git("show", `${tree.branch}:out`)).toBe(precious);
		expect([repo.leftThere(), read(join(precious, "file"))]).toEqual([[], "p"]);
	});
});
