import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChatReply, text, toolCall, toolCalls } from "../support/chat-reply.ts";
import { freshToolResults, textOf } from "../support/chat-request.ts";
import type { ChatHandler } from "../support/openai-server.ts";
import type { Pi, PiOptions } from "../support/pi.ts";
import { contentText, type PiRecord, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { agentCall, agentIdIn, answering, untilPublished, useDelegation } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const isolated = (task: string, more: Readonly<Record<string, unknown>> = {}) =>
	toolCalls([agentCall(task, { isolation: "worktree", ...more })]);

/** The child writes a file, with its task in it, and then says what it is told to say. */
const writing =
	(answer: ChatReply | undefined): ChatHandler =>
	(request) => {
		if (freshToolResults(request).length > 0) return answer;
		const task = request.messages.filter(({ role }) => role === "user").map(textOf)[0] ?? "";
		return toolCall("write", { path: "new.txt", content: task });
	};

const git = (cwd: string, ...args: readonly string[]): string =>
	execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@test.invalid", ...args], {
		cwd,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	}).trim();

/** Makes the working directory a repository that says of nobody who commits. */
function makeRepository({ cwd }: Pi): void {
	git(cwd, "init", "--quiet", "--initial-branch=main");
	git(cwd, "add", "--all");
	git(cwd, "commit", "--quiet", "--message=first");
}

/** A real pi in a repository. The agents' answers are held back. */
async function useRepositoryPi(parent: ChatHandler, options: PiOptions) {
	const delegation = await useDelegation(
		{ parent, child: writing(undefined) },
		{ projectFiles: { "a.txt": "a\n" }, ...options },
	);
	makeRepository(delegation.pi);
	return delegation;
}

const worktrees = (pi: Pi): string => join(pi.agentDir, "orchestrator/worktrees");
/** What a session says at its start of worktrees that it has found. */
const found = async (rpc: PiRpc): Promise<string> => {
	const isAbout = (record: PiRecord) => String(record.message).startsWith("Worktrees of agents");
	await rpc.untilHolds(() => rpc.events.some(isAbout), "a word about worktrees");
	return String(rpc.events.find(isAbout)?.message);
};
const result = (rpc: PiRpc): string => contentText(toolEnds(rpc.events, "Agent").at(-1)?.result);

describe("an agent with isolation: worktree", () => {
	const profile = "---\ndescription: Writes.\nmodel: local/child\nisolation: worktree\n---\nWrite.";
	const begin = shareDelegation({ trust: true, projectFiles: { "a.txt": "a\n", ".pi/agents/writer.md": profile } });

	/** A session in the repository of all of them, whose agents come to an end. */
	async function beginInRepository(parent: ChatHandler) {
		const session = await begin({ parent, child: writing(text("done")) });
		if (!existsSync(join(session.pi.cwd, ".git"))) makeRepository(session.pi);
		return session;
	}

	it("leaves its work on a branch that its result names, and the parent's tree as it is", async () => {
		const { server, pi, rpc } = await beginInRepository(answering({ go: isolated("task") }));
		await rpc.prompt("go");
		const agentId = agentIdIn(result(rpc));
		expect(result(rpc)).toContain(
			`\n\ndone\n\nIts work is on the branch agent/${agentId}, not in your files: 1 file (A new.txt).\nTo see it: git diff`,
		);
		const { cwd } = pi;
		expect(git(cwd, "show", `agent/${agentId}:new.txt`)).toMatch(/^task\n\nYou work in a git worktree of your own/);
		expect(git(cwd, "log", "-1", "--format=%an", `agent/${agentId}`)).toBe("Pi agent");
		expect([existsSync(join(cwd, "new.txt")), git(cwd, "status", "--porcelain")]).toEqual([false, ""]);
		expect(existsSync(worktrees(pi))).toBe(false);
		expect(server.requestsOf("child")).toHaveLength(2);
	});

	it("says the same in the message of a background result, and each member of a swarm has its own branch", async () => {
		const { pi, rpc } = await beginInRepository(
			answering({ go: isolated("task", { run_in_background: true, swarm: 2 }) }),
		);
		await rpc.prompt("go");
		const [note] = await untilPublished(rpc, 2);
		const branches = [...(note?.text ?? "").matchAll(/on the branch (agent\/[\w-]+)/g)].map(([, branch]) => branch);
		expect(new Set(branches).size).toBe(2);
		expect(branches.map((branch) => git(pi.cwd, "show", `${branch}:new.txt`).length > 0)).toEqual([true, true]);
	});

	it("is what the profile says, where the call does not", async () => {
		const { pi, rpc } = await beginInRepository(
			answering({ go: toolCalls([agentCall("task", { subagent_type: "writer" })]) }),
		);
		await rpc.prompt("go");
		expect(result(rpc)).toMatch(/Its work is on the branch agent\/[\w-]+, not in your files/);
		expect(git(pi.cwd, "status", "--porcelain")).toBe("");
	});

	it("starts nothing in a project that is not trusted, or without a repository", async () => {
		const untrusted = await useRepositoryPi(answering({ go: isolated("task") }), {
			trust: false,
			projectFiles: { "a.txt": "a\n", ".pi/settings.json": "{}" },
		});
		const rpc = untrusted.pi.startRpc();
		await rpc.prompt("go");
		expect(result(rpc)).toContain("isolation: worktree (call) needs a trusted project");
		const bare = await useDelegation({ parent: answering({ go: isolated("task") }), child: writing(text("done")) });
		const other = bare.pi.startRpc();
		await other.prompt("go");
		expect(result(other)).toContain("status: error (startup_failure)");
		expect(result(other)).toContain("is not in a git repository");
		expect([...untrusted.server.requestsOf("child"), ...bare.server.requestsOf("child")]).toEqual([]);
	});

	it("is found again when its process was killed: kept while it is not clean, collected once it is", async () => {
		const { server, pi } = await useRepositoryPi(answering({ go: isolated("task", { run_in_background: true }) }), {
			trust: true,
		});
		const killed = pi.startRpc();
		await killed.prompt("go");
		// Its answer is held back for ever; by then its file is there, and not committed.
		await server.anyRequest((request) => request.model === "child" && freshToolResults(request).length > 0);
		killed.kill("SIGKILL");
		await killed.exit;
		const [agentId = ""] = readdirSync(worktrees(pi));
		const path = join(worktrees(pi), agentId);

		const rpc = pi.startRpc();
		expect(await found(rpc)).toBe(
			[
				"Worktrees of agents whose process had ended:",
				`- kept ${path} (branch agent/${agentId} of ${pi.cwd}): it has 1 uncommitted change`,
				"Look there, commit or copy what you want, then: git worktree remove <folder>",
			].join("\n"),
		);
		const report = rpc.untilNext((record) => String(record.message).includes("1 problem:"), "the doctor's report");
		await rpc.request({ type: "prompt", message: "/agents doctor" });
		expect((await report).message).toContain(`A worktree is left at ${path}`);
		await rpc.stop();
		expect(existsSync(join(path, "new.txt"))).toBe(true);

		git(path, "add", "--all");
		git(path, "commit", "--quiet", "--message=saved by hand");
		const last = pi.startRpc();
		expect(await found(last)).toContain(`- removed ${agentId}'s; its work is on agent/${agentId}`);
		expect(existsSync(worktrees(pi))).toBe(false);
		expect(git(pi.cwd, "log", "-1", "--format=%s", `agent/${agentId}`)).toBe("saved by hand");
	});
});
