import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { text, toolCall, toolCalls } from "../support/chat-reply.ts";
import { freshToolResults } from "../support/chat-request.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { useOpenAiServer } from "../support/use-openai-server.ts";
import { agentCall, answering, delegate, useDelegation } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../support/fixtures/${name}.ts`, import.meta.url));

describe("what a child has from its parent", () => {
	const beginGated = shareDelegation({ extensions: [ownExtension(), fixture("gate")], session: false });

	it("includes a provider that only an extension of the command line registers", async () => {
		const far = await useOpenAiServer(() => text("from far"));
		const { server, pi } = await useDelegation(
			{
				parent: answering({ delegate: toolCalls([agentCall("task", { model: "elsewhere/far" })]) }),
				child: text("from the local child"),
			},
			{ extensions: [ownExtension(), fixture("elsewhere")], env: { ELSEWHERE_URL: far.baseUrl }, session: false },
		);
		const run = await pi.runJson(["delegate"]);
		const [end] = toolEnds(run.events, "Agent");
		expect(contentText(end?.result)).toMatch(
			/^status: completed\ntype: \S+ · model: elsewhere\/far · .*\n\nfrom far$/ms,
		);
		expect(far.exchanges.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-of-elsewhere"]);
		expect(server.requestsOf("child")).toEqual([]);
	});

	it("includes the key of the command line", async () => {
		const { server, pi } = await useDelegation(
			{ parent: answering({ delegate: delegate("task") }), child: text("done") },
			{ session: false },
		);
		await pi.runPrint(["--api-key", "key-of-the-command-line", "delegate"]);
		expect(server.exchanges.map(({ request, headers }) => [request.model, headers.authorization])).toEqual([
			["parent", "Bearer key-of-the-command-line"],
			["child", "Bearer key-of-the-command-line"],
			["parent", "Bearer key-of-the-command-line"],
		]);
	});

	it.each([false, true])(
		"includes a gate: what is blocked in the parent is blocked in the child (isolated: %s)",
		async (isolated) => {
			const shell = toolCall("bash", { command: "touch canary" });
			const child = agentCall("task", { isolated });
			const { server, pi, rpc } = await beginGated({
				parent: answering({ "try it": toolCalls([{ name: "bash", args: { command: "touch canary" } }, child]) }),
				child: (request) => (freshToolResults(request)[0] ? text("it was refused") : shell),
			});
			await rpc.prompt("try it");
			expect(contentText(toolEnds(rpc.events, "bash")[0]?.result)).toContain("no shell today");
			expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toMatch(/\n\nit was refused$/);
			const refusals = server.requestsOf("child").flatMap(freshToolResults);
			expect(refusals.map((result) => [result.name, result.text])).toEqual([
				["bash", expect.stringContaining("no shell today")],
			]);
			expect(existsSync(join(pi.cwd, "canary"))).toBe(false);
		},
	);
});
