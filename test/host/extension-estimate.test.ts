import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import { agentCall, answering, isTask, notes, promptUntilCall } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

/** Everything below a folder, with what would change if anything were written, made or removed. */
function stateOf(dir: string): Record<string, string> {
	const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).map((entry) => {
		const path = join(entry.parentPath, entry.name);
		const { size, mtimeNs, ctimeNs, mode } = lstatSync(path, { bigint: true });
		return [path, `${size} ${mtimeNs} ${ctimeNs} ${mode}`] as const;
	});
	return Object.fromEntries(entries);
}

const members = [
	{ name: "north", prompt: "look north", subagent_type: "explore" },
	{ name: "south", prompt: "look south", after: ["north"] },
];

describe("an estimate", () => {
	const begin = shareDelegation({ session: false });

	it("starts nothing, asks no model and touches no file, for one agent and for a crew", async () => {
		const { server, pi, rpc, leave } = await begin({
			parent: answering({
				estimate: toolCalls([
					agentCall("one task", { estimate_only: true }),
					agentCall("a brief", { estimate_only: true, members }),
					agentCall("many", { estimate_only: true, swarm: 8, run_in_background: true }),
				]),
			}),
			child: text("never asked"),
		});
		await rpc.request({ type: "get_state" });
		const before = stateOf(pi.root);
		await rpc.prompt("estimate");
		expect(stateOf(pi.root)).toEqual(before);
		expect(server.requestsOf("child")).toEqual([]);
		expect(server.requestsOf("parent")).toHaveLength(2);
		const ends = toolEnds(rpc.events, "Agent");
		expect(ends.map(({ isError }) => isError)).toEqual([false, false, false]);
		const [one = "", crew = "", swarm = ""] = ends.map(({ result }) => contentText(result));
		expect(one).toMatch(/^Estimate: nothing was started\. · would start: 1 agent · in the foreground\n/);
		expect(one).toContain("type: general-purpose (default)\nmodel: local/child (call) · thinking: ");
		expect(one).toMatch(/^prompt: \d+ tokens \(system prompt \d+, tools [1-9]\d*, task 2\)$/m);
		// The test's models cost 1 dollar for a million input tokens, 2 for output, 0.1 from the cache.
		expect(one).toContain("$0.002 for each 1,000 tokens it writes");
		expect(one).toContain("at $0.001 for 1,000 tokens, or $0.0001 from the cache");
		expect(crew).toMatch(/^member: north\ntype: explore \(member\)$/m);
		expect(crew).toMatch(/^member: south · after: north$/m);
		expect(swarm).toContain("would start: a swarm of 8 agents · in the background");
		expect(JSON.stringify(ends)).not.toMatch(/agent_id: |group_id: /);
		await leave();
		expect(notes(rpc.events)).toEqual([]);
	});

	it("tells what like runs came to in this session", async () => {
		const { server, rpc } = await begin({
			parent: answering({
				run: toolCalls([agentCall("task")]),
				estimate: toolCalls([agentCall("another", { estimate_only: true })]),
			}),
			child: text("done", { usage: { input: 1_000, output: 500 } }),
		});
		await promptUntilCall(rpc, "run", "Agent");
		await rpc.until((record) => record.type === "agent_settled");
		await rpc.prompt("estimate");
		expect(server.requests.filter(isTask("task"))).toHaveLength(1);
		const said = contentText(toolEnds(rpc.events, "Agent").at(-1)?.result);
		expect(said).toContain(
			"history: 1 run of this type and model in this session, median 1 turns, 1000/500 tokens, $0.002",
		);
	});
});
