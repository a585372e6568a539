import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text, toolCalls } from "../support/chat-reply.ts";
import { toolResults } from "../support/chat-request.ts";
import type { Pi } from "../support/pi.ts";
import { contentText, toolEnds } from "../support/pi-record.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import { agentCall, answering, isTask, untilPublished, useDelegation } from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const at = (schedule: string, more: Readonly<Record<string, unknown>> = {}) =>
	toolCalls([agentCall("look around", { schedule, ...more })]);

/** What the person has been shown, and waits until that includes something. */
const shown = (rpc: PiRpc): string[] =>
	rpc.events.filter((record) => record.method === "notify").map((record) => String(record.message));
const untilShown = (rpc: PiRpc, words: string): Promise<unknown> =>
	rpc.untilHolds(() => shown(rpc).some((said) => said.includes(words)), `a notice with "${words}"`);

async function command(rpc: PiRpc, message: string): Promise<string> {
	const answer = rpc.untilNext((record) => record.method === "notify", `an answer to ${message}`);
	await rpc.request({ type: "prompt", message });
	return String((await answer).message);
}

async function sessionFile(rpc: PiRpc): Promise<string> {
	const { data } = await rpc.request({ type: "get_state" });
	return (data as { sessionFile: string }).sessionFile;
}

/** The one file of schedules there is. */
function storeOf(pi: Pi): string {
	const folder = join(pi.agentDir, "orchestrator");
	const [file] = readdirSync(folder)
		.map((session) => join(folder, session, "schedules.json"))
		.filter((path) => existsSync(path));
	if (file === undefined) throw new Error("there is no file of schedules");
	return file;
}

/** The time of the one schedule passes, from one moment to the next. */
function letTimePass(pi: Pi): void {
	const file = storeOf(pi);
	const kept = JSON.parse(readFileSync(file, "utf8")) as { schedules: [{ next: number }] };
	const [schedule] = kept.schedules;
	schedule.next = Date.now() - 60_000;
	writeFileSync(file, JSON.stringify(kept));
}

/** Schedules something and kills Pi as soon as the receipt is there. */
async function scheduleAndKill(pi: Pi, message: string): Promise<void> {
	const rpc = pi.startRpc();
	const receipt = rpc.untilNext((record) => record.type === "tool_execution_end", "the receipt");
	await rpc.request({ type: "prompt", message });
	expect(contentText((await receipt).result)).toMatch(/^schedule_id: s-[0-9a-f]{8}$/m);
	rpc.kill("SIGKILL");
	await rpc.exit;
}

const parent = answering({ soon: at("+1s"), yearly: at("0 0 1 1 *"), hello: text("well") });
const child = text("all quiet");

describe("a scheduled agent", () => {
	const begin = shareDelegation();

	it("starts at its time, and its result comes like any other", async () => {
		const { server, rpc } = await begin({ parent, child });
		await rpc.prompt("soon");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result)).toMatch(/^schedule_id: s-[0-9a-f]{8}$/m);
		await server.anyRequest(isTask("look around"));
		const [note] = await untilPublished(rpc);
		expect(note?.text).toContain("all quiet");
		const [scheduleId = "none"] = /s-[0-9a-f]{8}/.exec(contentText(end?.result)) ?? [];
		expect(note?.text.split("\n")).toContain(`schedule: ${scheduleId}`);
		expect(await command(rpc, "/agents schedules")).toBe("No schedules in this session.");
		expect(server.requestsOf("child")).toHaveLength(1);
	});

	it("is listed, paused, resumed and cancelled by a person, in the session that it was made in", async () => {
		const { rpc } = await begin({ parent, child });
		await rpc.prompt("yearly");
		const id = /s-[0-9a-f]{8}/.exec(contentText(toolEnds(rpc.events, "Agent")[0]?.result))?.[0] ?? "";
		expect(await command(rpc, "/agents schedules")).toMatch(new RegExp(`^${id} +waiting .* at 00:00 on day 1 of`, "m"));
		expect(await command(rpc, `/agents schedules pause ${id}`)).toContain(`Paused ${id}`);
		expect(await command(rpc, "/agents schedules")).toMatch(new RegExp(`^${id} +paused `, "m"));
		expect(await command(rpc, `/agents schedules resume ${id}`)).toContain(`${id} goes on: next is `);
		expect(await command(rpc, "/agents schedules cancel s-nobody")).toContain(`No schedule "s-nobody"`);
		// It belongs to its session: another one has none, and it goes on when that is opened again.
		const sessionPath = await sessionFile(rpc);
		await rpc.request({ type: "new_session" });
		expect(await command(rpc, "/agents schedules")).toBe("No schedules in this session.");
		await rpc.request({ type: "switch_session", sessionPath });
		await untilShown(rpc, "1 schedule is live in this session");
		expect(await command(rpc, `/agents schedules cancel ${id}`)).toContain(`Cancelled ${id}.`);
		expect(await command(rpc, "/agents schedules")).toBe("No schedules in this session.");
	});
});

describe("a schedule whose Pi was killed right after its receipt", () => {
	it("is there when the session is opened again: a time that passed is left out and said (`skip`), or made up for once (`once`)", async () => {
		const { server, pi } = await useDelegation({ parent, child });
		await scheduleAndKill(pi, "yearly");
		letTimePass(pi);
		const rpc = pi.startRpc(["--continue"]);
		await untilShown(rpc, "1 schedule is live in this session");
		expect(shown(rpc)).toEqual([
			expect.stringMatching(/^Schedule s-.* passed while nothing could start it, and is left out\.$/),
			expect.stringContaining("1 schedule is live"),
		]);
		expect(await command(rpc, "/agents schedules")).toMatch(/^s-[0-9a-f]{8} +waiting /m);
		expect(server.requestsOf("child")).toEqual([]);

		const sessionPath = await sessionFile(rpc);
		await rpc.request({ type: "new_session" });
		letTimePass(pi);
		pi.configure({ missedSchedules: "once" });
		await rpc.request({ type: "switch_session", sessionPath });
		await server.anyRequest(isTask("look around"));
		await rpc.stop();
		// What a next start finds has its next time to come.
		const { schedules } = JSON.parse(readFileSync(storeOf(pi), "utf8")) as { schedules: { next: number }[] };
		expect(schedules.map(({ next }) => next > Date.now())).toEqual([true]);
		expect(server.requestsOf("child")).toHaveLength(1);
	});
});

describe("two Pi on one session", () => {
	it("start what is due once, and one says who keeps the schedules", async () => {
		const { server, pi } = await useDelegation({ parent, child }, { orchestrator: { missedSchedules: "once" } });
		await scheduleAndKill(pi, "yearly");
		letTimePass(pi);
		const both = [pi.startRpc(["--continue"]), pi.startRpc(["--continue"])] as const;
		await Promise.all(both.map((rpc) => untilShown(rpc, "1 schedule is live in this session")));
		await server.anyRequest(isTask("look around"));
		const answers = await Promise.all(
			both.map(async (rpc) => {
				const id = /s-[0-9a-f]{8}/.exec(await command(rpc, "/agents schedules"))?.[0];
				return command(rpc, `/agents schedules pause ${id}`);
			}),
		);
		expect(answers.filter((answer) => answer.startsWith("Paused"))).toHaveLength(1);
		expect(answers.filter((answer) => answer.includes("has this session open too"))).toHaveLength(1);
		await Promise.all(both.map((rpc) => rpc.stop()));
		expect(server.requestsOf("child")).toHaveLength(1);
	});
});

describe("where nothing can be scheduled", () => {
	it.each(["print", "json"])("a call says so as an error: %s mode", async (mode) => {
		const { server, pi } = await useDelegation({ parent, child });
		const { code } = await (mode === "print" ? pi.runPrint(["yearly"]) : pi.runJson(["yearly"]));
		expect(code).toBe(0);
		const answers = server.requestsOf("parent").flatMap(toolResults);
		expect(answers.map((answer) => answer.text)).toEqual([expect.stringMatching(/print and json|ends with/)]);
		expect(existsSync(join(pi.agentDir, "orchestrator"))).toBe(false);
	});

	it("a session that is not kept says that its schedules end with it", async () => {
		const { server, pi } = await useDelegation({ parent, child }, { session: false });
		const rpc = pi.startRpc();
		await rpc.prompt("soon");
		expect(contentText(toolEnds(rpc.events, "Agent")[0]?.result)).toMatch(/ends with this session/);
		await server.anyRequest(isTask("look around"));
		await untilPublished(rpc);
	});
});
