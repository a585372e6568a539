import { describe, expect, it } from "vitest";
import type { WorktreeEnd } from "../../src/host/worktree-close.ts";
import { leftBehind, parseSteps, wasMade } from "../../src/host/worktree-history.ts";
import { movePaths } from "../../src/host/worktree-paths.ts";
import { worktreeBrief, worktreeNotes } from "../../src/host/worktree-report.ts";

const move = { from: ["/repo/it", "/link/it"], to: "/tree", home: "/repo" };

describe("paths of the parent's tree in a prompt", () => {
	it.each([
		["/repo/it", "/tree"],
		["read /repo/it/src/a.ts, then /repo/it.", "read /tree/src/a.ts, then /tree."],
		["/link/it/a and /repo/it/b", "/tree/a and /tree/b"],
		["~/it/src", "/tree/src"],
		["(/repo/it) '/repo/it' `/repo/it/x` --dir=/repo/it", "(/tree) '/tree' `/tree/x` --dir=/tree"],
		["file:///repo/it/a.ts:12", "file:///tree/a.ts:12"],
		["PATH=/bin:/repo/it/bin:/usr", "PATH=/bin:/tree/bin:/usr"],
		["first\n/repo/it/x", "first\n/tree/x"],
	])("are those of the worktree: %j", (text, moved) => {
		expect(movePaths(text, move)).toBe(moved);
	});

	it.each([
		"/repo/item",
		"/repo/it-old/x",
		"/repo/it.git",
		"/repo/itä",
		"/other/repo/it",
		"../repo/it",
		"./repo/it",
		"x/repo/it",
		"a~/it",
		"/repo",
		"$& $1",
	])("do not include %j", (text) => {
		expect(movePaths(text, move)).toBe(text);
	});

	it("are taken literally, whatever characters they have", () => {
		const from = ["/a (b)/c+d$&"];
		expect(movePaths("see /a (b)/c+d$&/x", { from, to: "/$&/tree" })).toBe("see /$&/tree/x");
		expect(movePaths("see /a (b)/ccd$&/x", { from, to: "/tree" })).toBe("see /a (b)/ccd$&/x");
	});

	it("are left where the tree is the root of everything", () => {
		expect(movePaths("/etc/passwd and /", { from: ["/"], to: "/tree" })).toBe("/etc/passwd and /");
	});
});

const end: WorktreeEnd = { branches: [], start: "0123456789abcdef", files: [], fileCount: 0, ignored: [] };

describe("what a result says of a worktree", () => {
	it("is the branch, the files and how to take them over", () => {
		expect(
			worktreeNotes({ ...end, branches: ["agent/one", "agent/one-2"], files: ["M a", "A b"], fileCount: 2 }),
		).toEqual([
			"Its work is on the branch agent/one, not in your files: 2 files (M a, A b).",
			"To see it: git diff 0123456789ab agent/one. To take it over: git merge agent/one.",
			"More of its work is on the branch agent/one-2.",
		]);
	});

	it("is that nothing was changed, or what is not kept, or where the worktree still is and why", () => {
		expect(worktreeNotes(end)).toEqual(["It changed no files in its worktree."]);
		expect(worktreeNotes({ ...end, ignored: ["out/"] })[1]).toBe("Not kept, because git ignores them: out/.");
		expect(worktreeNotes({ ...end, kept: { path: "/tree", reason: "a lock" } })).toEqual([
			"Its worktree is kept at /tree: a lock.",
		]);
	});

	it("is bounded, on one line each, and has no command in it that a name could have brought", () => {
		const files = Array.from({ length: 20 }, (_, at) => `A ${at}\n${"x".repeat(5_000)}`);
		const notes = worktreeNotes({ ...end, branches: ["a;rm$IFS-rf'b"], files, fileCount: 99 });
		expect(notes.join("").length).toBeLessThan(4_000);
		expect(notes.filter((note) => note.includes("\n"))).toEqual([]);
		expect(notes[0]).toMatch(/and 87 more\)\.$/);
		expect(notes[1]).toContain("git merge 'a;rm$IFS-rf'\\''b'.");
	});

	it("tells the agent what is not there, where something is not", () => {
		const tree = { cwd: "/tree/sub", path: "/tree", branch: "agent/one", start: "0123456789abcdef", uncommitted: 0 };
		expect(worktreeBrief(tree)).not.toContain("not committed");
		expect(worktreeBrief({ ...tree, uncommitted: 2 })).toContain("not committed in the main working tree");
	});
});

describe("the log of a worktree", () => {
	const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(40)) as [string, string, string];
	const line = (from: string, to: string, message: string): string => `${from} ${to} Me <me@x> 1 +0000\t${message}`;

	it("is read line by line, and what is no line of it left out", () => {
		expect(parseSteps(`${line(a, b, "commit: with\ttab")}\nnonsense\n`)).toEqual([
			{ from: a, to: b, message: "commit: with\ttab" },
		]);
	});

	it("tells commits that were made from those that were looked at, and those that were left", () => {
		const steps = parseSteps(
			[
				line(a, b, "checkout: moving from x to y"),
				line(b, c, "commit: c"),
				line(c, a, "checkout: moving from y to x"),
			].join("\n"),
		);
		expect([wasMade(b, steps), wasMade(c, steps), wasMade(b, undefined)]).toEqual([false, true, true]);
		expect(leftBehind(steps)).toEqual([c]);
	});

	it("does not count as left what was amended", () => {
		expect(leftBehind(parseSteps([line(a, b, "commit: b"), line(b, c, "commit (amend): c")].join("\n")))).toEqual([]);
	});
});
