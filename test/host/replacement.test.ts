import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PiRecord } from "../support/pi-record.ts";
import { type AgentsAt, agentStates } from "./replacement/agent-states.ts";
import { namedRuns, openReplacementWorld, type ReplacementWorld } from "./replacement/replacement-world.ts";

/** `npm run test:replacement` plays every state with every command. */
const whole = process.env.REPLACEMENT === "whole";

type Leave = (world: ReplacementWorld, elsewhere: string) => Promise<unknown>;

/** How a session is left by a command. Resolves when the host says that it is done. */
const commands: Readonly<Record<string, Leave>> = {
	"/new": ({ rpc }) => rpc.request({ type: "new_session" }),
	"/fork": async ({ rpc }) => {
		const { data } = await rpc.request({ type: "get_fork_messages" });
		const { messages } = data as { messages: { entryId: string }[] };
		return rpc.request({ type: "fork", entryId: messages.at(-1)?.entryId });
	},
	"/clone": ({ rpc }) => rpc.request({ type: "clone" }),
	"/resume": ({ rpc }, elsewhere) => rpc.request({ type: "switch_session", sessionPath: elsewhere }),
	"/reload": ({ rpc }) => rpc.request({ type: "prompt", message: "/reload-now" }),
};

type StateName = keyof typeof agentStates;
const states = Object.keys(agentStates) as StateName[];

/** The host refuses to reload while the parent is at work. */
const possible = (command: string, state: StateName): boolean =>
	command !== "/reload" || (state !== "called" && state !== "settledAndBusy");

const cells = Object.entries(commands).flatMap(([command, leave], row) =>
	states
		.filter((state) => possible(command, state))
		// One in three, another third for each command, so that every command and every state is among them.
		.filter((_, column) => whole || (row + column) % 3 === 0)
		.map((state) => ({ command, leave, state })),
);

const errors = (records: readonly PiRecord[]): PiRecord[] =>
	records.filter(({ type, success }) => type === "extension_error" || success === false);

let world: ReplacementWorld;
let elsewhere: string;
let tasks = 0;

beforeAll(async () => {
	world = await openReplacementWorld();
	await world.rpc.prompt("hello");
	elsewhere = await world.file();
});
afterAll(() => world.dispose());

describe("a session that is left with agents (seed 000 §17 Lifecycle)", () => {
	it.each(cells)("by $command while they are $state has them, and no other has", async ({ leave, state }) => {
		await world.rpc.request({ type: "new_session" });
		const file = await world.file();
		const before = world.rpc.events.length;
		const agents = await agentStates[state](world, `${state}-${++tasks}`);
		await leaveWith(agents, leave);

		// What is current now was never told of them, and has none.
		const now = await world.file();
		if (now !== file) {
			expect(await world.command("/agents list")).toBe("No agents in this session.");
			const other = namedRuns(now, "subagent-notice").concat(namedRuns(now, "subagent-result"));
			expect(other).toEqual([]);
			await world.rpc.request({ type: "switch_session", sessionPath: file });
		}
		await expectWhole(file, agents);
		expect(errors(world.rpc.events.slice(before))).toEqual([]);
		expect(world.rpc.stderr).toBe("");
	});

	it.each(states)("by quitting while they are %s has them when it is opened again", async (state) => {
		await world.rpc.request({ type: "new_session" });
		const file = await world.file();
		const agents = await agentStates[state](world, `${state}-${++tasks}`);
		const quitter = world.rpc;
		await leaveWith(agents, () => world.restart(file));
		expect(quitter.stderr).toBe("");
		await expectWhole(file, agents);
		expect(world.rpc.stderr).toBe("");
	});
});

/** Leaves the session. The person is told what it takes along, and nothing of that is at work afterwards. */
async function leaveWith({ ids, fate, meanwhile, pid }: AgentsAt, leave: Leave): Promise<void> {
	const { rpc, server } = world;
	const asked = server.requestsOf("slow").length;
	const told = rpc.untilNext(
		({ method, message }) => method === "notify" && ids.every((id) => String(message).includes(id)),
		"what the session takes with it",
	);
	// What a call was waiting for ends with the call, which is before the session does. Whatever else fails is told first.
	const mayBeSilent = fate === "read";
	told.catch(() => {});
	const left = leave(world, elsewhere);
	left.catch(() => {});
	if (!mayBeSilent) await told;
	meanwhile?.();
	await left;
	world.hold(false);
	await server.until(() => server.openNow() === 0, "all requests to end");
	expect(server.requestsOf("slow")).toHaveLength(asked);
	if (pid !== undefined) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
}

const statuses = {
	interrupted: "stopped (parent_shutdown)",
	published: "completed",
	read: "stopped (stopped_by_parent)",
} as const;

/** The session, which is open again, has each of its agents once: cut short and said so, published, or read. */
async function expectWhole(file: string, { ids, fate, text }: AgentsAt): Promise<void> {
	const runs = ids.map((id) => `${id}#1`);
	expect(runs).not.toEqual([]);
	const listed = await world.command("/agents list");
	for (const id of ids) expect(listed).toContain(`\n${id}  ${statuses[fate]} `);
	// Coming back another time, with another message, says and publishes nothing again.
	await world.rpc.prompt("hello");
	await world.rpc.request({ type: "switch_session", sessionPath: elsewhere });
	await world.rpc.request({ type: "switch_session", sessionPath: file });
	await world.rpc.prompt("hello");
	expect(namedRuns(file, "subagent-notice")).toEqual(fate === "interrupted" ? runs : []);
	expect(namedRuns(file, "subagent-result")).toEqual(fate === "published" ? runs : []);
	const read = await world.read(ids.at(-1) ?? "");
	expect(read.slice(read.indexOf("\n\n") + 2)).toMatch(text);
}
