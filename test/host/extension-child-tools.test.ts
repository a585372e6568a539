import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, freshToolResults, toolNames } from "../support/chat-request.ts";
import type { Pi } from "../support/pi.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { agentCall, answering, newUserTexts, useDelegation } from "./extension-fixture.ts";

const server = fileURLToPath(new URL("../support/fixtures/mcp-server.mjs", import.meta.url));

const profile = (...fields: readonly string[]) => ["---", "description: x", ...fields, "---", "You work."].join("\n");

/** An extension with a tool that says which of its copies runs, from 1. `when` has `register` called. */
const extension = (tool: string, when: string) => `
	import { Type } from "@sinclair/typebox";
	export default (pi) => {
		const copies = (globalThis.copies ??= {});
		const copy = (copies.${tool} = (copies.${tool} ?? 0) + 1);
		const register = () =>
			pi.registerTool({
				name: "${tool}",
				label: "${tool}",
				description: "${tool}",
				parameters: Type.Object({}),
				execute: async () => ({ content: [{ type: "text", text: "${tool} of copy " + copy }], details: undefined }),
			});
		${when}
	};`;

const projectFiles = {
	".pi/extensions/web.ts": extension("search", "register();"),
	".pi/extensions/late/index.ts": extension("later", 'pi.on("turn_start", register);'),
	".pi/agents/searcher.md": profile("tools: [read, 'ext:web/search', 'ext:LATE/*']"),
	".pi/agents/reader.md": profile("tools: [read, search, later]", "extensions: [late]"),
	".pi/agents/denied.md": profile("tools: [read, search, later]", "disallowed_tools: 'ext:web/*'"),
	".pi/agents/misspelt.md": profile("tools: [read, 'ext:web/serch']"),
	".pi/agents/nowhere.md": profile("tools: [read, 'ext:wep/search']"),
	".pi/agents/librarian.md": profile("tools: 'ext:docs/look_up'"),
};

const call = (type: string, more = {}) => agentCall(type, { subagent_type: type, ...more });

/** The child calls each of its extensions' tools once and says what they have said. */
function useTools(request: ChatRequest) {
	const results = freshToolResults(request);
	if (results.length > 0) return text(results.map((result) => result.text).join(", "));
	const names = toolNames(request).filter((name) => name !== "read");
	return names.length === 0 ? text("nothing to call") : toolCalls(names.map((name) => ({ name, args: { q: "x" } })));
}

const firstOf = (requests: readonly ChatRequest[], type: string) =>
	requests.find((request) => newUserTexts(request)[0] === type);

describe("a child's tools of extensions", () => {
	it("are those that its profile names, its own or lent by the session, and never more", async () => {
		const { server: model, pi } = await useDelegation(
			{
				parent: answering({
					// The first turn is where the late one registers its tool.
					"wait a turn": text("waited"),
					go: toolCalls([
						call("searcher"),
						call("reader"),
						call("denied"),
						call("searcher", { isolated: true }),
						call("misspelt"),
						call("nowhere"),
					]),
				}),
				child: useTools,
			},
			{ projectFiles, trust: true, session: false },
		);
		const rpc = pi.startRpc();
		await rpc.prompt("wait a turn");
		await rpc.prompt("go");
		const children = model.requestsOf("child");
		const [searcher, reader, denied, isolated, misspelt, nowhere] = toolEnds(rpc.events, "Agent").map((end) =>
			contentText(end.result),
		);
		expect(isolated).toMatch(/\n\nnothing to call$/);
		if (lends(pi)) {
			expect(toolNames(firstOf(children, "searcher") as ChatRequest)).toEqual(["read", "search", "later"]);
			expect(toolNames(firstOf(children, "reader") as ChatRequest)).toEqual(["read", "later"]);
			expect(toolNames(firstOf(children, "denied") as ChatRequest)).toEqual(["read", "later"]);
			expect(searcher).toMatch(/\n\nsearch of copy [2-9], later of copy 1$/);
			expect(reader).toMatch(/\n\nlater of copy 1$/);
			expect(denied).toMatch(/\n\nlater of copy 1$/);
		} else {
			const noLater = /^status: error \(startup_failure\).* does not have the tool later: /ms;
			for (const result of [searcher, reader, denied]) expect(result).toMatch(noLater);
		}
		expect(misspelt).toContain(
			'agent type "misspelt": the extension "web" has no tool "serch" in this session; it has: search',
		);
		expect(nowhere).toContain(
			'agent type "nowhere": no extension "wep" has tools in this session; there are: web, late',
		);
		expect(children.map((request) => newUserTexts(request)[0])).not.toContain("misspelt");
	});

	it("of an MCP server are called through the session's one connection", async () => {
		const dir = mkdtempSync(join(tmpdir(), "mcp-"));
		onTestFinished(() => rmSync(dir, { recursive: true }));
		const starts = join(dir, "starts");
		const mcpServers = { docs: { command: process.execPath, args: [server, starts], exposure: "direct" } };
		const { pi } = await useDelegation(
			{ parent: answering({ go: toolCalls([call("librarian"), call("librarian")]) }), child: useTools },
			{ projectFiles, agentFiles: { "mcp.json": JSON.stringify({ mcpServers }) }, trust: true, session: false },
		);
		const run = await pi.runJson(["go"]);
		const results = toolEnds(run.events, "Agent").map((end) => contentText(end.result));
		if (!lends(pi)) {
			for (const result of results) expect(result).toContain('no extension "docs" has tools in this session');
			expect(existsSync(starts)).toBe(false);
			return;
		}
		const [pid, ...more] = readFileSync(starts, "utf8").trim().split("\n");
		expect(more).toEqual([]);
		expect(results).toHaveLength(2);
		for (const result of results) expect(result.endsWith(`\n\nx in server ${pid}`)).toBe(true);
	});
});

/** Before 1.0 the host shows no instances of tools, and has no client for MCP servers. */
function lends({ version }: Pi): boolean {
	return !version.startsWith("0.");
}
