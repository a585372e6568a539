import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hang, text, toolCalls } from "../support/chat-reply.ts";
import { type ChatRequest, freshToolResults, toolResults } from "../support/chat-request.ts";
import { ownExtension } from "../support/pi-cli.ts";
import { contentText, type PiRecord, toolEnds } from "../support/pi-record.ts";
import { useHttpGate } from "../support/use-http-gate.ts";
import {
	agentCall,
	answering,
	deliveries,
	leftToTest,
	newUserTexts,
	notes,
	promptUntilCall,
	untilPublished,
	useDelegation,
} from "./extension-fixture.ts";
import { shareDelegation } from "./shared-delegation.ts";

const slowStart = fileURLToPath(new URL("../support/fixtures/slow-start.ts", import.meta.url));

/** The parent starts agents that belong together. */
const together = (args: Readonly<Record<string, unknown>>) => toolCalls([agentCall("brief", args)]);

/** A diamond, and one beside it. */
const diamond = [
	{ name: "top", prompt: "task of top" },
	{ name: "left", prompt: "task of left", after: ["top"] },
	{ name: "right", prompt: "task of right", after: ["top"] },
	{ name: "bottom", prompt: "task of bottom", after: ["left", "right"] },
	{ name: "aside", prompt: "task of aside" },
];

const memberOf = (request: ChatRequest): string => /task of (\w+)/.exec(newUserTexts(request)[0] ?? "")?.[1] ?? "?";
const groupIdIn = (request: ChatRequest): string | undefined =>
	toolResults(request)
		.map((result) => /^group_id: (\S+)$/m.exec(result.text)?.[1])
		.find((id) => id !== undefined);
const resultsIn = (request: ChatRequest): string[] => newUserTexts(request)[0]?.match(/result of \w+/g) ?? [];

const begin = shareDelegation();

describe("a crew of five in a diamond", () => {
	it("gets each result to the prompts of those that wait for it and to no other, and tells all in the given order", async () => {
		const { server, rpc } = await begin(
			{
				parent: answering({ go: together({ members: diamond }) }),
				child: (request) => text(`result of ${memberOf(request)}`),
			},
			{ maxConcurrent: 2 },
		);
		await rpc.prompt("go");
		const asked = new Map(server.requestsOf("child").map((request) => [memberOf(request), resultsIn(request)]));
		expect(Object.fromEntries(asked)).toEqual({
			top: [],
			left: ["result of top"],
			right: ["result of top"],
			bottom: ["result of left", "result of right"],
			aside: [],
		});
		expect(server.requestsOf("child")).toHaveLength(5);
		expect(server.mostOpen("child")).toBeLessThanOrEqual(2);
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(false);
		const said = contentText(end?.result);
		expect(said).toMatch(/^group_id: [\w-]{4,64}\ncrew: 5 members, 5 completed\n/);
		expect(said.match(/^(?:member: \w+|result of \w+)$/gm)).toEqual(
			diamond.flatMap(({ name }) => [`member: ${name}`, `result of ${name}`]),
		);
		expect(said).not.toContain("task of");
		expect(notes(rpc.events)).toEqual([]);
	});
});

describe("an abort of a crew (seed 000 §17.3)", () => {
	it("with two running, one starting and two queued leaves no open connection, and no request comes after it", async () => {
		// Each start of a session asks at the gate: the parent's own and two members' pass, the third member's has to wait.
		const gate = await useHttpGate(3);
		const members = ["a", "b", "c", "d", "e"].map((name) => ({ name, prompt: `task of ${name}` }));
		const { server, pi } = await useDelegation(
			{
				parent: answering({ go: together({ members }), "go on": text("ok") }),
				child: hang("half an answer"),
			},
			{
				orchestrator: { maxConcurrent: 3, stopGrace: 3_600 },
				extensions: [ownExtension(), slowStart],
				env: { START_URL: gate.url },
			},
		);
		const rpc = pi.startRpc();
		await promptUntilCall(rpc, "go", "Agent");
		await gate.asked(4);
		await server.until(() => server.openNow("child") === 2, "two members at work");
		const stands = ({ partialResult }: PiRecord) =>
			contentText(partialResult)
				.match(/\): (?:queued|running)|half an answer/g)
				?.join(" ") ?? "";
		const atWork = "): running half an answer";
		const all = [atWork, atWork, "): running", "): queued", "): queued"].sort();
		const isThere = (record: PiRecord) =>
			stands(record)
				.split(/ (?=\))/)
				.sort()
				.join() === all.join();
		await rpc.untilHolds(() => rpc.events.some(isThere), "two at work, one starting and two queued");
		const aborted = rpc.request({ type: "abort" });
		// The extension's loading cannot be aborted: the member that starts comes to rest when it is over.
		await server.until(() => server.openNow("child") === 0, "both connections to be closed");
		gate.open();
		await aborted;
		await rpc.untilHolds(() => toolEnds(rpc.events, "Agent").length > 0, "the call to end");
		const [end] = toolEnds(rpc.events, "Agent");
		expect(end?.isError).toBe(true);
		const said = contentText(end?.result);
		expect(said).toContain("crew: 5 members, 5 stopped");
		expect(said.match(/status: stopped \(stopped_by_parent\)/g)).toHaveLength(5);
		expect(said.match(/half an answer/g)).toHaveLength(2);
		expect(server.openNow()).toBe(0);
		expect(server.requestsOf("child")).toHaveLength(2);

		await rpc.prompt("go on");
		expect(server.requestsOf("child")).toHaveLength(2);
		expect(notes(rpc.events)).toEqual([]);
	});
});

describe("a swarm", () => {
	it("in the foreground comes back as one result that has each agent's answer", async () => {
		const { server, rpc } = await begin({
			parent: answering({ go: together({ swarm: 3 }) }),
			child: (request) => text(`answer of ${/agent (\d) of 3/.exec(newUserTexts(request)[0] ?? "")?.[1]}`),
		});
		await rpc.prompt("go");
		const said = contentText(toolEnds(rpc.events, "Agent")[0]?.result);
		expect(said.match(/^answer of \d$/gm)).toEqual(["answer of 1", "answer of 2", "answer of 3"]);
		const last = server.requestsOf("parent").at(-1);
		expect(last && freshToolResults(last).map((result) => result.text)).toEqual([said]);
		expect(notes(rpc.events)).toEqual([]);
	});

	it("of eight in the background gives one message when the last has ended", async () => {
		const { server, rpc } = await begin({
			parent: answering({ go: together({ swarm: 8, run_in_background: true }) }),
			child: leftToTest,
		});
		await rpc.prompt("go");
		const receipt = contentText(toolEnds(rpc.events, "Agent")[0]?.result);
		expect(receipt).toMatch(/^group_id: [\w-]{4,64}\nswarm: 8 members, /);
		for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
			const is = (request: ChatRequest) => newUserTexts(request)[0]?.includes(`agent ${number} of 8`) === true;
			const exchange = await server.anyRequest((request) => request.model === "child" && is(request));
			expect(notes(rpc.events)).toEqual([]);
			exchange.write(`answer of ${number}`);
			exchange.finish();
		}
		const [note, ...more] = await untilPublished(rpc, 8);
		expect(more).toEqual([]);
		expect(note && deliveries(note)).toHaveLength(8);
		expect(note?.text).toMatch(/^group_id: [\w-]{4,64}\nswarm: 8 members, 8 completed\n/);
		expect(note?.text.match(/^(?:member: \d|answer of \d)$/gm)).toEqual(
			[1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => [`member: ${number}`, `answer of ${number}`]),
		);
		expect(server.mostOpen("child")).toBeLessThanOrEqual(4);
	});

	it("of two and a half is refused, and starts nothing", async () => {
		const { server, rpc } = await begin({
			parent: answering({ go: toolCalls([agentCall("a", { swarm: 2.5 }), agentCall("b", { swarm: "2.5" })]) }),
			child: text("never asked"),
		});
		await rpc.prompt("go");
		const ends = toolEnds(rpc.events, "Agent");
		expect(ends.map(({ isError }) => isError)).toEqual([true, true]);
		for (const { result } of ends) expect(contentText(result)).toMatch(/swarm[\s\S]*2\.5 \(not a whole number\)/);
		expect(server.requestsOf("child")).toEqual([]);
	});

	it("with the setting `join: each` gives a message for each member, as soon as that has ended", async () => {
		const { server, rpc } = await begin(
			{
				parent: answering({ go: together({ swarm: 2, run_in_background: true }) }),
				child: leftToTest,
			},
			{ join: "each" },
		);
		await rpc.prompt("go");
		for (const number of [2, 1]) {
			const is = (request: ChatRequest) => newUserTexts(request)[0]?.includes(`agent ${number} of 2`) === true;
			const exchange = await server.anyRequest((request) => request.model === "child" && is(request));
			exchange.write(`answer of ${number}`);
			exchange.finish();
			await untilPublished(rpc, 3 - number);
		}
		expect(notes(rpc.events).map((note) => note.text.match(/^(?:member: \d|answer of \d)$/gm))).toEqual([
			["member: 2", "answer of 2"],
			["member: 1", "answer of 1"],
		]);
		// Nor is the setting said to be without effect.
		expect(rpc.events.filter(({ method }) => method === "notify")).toEqual([]);
	});

	it("in the background is waited for by its group's id, and then never published", async () => {
		const { server, rpc, leave } = await begin({
			parent: answering({
				go: together({ swarm: 2, run_in_background: true }),
				wait: (request) =>
					toolCalls([{ name: "get_subagent_result", args: { agent_id: groupIdIn(request), wait: true } }]),
			}),
			child: leftToTest,
		});
		await rpc.prompt("go");
		await server.until(() => server.openNow("child") === 2, "both at work");
		await promptUntilCall(rpc, "wait", "get_subagent_result");
		for (const exchange of server.exchanges.filter(({ request }) => request.model === "child")) {
			exchange.write(`answer ${exchange.index}`);
			exchange.finish();
		}
		await rpc.until(
			(record) => record.type === "agent_settled" && toolEnds(rpc.events, "get_subagent_result").length > 0,
		);
		const [end] = toolEnds(rpc.events, "get_subagent_result");
		expect(end?.isError).toBe(false);
		expect(contentText(end?.result).match(/^answer \d+$/gm)).toHaveLength(2);
		await leave();
		expect(notes(rpc.events)).toEqual([]);
	});
});
