import { describe, expect, it } from "vitest";
import { failure, text } from "../support/chat-reply.ts";
import { toolResults } from "../support/chat-request.ts";
import { contentText, lastAssistantText, toolEnds } from "../support/pi-record.ts";
import { answering, delegate, isTask, launch, leftToTest, newUserTexts, useDelegation } from "./extension-fixture.ts";

describe("the one-shot modes (seed 000 §17 Rendering, non-TUI mode)", () => {
	it("print: delegates in the foreground, prints the parent's answer and nothing else; a failed agent is the parent's to judge, and no failure of the run", async () => {
		const { server, pi } = await useDelegation(
			{
				parent: answering({ "go well": delegate("well"), "go wrong": delegate("wrong") }),
				child: (request) => (isTask("well")(request) ? text("the child's answer") : failure(500, "out of order")),
			},
			{ session: false },
		);
		expect(await pi.runPrint(["go well", "go wrong"])).toEqual({
			code: 0,
			signal: null,
			// Pi prints what was said last.
			stdout: "noted\n",
			stderr: "",
		});
		const last = server.requestsOf("parent").at(-1);
		expect((last === undefined ? [] : toolResults(last)).map((result) => result.text)).toEqual([
			expect.stringMatching(/^status: completed\n.*\n\nthe child's answer$/ms),
			expect.stringMatching(/^status: error .*out of order/ms),
		]);
	});

	it("print: a failed parent is a failure of the run, agents or not", async () => {
		const script = answering({ start: launch("task") });
		const { server, pi } = await useDelegation(
			{
				parent: (request, exchange) =>
					newUserTexts(request).length === 0 ? failure(500, "out of order") : script(request, exchange),
				child: leftToTest,
			},
			{ session: false },
		);
		const run = await pi.runPrint(["start"]);
		expect(run).toMatchObject({ code: 1, stdout: "" });
		expect(run.stderr).toContain("out of order");
		expect(run.stderr).not.toMatch(/^ +at /m);
		expect(server.openNow()).toBe(0);
	});

	it("json: tells of the call, its updates and its end", async () => {
		const parent = answering({ delegate: delegate("task") });
		const { pi } = await useDelegation({ parent, child: text("the child's answer") }, { session: false });
		const run = await pi.runJson(["delegate"]);
		expect(run).toMatchObject({ code: 0, stderr: "" });
		const [end] = toolEnds(run.events, "Agent");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result)).toMatch(/^agent_id: \S+\nstatus: completed\n.*\n\nthe child's answer$/s);
		const kinds = run.events.filter((record) => record.toolName === "Agent").map((record) => record.type);
		expect(kinds).toContain("tool_execution_update");
		expect(kinds.at(-1)).toBe("tool_execution_end");
		expect(lastAssistantText(run.events)).toBe("noted");
	});
});
