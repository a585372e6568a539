import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChatReply, text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, systemText, toolNames, toolResults } from "../support/chat-request.ts";
import type { Pi, PiOptions } from "../support/pi.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { agentCall, answering, useDelegation } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const profile = (prompt: string, ...fields: readonly string[]) =>
	["---", "description: Reviews a change.", "model: local/child", ...fields, "---", prompt].join("\n");

/** A call that leaves the model to the profile, unless it names one itself. */
const review = (more: Readonly<Record<string, unknown>> = {}): ChatReply => {
	const { model: _child, ...args } = agentCall("look", { subagent_type: "reviewer" }).args as Record<string, unknown>;
	return toolCalls([{ name: "Agent", args: { ...args, ...more } }]);
};

const script = {
	parent: answering({
		review: review(),
		again: review(),
		"with the parent's model": review({ model: "local/parent" }),
	}),
	child: text("reviewed"),
};

function write(pi: Pi, path: string, content: string): void {
	mkdirSync(dirname(join(pi.cwd, path)), { recursive: true });
	writeFileSync(join(pi.cwd, path), content);
}

type Files = Readonly<Record<string, string>>;

/** For tests of a trusted project, which differ in its files and in the user's. */
const begin = shareDelegation({ trust: true });

const beginReview = (projectFiles: Files, agentFiles: Files = {}, orchestrator?: unknown) =>
	begin(script, orchestrator, { projectFiles, agentFiles });

const useReview = (projectFiles: Files, options: PiOptions = {}) =>
	useDelegation(script, { projectFiles, trust: true, ...options });

/** Everything that the person was shown, in order. */
const shown = (rpc: PiRpc): string[] =>
	rpc.events.filter((record) => record.method === "notify").map((record) => String(record.message));

/** Asks the doctor, and resolves with the report. */
async function doctor(rpc: PiRpc): Promise<string> {
	const isReport = (message: unknown) => /^(Nothing is wrong\.|\d+ problems?:)\n/.test(String(message));
	const answer = rpc.untilNext((record) => record.method === "notify" && isReport(record.message), "a report");
	await rpc.request({ type: "prompt", message: "/agents doctor" });
	return String((await answer).message);
}

/** What the model is told of `Agent`, with the types that there are. */
const toldTypes = (request: ChatRequest): string =>
	request.tools?.find((tool) => tool.function.name === "Agent")?.function.description ?? "";

const results = (rpc: PiRpc): string[] => toolEnds(rpc.events, "Agent").map((end) => contentText(end.result));

describe("a profile of a trusted project", () => {
	it("is told to the model, and gives its agents their prompt and their tools", async () => {
		const { server, rpc } = await beginReview({
			".pi/agents/reviewer.md": profile(
				"You review. Say what is wrong.",
				"tools: [read, bash, grep]",
				"disallowed_tools: bash",
			),
		});
		await rpc.prompt("review");
		const [parent] = server.requestsOf("parent");
		expect(parent && toldTypes(parent)).toContain("- reviewer: Reviews a change.\n");
		const [child] = server.requestsOf("child");
		expect(child && systemText(child)).toContain("You review. Say what is wrong.");
		expect(child && toolNames(child)).toEqual(["read"]);
		expect(results(rpc)[0]).toMatch(/^type: reviewer · model: local\/child/m);
		expect(results(rpc)[0]).toContain("bash (the profile has it in disallowed_tools)");
		expect(shown(rpc)).toEqual([]);
	});

	it("beats the user's of the same name, which beats a built-in one", async () => {
		const { server, pi, rpc } = await beginReview(
			{ ".pi/agents/reviewer.md": profile("From the project.") },
			{ "agents/reviewer.md": profile("From the user."), "agents/other.md": profile("Other.") },
		);
		await rpc.prompt("review");
		expect(server.requestsOf("child").map(systemText)[0]).toContain("From the project.");
		expect(await doctor(rpc)).toContain(
			`reviewer (.pi/agents/reviewer.md), other (${join(pi.agentDir, "agents/other.md")}), `,
		);
	});

	it("takes effect as it is when an agent is started: no restart, whoever edits it and whenever", async () => {
		const { server, pi, rpc } = await beginReview({ ".pi/agents/reviewer.md": profile("The first version.") });
		await rpc.prompt("review");
		write(pi, ".pi/agents/reviewer.md", profile("The second version."));
		write(pi, ".pi/agents/newcomer.md", profile("New."));
		await rpc.prompt("again");
		expect(
			server
				.requestsOf("parent")
				.map(toldTypes)
				.map((types) => types.includes("newcomer")),
		).toEqual([...[false, false], ...[true, true]]);
		const prompts = server.requestsOf("child").map(systemText);
		expect(prompts[0]).toContain("The first version.");
		expect(prompts[1]).toContain("The second version.");
		expect(prompts[1]).not.toContain("The first version.");
	});

	it("is also found when it was written in the turn that uses it", async () => {
		const { server, rpc } = await begin(
			{
				parent: (request) => {
					const path = ".pi/agents/reviewer.md";
					const done = toolResults(request).length;
					if (done === 0) return toolCalls([{ name: "write", args: { path, content: profile("Written now.") } }]);
					return done === 1 ? review() : text("noted");
				},
				child: text("reviewed"),
			},
			undefined,
			{ projectFiles: {} },
		);
		await rpc.prompt("write and review");
		expect(server.requestsOf("child").map(systemText)[0]).toContain("Written now.");
	});

	it("that a bad edit breaks goes on as it was before, and the person is told once", async () => {
		const { server, pi, rpc } = await beginReview({ ".pi/agents/reviewer.md": profile("The good version.") });
		await rpc.prompt("review");
		write(pi, ".pi/agents/reviewer.md", profile("The bad version.", "max_turns: many"));
		await rpc.prompt("again");
		await rpc.prompt("review");
		expect(
			server
				.requestsOf("child")
				.map(systemText)
				.every((prompt) => prompt.includes("The good version.")),
		).toBe(true);
		const complaint =
			'.pi/agents/reviewer.md:4: max_turns: "many" is not allowed: it must be a whole number from 1 to 1000000, or null for none. Until it is repaired, what it said before is used';
		expect(shown(rpc)).toEqual([complaint]);
		expect(await doctor(rpc)).toContain(`1 problem:\n- ${complaint}\n`);
		write(pi, ".pi/agents/reviewer.md", profile("Repaired."));
		expect(await doctor(rpc)).toContain("Nothing is wrong.");
	});

	it("that was broken from the beginning starts nothing under its name, and takes no other down", async () => {
		const { server, rpc } = await beginReview({
			".pi/agents/reviewer.md": profile("Broken.", "tools: [read"),
			".pi/agents/other.md": profile("Other."),
		});
		await rpc.prompt("review");
		expect(server.requestsOf("child")).toEqual([]);
		expect(toolEnds(rpc.events, "Agent")[0]?.isError).toBe(true);
		expect(results(rpc)[0]).toContain(
			'agent type "reviewer" cannot be used until its file is repaired: .pi/agents/reviewer.md:',
		);
		expect(shown(rpc)).toHaveLength(1);
		expect(await doctor(rpc)).toContain("Agent types: other (.pi/agents/other.md), general-purpose");
	});

	it("that locks its model refuses a call that names another", async () => {
		const { server, rpc } = await beginReview({ ".pi/agents/reviewer.md": profile("Locked.", "lock: model") });
		await rpc.prompt("with the parent's model");
		expect(server.requestsOf("child")).toEqual([]);
		expect(results(rpc)[0]).toContain(
			'agent type "reviewer" locks model in .pi/agents/reviewer.md: leave it out of the call',
		);
	});

	it("with skills gives its agents those alone, and none where one of them is missing", async () => {
		const skill = (name: string) => `---\nname: ${name}\ndescription: how to ${name}\n---\nTake wool.`;
		const { server, pi, rpc } = await beginReview(
			{ ".pi/agents/reviewer.md": profile("Skilled.", "skills: [knit]") },
			{ "skills/knit/SKILL.md": skill("knit"), "skills/sew/SKILL.md": skill("sew") },
		);
		await rpc.prompt("review");
		const [child] = server.requestsOf("child").map(systemText);
		expect(child).toContain("how to knit");
		expect(child).not.toContain("how to sew");
		write(pi, ".pi/agents/reviewer.md", profile("Skilled.", "skills: [knit, crochet]"));
		await rpc.prompt("again");
		expect(server.requestsOf("child")).toHaveLength(1);
		expect(results(rpc)[1]).toMatch(/^status: error \(startup_failure\)$/m);
		expect(results(rpc)[1]).toContain("This session does not have the skill crochet.");
	});
});

describe("a project that is not trusted", () => {
	it("has none of its profiles, settings and code run, in the session or in any agent of it", async () => {
		const canary = 'import { writeFileSync } from "node:fs";\nexport default () => writeFileSync("canary", "sang");\n';
		const { server, pi } = await useReview(
			{
				".pi/agents/reviewer.md": profile("Hostile."),
				".pi/agents/general-purpose.md": profile("Hostile too."),
				".pi/agents/broken.md": "not read, so not complained of",
				".pi/orchestrator.json": JSON.stringify({ maxConcurrent: "hostile", childExtensions: "none" }),
				".pi/extensions/canary.ts": canary,
			},
			{ trust: false, agentFiles: { "agents/reviewer.md": profile("From the user.") } },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("review");
		expect(server.requestsOf("child").map(systemText)[0]).toContain("From the user.");
		expect(JSON.stringify(server.requests)).not.toContain("Hostile");
		expect(shown(rpc)).toEqual([]);
		expect(existsSync(join(pi.cwd, "canary"))).toBe(false);
		expect(await doctor(rpc)).toContain("Project: not trusted, so .pi/agents and .pi/orchestrator.json are not read");
	});

	it("would have had them run with trust", async () => {
		const canary = 'import { writeFileSync } from "node:fs";\nexport default () => writeFileSync("canary", "sang");\n';
		const { server, pi, rpc } = await beginReview({
			".pi/agents/reviewer.md": profile("Hostile."),
			".pi/extensions/canary.ts": canary,
		});
		await rpc.prompt("review");
		expect(server.requestsOf("child").map(systemText)[0]).toContain("Hostile.");
		expect(existsSync(join(pi.cwd, "canary"))).toBe(true);
	});
});

describe("problems with profiles and settings", () => {
	it("are counted in one notice at the start, and listed by the doctor", async () => {
		const { rpc } = await beginReview(
			{ ".pi/agents/a.md": profile("A.", "max_turns: 0"), ".pi/agents/b.md": profile("B.", "colour: red") },
			{},
			{ maxTurn: 3 },
		);
		const report = await doctor(rpc);
		const [notice, ...more] = shown(rpc).slice(0, -1);
		expect(more).toEqual([]);
		expect(notice).toMatch(/^3 problems with agent profiles and settings; \/agents doctor lists them\. The first: /);
		expect(report.split("\n").slice(0, 4)).toEqual([
			"3 problems:",
			expect.stringMatching(/^- \/.*orchestrator\.json: maxTurn: unknown setting; did you mean "maxTurns"\? Ignored$/),
			expect.stringMatching(/^- \.pi\/agents\/a\.md:4: max_turns: 0 is not allowed/),
			expect.stringMatching(/^- \.pi\/agents\/b\.md:4: colour: unknown key; did you mean "color"\? Ignored$/),
		]);
	});

	it.each(["runPrint", "runJson"] as const)(
		"are told on the error stream where nobody sees a notice (%s)",
		async (run) => {
			const { pi } = await useReview({ ".pi/agents/a.md": profile("A.", "max_turns: 0") }, { session: false });
			const { stderr } = await pi[run](["/agents help"]);
			expect(stderr).toMatch(/^\.pi\/agents\/a\.md:4: max_turns: 0 is not allowed/);
		},
	);
});
