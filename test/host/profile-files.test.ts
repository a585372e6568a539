import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProfileFiles, type ProfileFiles } from "../../src/host/profile-files.ts";
import { mostBytes } from "../../src/host/read-small-text.ts";
import { createSessionProblems } from "../../src/host/session-problems.ts";
import { builtInProfiles, formatDiagnostic } from "../../src/profiles/index.ts";

interface Place {
	readonly root: string;
	readonly files: ProfileFiles;
	/** Writes a file of the project's (`.pi/agents/…`) or of the user's (`agent/agents/…`), by its path below the root. */
	write(path: string, content: string | Uint8Array): string;
	/** The names that files have, after a refresh, in order of precedence. */
	names(): Promise<readonly string[]>;
	/** All complaints, after a refresh. */
	complaints(): Promise<readonly string[]>;
}

function usePlace({ trusted = true }: { readonly trusted?: boolean } = {}): Place {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "profiles-")));
	onTestFinished(() => rmSync(root, { recursive: true, force: true }));
	mkdirSync(join(root, "project"));
	const files = createProfileFiles({ agentDir: join(root, "agent"), cwd: join(root, "project"), trusted });
	return {
		root,
		files,
		write(path, content) {
			const file = join(root, path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, content);
			return file;
		},
		async names() {
			await files.refresh();
			return files
				.profiles()
				.filter(({ source }) => source !== "built-in")
				.map(({ name, source, broken }) => `${name} (${broken === undefined ? source : "broken"})`);
		},
		async complaints() {
			await files.refresh();
			return files.diagnostics().map((diagnostic) => formatDiagnostic(diagnostic).replaceAll(root, ""));
		},
	};
}

const profile = (prompt: string, ...fields: readonly string[]) =>
	["---", "description: one", ...fields, "---", prompt].join("\n");
const project = (name: string) => `project/.pi/agents/${name}`;
const user = (name: string) => `agent/agents/${name}`;

describe("profile files", () => {
	it("are none where there are no folders, and nothing is wrong with that", async () => {
		const place = usePlace();
		expect(await place.complaints()).toEqual([]);
		expect(place.files.profiles()).toEqual(builtInProfiles);
	});

	it("are the project's, then the user's, then the built-in ones", async () => {
		const place = usePlace();
		place.write(user("b.md"), profile("user b"));
		place.write(user("a.md"), profile("user a"));
		place.write(project("b.md"), profile("project b"));
		expect(await place.names()).toEqual(["b (project)", "a (user)", "b (user)"]);
		expect(place.files.profiles().slice(3)).toEqual(builtInProfiles);
		expect(place.files.profiles()[0]).toMatchObject({ systemPrompt: "project b", file: ".pi/agents/b.md" });
		expect(place.files.profiles()[1]).toMatchObject({ file: join(place.root, "agent/agents/a.md") });
	});

	it("of a project that is not trusted are not looked at, broken ones included", async () => {
		const place = usePlace({ trusted: false });
		place.write(project("a.md"), profile("project"));
		place.write(project("b.md"), "broken");
		place.write(user("c.md"), profile("user"));
		expect(await place.names()).toEqual(["c (user)"]);
		expect(place.files.diagnostics()).toEqual([]);
	});

	it("are those that end in .md and begin with no dot, and no folder's below", async () => {
		const place = usePlace();
		for (const name of ["a.txt", ".b.md", "c.md~", "deep/d.md"]) place.write(project(name), profile("no"));
		symlinkSync("nowhere", join(place.root, project(".#e.md")));
		expect(await place.names()).toEqual([]);
		expect(place.files.diagnostics()).toEqual([]);
	});

	it("of one folder have a name once, and the first file by name has it", async () => {
		const place = usePlace();
		place.write(project("one.md"), profile("first", "name: Same"));
		place.write(project("two.md"), profile("second", "name: same"));
		place.write(user("same.md"), profile("third"));
		expect(await place.complaints()).toEqual([
			'.pi/agents/two.md: name: "same" is the name of .pi/agents/one.md already; ignored',
		]);
		expect(await place.names()).toEqual(["Same (project)", "same (user)"]);
	});

	it("that are broken are one complaint each, keep their names, and take no other down", async () => {
		const place = usePlace();
		place.write(project("plan.md"), profile("loose", "max_turns: 0"));
		place.write(project("good.md"), profile("good"));
		expect(await place.names()).toEqual(["good (project)", "plan (broken)"]);
		expect(await place.complaints()).toEqual([
			'.pi/agents/plan.md:3: max_turns: 0 is not allowed: it must be a whole number from 1 to 1000000, or null for none. Until it is repaired, nothing can be started as "plan"',
		]);
	});

	const cannot: readonly [what: string, make: (place: Place) => void, why: string][] = [
		["a folder", ({ root }) => mkdirSync(join(root, project("x.md")), { recursive: true }), "it is a folder"],
		[
			"a pipe",
			({ write, root }) => {
				write(project("y.txt"), "");
				execFileSync("mkfifo", [join(root, project("x.md"))]);
			},
			"it is no file",
		],
		[
			"bytes that are no UTF-8",
			({ write }) => write(project("x.md"), Buffer.from(`${profile("caf")}\xe9`, "latin1")),
			"it is no UTF-8 text",
		],
		[
			"zero bytes",
			({ write }) => write(project("x.md"), `${profile("a")}\0`),
			"it is no text: there are zero bytes in it",
		],
		[
			"a book",
			({ write }) => write(project("x.md"), profile("a".repeat(mostBytes))),
			`it has ${mostBytes + 25} bytes, and ${mostBytes} is the most`,
		],
		[
			"a link to nothing",
			({ write, root }) => {
				write(project("y.txt"), "");
				symlinkSync("nowhere", join(root, project("x.md")));
			},
			"there is nothing behind the link",
		],
		[
			"a link to itself",
			({ write, root }) => {
				write(project("y.txt"), "");
				symlinkSync("x.md", join(root, project("x.md")));
			},
			"ELOOP: too many symbolic links encountered",
		],
		[
			"a link out of the project",
			({ write, root }) => {
				write(project("y.txt"), "");
				symlinkSync(write("secret.md", profile("secret")), join(root, project("x.md")));
			},
			"it is a link that leads out of the project",
		],
	];
	it.each(cannot)("that are %s are named and left alone", async (_what, make, why) => {
		const place = usePlace();
		make(place);
		expect(await place.complaints()).toEqual([
			`.pi/agents/x.md: cannot be read: ${why}. Until it is repaired, nothing can be started as "x"`,
		]);
		expect(await place.names()).toEqual(["x (broken)"]);
	});

	it("may be links within the project, and anywhere for the user, who made them", async () => {
		const place = usePlace();
		place.write("project/shared/a.md", profile("shared"));
		place.write("dotfiles/b.md", profile("dotfile"));
		for (const folder of [project(""), user("")]) mkdirSync(join(place.root, folder), { recursive: true });
		symlinkSync("../../shared/a.md", join(place.root, project("a.md")));
		symlinkSync("../../dotfiles/b.md", join(place.root, user("b.md")));
		expect(await place.names()).toEqual(["a (project)", "b (user)"]);
	});

	it("in a folder that is a link out of the project are not read", async () => {
		const place = usePlace();
		place.write("elsewhere/a.md", profile("elsewhere"));
		mkdirSync(join(place.root, "project/.pi"));
		symlinkSync("../../elsewhere", join(place.root, "project/.pi/agents"));
		expect(await place.names()).toEqual([]);
		expect(await place.complaints()).toEqual([".pi/agents/: cannot be read: it leads out of the project"]);
	});

	it("whose names would forge a line are named in one", async () => {
		const place = usePlace();
		place.write(project("a\n\u001b[2J.md"), profile("x"));
		const [complaint, ...more] = await place.complaints();
		expect(more).toEqual([]);
		expect(complaint).not.toMatch(/\p{Cc}/u);
		expect(await place.names()).toEqual([]);
	});

	it("are a hundred at most, and the rest is counted", async () => {
		const place = usePlace();
		for (let n = 0; n < 103; n++) place.write(user(`a${String(n).padStart(3, "0")}.md`), profile("x"));
		expect(await place.names()).toHaveLength(100);
		expect(await place.complaints()).toEqual(["/agent/agents: 103 profiles, of which the first 100 by name are read"]);
	});
});

describe("a refresh of profile files", () => {
	it("finds what was written, changed and removed", async () => {
		const place = usePlace();
		const file = place.write(user("a.md"), profile("one"));
		expect(await place.names()).toEqual(["a (user)"]);
		place.write(user("a.md"), profile("two"));
		place.write(project("b.md"), profile("new"));
		expect(await place.names()).toEqual(["b (project)", "a (user)"]);
		expect(place.files.profiles()[1]?.systemPrompt).toBe("two");
		rmSync(file);
		expect(await place.names()).toEqual(["b (project)"]);
	});

	it("keeps what a file said before it broke, and takes it up again once it is repaired", async () => {
		const place = usePlace();
		place.write(user("a.md"), profile("one"));
		await place.files.refresh();
		place.write(user("a.md"), profile("two", "tools: [", "color: red"));
		const [complaint, ...more] = await place.complaints();
		expect(more).toEqual([]);
		expect(complaint).toMatch(
			/^\/agent\/agents\/a\.md:[34]: not YAML \(.*\)\. Until it is repaired, what it said before is used$/,
		);
		expect(place.files.profiles()[0]).toMatchObject({ name: "a", systemPrompt: "one" });
		place.write(user("a.md"), profile("three"));
		expect(await place.complaints()).toEqual([]);
		expect(place.files.profiles()[0]?.systemPrompt).toBe("three");
	});

	it("keeps what was in a folder that cannot be read", async () => {
		const place = usePlace();
		place.write(user("a.md"), profile("one"));
		await place.files.refresh();
		rmSync(join(place.root, "agent/agents"), { recursive: true });
		place.write("agent/agents", "no folder");
		expect(await place.names()).toEqual(["a (user)"]);
		expect(await place.complaints()).toEqual(["/agent/agents: cannot be read: ENOTDIR: not a directory"]);
		rmSync(join(place.root, "agent/agents"));
		expect(await place.names()).toEqual([]);
	});

	it("that is asked for while one is under way sees what was written before it was asked for", async () => {
		const place = usePlace();
		for (let n = 0; n < 20; n++) place.write(project(`p${n}.md`), profile("old"));
		const early = place.files.refresh();
		place.write(project("p0.md"), profile("new"));
		const late = [place.files.refresh(), place.files.refresh()];
		await Promise.all([early, ...late]);
		expect(place.files.profiles()[0]).toMatchObject({ name: "p0", systemPrompt: "new" });
	});
});

describe("news of problems", () => {
	it("is what is wrong now and was not when it was last asked for, in one text", () => {
		const a = { file: "a.md", message: "broken" };
		const b = { file: "b.md", line: 3, message: "broken" };
		const c = { file: "c.md", message: "broken" };
		let list = [a];
		const problems = createSessionProblems(() => list);
		expect(problems.news()).toBe("a.md: broken");
		expect(problems.news()).toBeUndefined();
		list = [a, b, c];
		expect(problems.news()).toBe(
			"2 problems with agent profiles and settings; /agents doctor lists them. The first: b.md:3: broken",
		);
		list = [b, c];
		expect(problems.news()).toBeUndefined();
		list = [a, b, c];
		expect(problems.news()).toBe("a.md: broken");
		expect(problems.list()).toEqual(list);
	});
});
