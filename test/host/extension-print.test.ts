import { describe, expect, it } from "vitest";
import { failure, text } from "../support/chat-reply.ts";
import { contentText, lastAssistantText, toolEnds } from "../support/pi-record.ts";
import {
	answering,
	delegate,
	deliveries,
	isTask,
	launch,
	leftToTest,
	newUserTexts,
	notes,
	useDelegation,
} from "./extension-fixture.ts";

describe("the one-shot modes (seed 000 §17 Rendering, non-TUI mode)", () => {
	it("print: delegates in the foreground, prints the parent's answer and nothing else", async () => {
		const parent = answering({ delegate: delegate("task") });
		const { pi } = await useDelegation({ parent, child: text("the child's answer") }, { session: false });
		expect(await pi.runPrint(["delegate"])).toEqual({ code: 0, signal: null, stdout: "noted\n", stderr: "" });
	});

	it("print: a failed agent is the parent's to judge, and no failure of the run", async () => {
		const parent = answering({ delegate: delegate("task") });
		const { pi } = await useDelegation({ parent, child: failure(500, "out of order") }, { session: false });
		expect(await pi.runPrint(["delegate"])).toEqual({ code: 0, signal: null, stdout: "noted\n", stderr: "" });
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

	it.each(["print", "json"] as const)(
		"%s: names on the error stream which agents end with the session",
		async (mode) => {
			const { pi } = await useDelegation(
				{ parent: answering({ start: launch("task") }), child: leftToTest },
				{ session: false },
			);
			const run = await (mode === "print" ? pi.runPrint(["start"]) : pi.runJson(["start"]));
			expect(run.code).toBe(0);
			expect(run.stderr).toMatch(/^Agents stopped with the session: [0-9a-f]{8}\.\n$/);
		},
	);

	it("json: what has ended in the background goes at the boundary, before the last answer", async () => {
		const { server, pi } = await useDelegation(
			{ parent: leftToTest, child: leftToTest },
			{ session: false, orchestrator: { maxConcurrent: 1 } },
		);
		const script = answering({ start: launch("first", "second") });
		server.answer(async (request, exchange) => {
			if (isTask("first")(request)) return text("the first answer");
			if (isTask("second")(request)) return undefined;
			// The second is asked when the first has made room: the first is ready before the parent has spoken.
			if (newUserTexts(request).length === 0) await server.anyRequest(isTask("second"));
			return script(request, exchange);
		});
		const process = pi.startJson(["start"]);
		await server.anyRequest(isTask("second"));
		await process.untilHolds(() => notes(process.records).length > 0, "the first result");
		(await server.anyRequest(isTask("second"))).cut();
		expect(await process.exit).toEqual({ code: 0, signal: null });
		// The second may have ended in time for the last boundary, too late for it, or not at all.
		expect(process.stderr).toMatch(/^(Agents (ended unread|stopped with the session): [0-9a-f]{8}\.\n)?$/);
		const [receipt] = toolEnds(process.records, "Agent");
		expect(contentText(receipt?.result)).toContain("This session ends with your final answer");
		const published = notes(process.records);
		expect(published.flatMap(deliveries).length).toBeGreaterThan(0);
		expect(published[0]?.text).toContain("the first answer");
		expect(lastAssistantText(process.records)).toBe("received");
	});
});
