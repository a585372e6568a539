import { expect, it } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { agentCall, answering, useDelegation } from "./extension-fixture.ts";

const models = ["parent", "child", "spare"].map((id) => ({ id }));
const profile = ["---", "description: x", "model: spare", "---", "You work."].join("\n");

it.each([
	{ by: "the setting enabledModels", settings: { enabledModels: ["local/chi*"] }, args: [] },
	{ by: "--models", settings: {}, args: ["--models", "local/child"] },
])("a session whose models are limited by $by limits its agents' to those and its own", async ({ settings, args }) => {
	const calls = [
		agentCall("one", { model: "child" }),
		agentCall("two", { model: "local/parent" }),
		agentCall("three", { model: "spare" }),
		agentCall("four", { model: undefined, subagent_type: "spender" }),
		agentCall("five", { model: "claude" }),
	];
	const done = text("done");
	const { server, pi } = await useDelegation(
		{ parent: answering({ go: toolCalls(calls), two: done }), child: done },
		{ models, settings, agentFiles: { "agents/spender.md": profile }, session: false },
	);
	const run = await pi.runJson([...args, "go"]);
	const results = toolEnds(run.events, "Agent").map((end) => contentText(end.result));
	const outOfScope = 'model "spare" is out of this session\'s scope of models (enabledModels or --models); there are: ';
	expect(results).toEqual([
		expect.stringMatching(/^status: completed\n.* model: local\/child · /m),
		expect.stringMatching(/^status: completed\n.* model: local\/parent · /m),
		expect.stringContaining(outOfScope),
		expect.stringContaining(outOfScope),
		// Models without credentials are not there at all, whatever the scope.
		expect.stringMatching(
			/: no model "claude" is available; there are: local\/(child, local\/parent|parent, local\/child)$/m,
		),
	]);
	for (const result of results.slice(2)) expect(result).not.toContain("local/spare");
	expect(server.requestsOf("spare")).toEqual([]);
});
