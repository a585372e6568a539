import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AssistantMessage, fauxAssistantMessage, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import { Subject, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { StopRequest } from "../../src/streams/outcome.ts";
import { type ChildFixture, type RunChanges, useChildren, userTexts } from "./child-fixture.ts";
import { idOf, newId, read, until } from "./worktree-fixture.ts";

const ok = fauxAssistantMessage("ok");
const call = (name: string, args: Parameters<typeof fauxToolCall>[1]): AssistantMessage =>
	fauxAssistantMessage([fauxText("now"), fauxToolCall(name, args)], { stopReason: "toolUse" });

interface Isolated {
	readonly children: ChildFixture;
	readonly agentId: string;
	/** Where the worktree will be. */
	readonly path: string;
	readonly branch: string;
	git(...args: string[]): string;
	run(changes?: RunChanges): ReturnType<ChildFixture["run"]>;
	left(): string[];
}

/** A child that works in a worktree of the fixture's working directory. */
async function useIsolated(files: Record<string, string> = { "a.txt": "a\n" }): Promise<Isolated> {
	const children = await useChildren({ projectFiles: files });
	const { cwd, agentDir, root } = children.home;
	vi.stubEnv("GIT_CONFIG_GLOBAL", join(root, "gitconfig"));
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const git = (...args: string[]): string =>
		execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).replace(/\n$/, "");
	git("init", "--quiet", "--initial-branch=main");
	git("config", "user.name", "Owner");
	git("config", "user.email", "owner@test.invalid");
	git("add", "--all");
	git("commit", "--quiet", "--message=first");
	const agentId = newId();
	const folder = join(agentDir, "orchestrator", "worktrees");
	return {
		children,
		agentId,
		path: join(folder, agentId),
		branch: `agent/${agentId}`,
		git,
		run: (changes = {}) =>
			children.run({
				...changes,
				spec: { agentId: idOf(agentId), ...changes.spec },
				config: { isolation: "worktree", ...changes.config },
			}),
		left: () => (existsSync(folder) ? readdirSync(folder) : []),
	};
}

const toolTexts = (messages: ChildFixture["requests"][number]): string[] =>
	messages.filter(({ role }) => role === "toolResult").map((message) => JSON.stringify(message.content));

describe("a run in a worktree", () => {
	it("writes there, and its outcome names the branch, the files and the way to have them", async () => {
		const { children, run, path, branch, git, left } = await useIsolated();
		const { cwd } = children.home;
		children.script(call("write", { path: "new.txt", content: "n" }), call("bash", { command: "pwd" }), ok);
		const watched = run({ spec: { prompt: `change ${cwd}/a.txt` } });
		await watched.ended;
		expect(watched.outcome).toMatchObject({ verdict: { status: "completed", reason: "done" }, text: "ok" });
		expect(watched.outcome.notes?.[0]).toBe(
			`Its work is on the branch ${branch}, not in your files: 1 file (A new.txt).`,
		);
		expect(watched.types.slice(-2)).toEqual(["settled", "closed"]);
		expect(git("show", `${branch}:new.txt`)).toBe("n");
		expect([existsSync(join(cwd, "new.txt")), git("status", "--porcelain"), left()]).toEqual([false, "", []]);
		const [first, , third] = children.requests;
		expect(userTexts(first ?? [])[0]).toContain(`change ${path}/a.txt`);
		expect(userTexts(first ?? [])[0]).toContain(`git worktree of your own, ${path}`);
		expect(toolTexts(third ?? []).at(-1)).toContain(path);
		expect(JSON.stringify(first?.[0])).not.toContain(cwd);
	});

	it("calls the project's context files by their paths in the worktree", async () => {
		const { children, run, path } = await useIsolated({ "AGENTS.md": "be brief" });
		children.script(ok);
		await run({ config: { projectContext: true } }).ended;
		const system = JSON.stringify(children.requests[0]?.[0]);
		expect(system).toContain("be brief");
		expect(system).toContain(join(path, "AGENTS.md"));
	});

	it("is refused writes outside of it, with a reason, by the host's own tools", async () => {
		const { children, run, branch } = await useIsolated();
		const { cwd } = children.home;
		children.script(
			call("write", { path: join(cwd, "new.txt"), content: "n" }),
			call("edit", { path: join(cwd, "a.txt"), edits: [{ oldText: "a", newText: "b" }] }),
			call("bash", { command: `ln -s '${cwd}/a.txt' link` }),
			call("write", { path: "link", content: "n" }),
			call("edit", { path: "a.txt", edits: [{ oldText: "a", newText: "b" }] }),
			ok,
		);
		const watched = run();
		await watched.ended;
		const results = toolTexts(children.requests[5] ?? []);
		expect(results.map((text) => text.includes("outside of your worktree"))).toEqual([true, true, false, true, false]);
		expect([existsSync(join(cwd, "new.txt")), read(join(cwd, "a.txt"))]).toEqual([false, "a\n"]);
		expect(watched.outcome.notes?.[0]).toContain(`${branch}, not in your files: 2 files (M a.txt, A link)`);
	});

	it("leaves tools to an extension that has put its own in their place", async () => {
		const { children, run } = await useIsolated();
		const extension = children.extension(
			"write.ts",
			`pi.registerTool({ name: "write", label: "write", description: "own", parameters: { type: "object", properties: {} },
				execute: async () => ({ content: [{ type: "text", text: "own write" }], details: {} }) });`,
		);
		children.script(call("write", {}), ok);
		await run({ env: { argv: ["-e", extension] } }).ended;
		expect(toolTexts(children.requests[1] ?? [])).toEqual([expect.stringContaining("own write")]);
	});

	it("says so when it has changed nothing, and leaves nothing", async () => {
		const { children, run, git, left } = await useIsolated();
		children.script(ok);
		const watched = run();
		await watched.ended;
		expect(watched.outcome.notes).toEqual(["It changed no files in its worktree."]);
		expect([left(), git("branch", "--format=%(refname:short)")]).toEqual([[], "main"]);
	});

	it("does not start where there can be no worktree, without a model call", async () => {
		const children = await useChildren();
		const watched = children.run({ config: { isolation: "worktree" } });
		await watched.ended;
		expect(watched.outcome).toMatchObject({ verdict: { status: "error", reason: "startup_failure" } });
		expect(watched.outcome.message).toContain("not in a git repository");
		expect(children.calls).toBe(0);
	});

	it("does not start in a project that is not trusted", async () => {
		const { children, run, left } = await useIsolated();
		const watched = run({ env: { projectTrusted: false } });
		await watched.ended;
		expect(watched.outcome.message).toContain("not trusted");
		expect([children.calls, left()]).toEqual([0, []]);
	});

	it("does not start when the setup fails, and says what the setup said", async () => {
		const { run, left } = await useIsolated();
		const watched = run({ env: { worktreeSetup: "echo no such thing; exit 2" } });
		await watched.ended;
		expect(watched.outcome).toMatchObject({ verdict: { reason: "startup_failure" } });
		expect(watched.outcome.message).toMatch(/ended with 2:\nno such thing/);
		expect(left()).toEqual([]);
	});

	it("keeps what was done when the provider fails", async () => {
		const { children, run, branch, git } = await useIsolated();
		children.script(
			call("write", { path: "new.txt", content: "n" }),
			fauxAssistantMessage("", { stopReason: "error", errorMessage: "overloaded" }),
		);
		const watched = run();
		await watched.ended;
		expect(watched.outcome).toMatchObject({ verdict: { reason: "provider_error" }, message: "overloaded" });
		expect(git("show", `${branch}:new.txt`)).toBe("n");
	});

	it("goes on with its work when it is resumed", async () => {
		const { children, run, branch, git } = await useIsolated();
		children.script(call("write", { path: "one.txt", content: "1" }), ok);
		await run().ended;
		children.script(call("bash", { command: "cat one.txt >two.txt" }), ok);
		const again = run({ spec: { run: 2 } });
		await again.ended;
		expect(again.outcome.notes?.[0]).toContain(`${branch}, not in your files: 1 file (A two.txt)`);
		expect(git("show", `${branch}:two.txt`)).toBe("1");
	});
});

describe("a stop of a run in a worktree", () => {
	const byUser: StopRequest = { status: "stopped", reason: "stopped_by_user" };

	it("while it works keeps what there is", async () => {
		const { children, run, branch, git, left, path } = await useIsolated();
		const stop$ = new Subject<StopRequest>();
		children.script(call("bash", { command: "echo half >begun; mv begun half.txt; sleep 1000" }));
		const watched = run({ inputs: { stop$ } });
		await watched.until("tool_started");
		await until(() => existsSync(join(path, "half.txt")));
		stop$.next(byUser);
		await watched.ended;
		expect(watched.outcome).toMatchObject({ verdict: byUser, text: "now" });
		expect(watched.closed).toBe("verified");
		expect(git("show", `${branch}:half.txt`)).toBe("half");
		expect(left()).toEqual([]);
	});

	it("while the work is committed loses nothing, and does not end it early, whatever the grace", async () => {
		const { children, run, branch, git, path, left } = await useIsolated();
		const stop$ = new Subject<StopRequest>();
		const [begun, go] = [join(children.home.root, "begun"), join(children.home.root, "go")];
		git("config", "filter.slow.clean", `echo >'${begun}'; while ! test -e '${go}'; do sleep 0.05; done; cat`);
		children.script(
			call("write", { path: ".gitattributes", content: "*.slow filter=slow\n" }),
			call("write", { path: "work.slow", content: "w" }),
			ok,
		);
		const scheduler = new VirtualTimeScheduler();
		const watched = run({ inputs: { stop$ }, env: { scheduler } });
		await until(() => existsSync(begun));
		stop$.next(byUser);
		expect(existsSync(path)).toBe(true);
		// The grace is over, and more time than that has passed.
		scheduler.flush();
		expect(watched.types).not.toContain("settled");
		writeFileSync(go, "");
		await watched.ended;
		// It came when the answer was there: what was stopped is not the work.
		expect(watched.outcome).toMatchObject({ verdict: { status: "completed" }, text: "ok" });
		expect(watched.outcome.notes?.[0]).toContain("A work.slow");
		expect([git("show", `${branch}:work.slow`), left()]).toEqual(["w", []]);
	});

	it("while the worktree is made leaves nothing, and calls no model", async () => {
		const { children, run, git, left } = await useIsolated();
		const stop$ = new Subject<StopRequest>();
		const begun = join(children.home.root, "begun");
		const watched = run({ inputs: { stop$ }, env: { worktreeSetup: `echo >'${begun}'; sleep 1000` } });
		await until(() => existsSync(begun));
		stop$.next(byUser);
		await watched.ended;
		expect(watched.outcome.verdict).toEqual(byUser);
		expect([children.calls, left(), git("branch", "--format=%(refname:short)")]).toEqual([0, [], "main"]);
	});

	it("by whoever gives it up saves the work all the same", async () => {
		const { children, run, branch, git, left, path } = await useIsolated();
		children.script(call("bash", { command: "echo half >begun; mv begun half.txt; sleep 1000" }));
		const watched = run();
		await watched.until("tool_started");
		await until(() => existsSync(join(path, "half.txt")));
		watched.subscription.unsubscribe();
		await until(() => left().length === 0);
		expect(git("show", `${branch}:half.txt`)).toBe("half");
		expect(watched.types).not.toContain("settled");
	});
});
