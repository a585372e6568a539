import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { Type } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import { useChildren } from "./child-fixture.ts";

const ok = fauxAssistantMessage("ok");

describe("a tool that an extension registers late", () => {
	const registers = (when: string) => `
		const register = () => pi.registerTool({
			name: "late", label: "l", description: "l", parameters: { type: "object", properties: {} },
			execute: async () => ({ content: [{ type: "text", text: "late of the agent" }] }),
		});
		${when}`;
	const config = { tools: ["read", "late"] };
	const callsIt = [fauxAssistantMessage([fauxToolCall("late", {})], { stopReason: "toolUse" }), ok];

	it("is waited for where it cannot be lent", async () => {
		const children = await useChildren();
		children.extension(
			"project/.pi/extensions/late.js",
			registers('pi.on("session_start", () => setTimeout(register));'),
		);
		children.script(...callsIt);
		const run = children.run({ config });
		await run.ended;
		expect(run.outcome.verdict.reason).toBe("done");
		expect(JSON.stringify(children.requests[1])).toContain("late of the agent");
	});

	it("that does not come keeps the agent from starting", async () => {
		const children = await useChildren();
		children.extension("project/.pi/extensions/late.js", registers(""));
		const run = children.run({ config, env: { toolWaitSeconds: 0.1 } });
		await run.ended;
		expect(run.outcome.verdict).toEqual({ status: "error", reason: "startup_failure" });
		expect(run.outcome.message).toMatch(/^The agent's session does not have the tool late: /);
		expect(children.calls).toBe(0);
	});

	it("is the parent's own where that is lent, also when the agent's comes later", async () => {
		const children = await useChildren();
		children.extension("project/.pi/extensions/late.js", registers('pi.on("turn_start", register);'));
		children.script(...callsIt);
		const lend = (name: string) => ({
			name,
			label: name,
			description: name,
			parameters: Type.Object({}),
			execute: async () => ({ content: [{ type: "text" as const, text: "late of the parent" }], details: undefined }),
		});
		const run = children.run({ config, env: { lend } });
		await run.ended;
		expect(run.outcome.verdict.reason).toBe("done");
		expect(JSON.stringify(children.requests[1])).toContain("late of the parent");
	});
});
