import { describe, expect, it } from "vitest";
import { isTerminal, type TerminalRecord } from "../../src/streams/index.ts";
import { type AgentParams, composeNote, createAgentTool, createGetSubagentResultTool } from "../../src/tools/index.ts";
import { ended } from "./records.ts";
import { callOf, toolsFixture } from "./tools-fixture.ts";

const swarm: AgentParams = { prompt: "look", description: "look around", swarm: 3, run_in_background: true };

/** A swarm of three that has ended, and the note for those of them that `wanted` takes. */
async function endedSwarm(settings: { readonly join?: "group" | "each" } = {}) {
	const fixture = toolsFixture({ settings });
	await createAgentTool(fixture.deps).run(callOf(swarm));
	for (const index of [0, 1, 2]) fixture.run(index).end({ text: `answer ${index + 1}` });
	const records = (): TerminalRecord[] => fixture.agents.list().filter(isTerminal);
	const note = (these: readonly TerminalRecord[]) =>
		composeNote(these, new Map(), ({ agentId }) => fixture.deps.groups.of(agentId));
	return { ...fixture, records, note };
}

describe("a group's message", () => {
	it("has the group's header with the sums once, then a named section for each member", async () => {
		const { records, note } = await endedSwarm();
		const { text, deliveries, details } = note(records());
		expect(text).toMatch(
			/^group_id: group1\nswarm: 3 members, 3 completed\ntotal: turns: 0 .*\n\nmember: 1\nagent_id: agent1\n/,
		);
		expect(text.match(/^(?:group_id|member): .*$/gm)).toEqual([
			"group_id: group1",
			"member: 1",
			"member: 2",
			"member: 3",
		]);
		expect(text).not.toContain("read before");
		expect(deliveries).toEqual(["agent1#1", "agent2#1", "agent3#1"]);
		expect(details).toMatchObject({
			agents: [{ member: "1" }, { member: "2" }, { member: "3" }],
			groups: [{ groupId: "group1", kind: "swarm", description: "look around" }],
		});
	});

	it("names the members whose results were read before, and leaves them out", async () => {
		const { records, note, deps } = await endedSwarm();
		await createGetSubagentResultTool(deps).run(callOf({ agent_id: "agent2" }));
		const { text } = note(records().filter(({ agentId }) => agentId !== "agent2"));
		expect(text).toMatch(/\nread before: 2\n\nmember: 1\n/);
		expect(text).not.toContain("answer 2");
	});

	it("names apart those that were interrupted, which have no result", async () => {
		const { records, deps } = await endedSwarm();
		const [first, second, third] = records();
		const group = deps.groups.list()[0];
		if (!first || !second || !third || !group) throw new Error("there are three members");
		const interrupted = (record: TerminalRecord, reason: "interrupted" | "parent_shutdown"): TerminalRecord => ({
			...record,
			outcome: {
				...record.outcome,
				verdict: { ...record.outcome.verdict, reason } as TerminalRecord["outcome"]["verdict"],
			},
		});
		const states = [first, interrupted(second, "interrupted"), interrupted(third, "parent_shutdown")];
		const restored = {
			...group,
			members: group.members.map((one, index) => ({ ...one, record: states[index] ?? first })),
		};
		const { text } = composeNote([first], new Map(), () => restored);
		expect(text).toMatch(/\ninterrupted: 2, 3\n\nmember: 1\n/);
		expect(text).not.toContain("read before");
	});

	it("stands beside results of other agents, which have no name", async () => {
		const { records, note } = await endedSwarm();
		const { text, details } = note([ended("before"), ...records(), ended("after")]);
		expect(text.match(/^(?:group_id|member|agent_id): .*$/gm)).toEqual([
			"agent_id: before",
			"group_id: group1",
			"member: 1",
			"agent_id: agent1",
			"member: 2",
			"agent_id: agent2",
			"member: 3",
			"agent_id: agent3",
			"agent_id: after",
		]);
		expect(details.agents[0]).not.toHaveProperty("member");
	});

	it("is a named result of its own for each member where they are told one by one", async () => {
		const { records, note } = await endedSwarm({ join: "each" });
		const { text } = note(records().slice(1, 2));
		expect(text).toMatch(/^group_id: group1\nmember: 2\nagent_id: agent2\nstatus: completed\n/);
		expect(text).not.toContain("read before");
	});

	it("does not count a later run of a member in", async () => {
		const { records, note } = await endedSwarm();
		const [first] = records();
		if (first === undefined) throw new Error("no record");
		expect(note([{ ...first, run: 2 }]).text).toMatch(/^agent_id: agent1\n/);
	});
});
