import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkWithin } from "../../src/host/worktree-tools.ts";

function useFolders(): { root: string; outside: string } {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "bounds-")));
	onTestFinished(() => rmSync(base, { recursive: true, force: true }));
	const [root, outside] = [join(base, "tree"), join(base, "outside")];
	mkdirSync(join(root, "sub"), { recursive: true });
	mkdirSync(outside);
	writeFileSync(join(outside, "file"), "");
	return { root, outside };
}

describe("a write within a worktree", () => {
	it.each(["a.txt", "sub/a.txt", "new/deep/a.txt", "..a.txt", ".github/x"])("may go to %s", async (path) => {
		const { root } = useFolders();
		await expect(checkWithin(join(root, path), root)).resolves.toBeUndefined();
	});

	it("may go through a link that stays inside", async () => {
		const { root } = useFolders();
		symlinkSync("sub", join(root, "link"));
		await expect(checkWithin(join(root, "link/a.txt"), root)).resolves.toBeUndefined();
	});

	it("may not go beside it, above it, to a folder whose name begins like its own, or to what ties it to git", async () => {
		const { root, outside } = useFolders();
		for (const path of [join(outside, "new"), join(outside, "file"), join(root, ".."), `${root}-2/a`, "/a", "/"]) {
			await expect(checkWithin(path, root)).rejects.toThrow(`${path} is outside of your worktree, ${root}`);
		}
		await expect(checkWithin(join(root, ".git"), root)).rejects.toThrow("ties the worktree to its repository");
	});

	it("may not go through a link that leads out, be it to a folder, a file or nowhere yet", async () => {
		const { root, outside } = useFolders();
		symlinkSync(outside, join(root, "folder"));
		symlinkSync(join(outside, "file"), join(root, "file"));
		symlinkSync(join(outside, "later"), join(root, "nowhere"));
		for (const path of ["folder/new", "folder/deep/new", "file", "nowhere"]) {
			await expect(checkWithin(join(root, path), root)).rejects.toThrow("outside of your worktree");
		}
		expect(existsSync(join(outside, "later"))).toBe(false);
	});
});
