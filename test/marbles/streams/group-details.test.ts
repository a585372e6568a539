import { EMPTY, from, NEVER, of, VirtualTimeScheduler } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import {
	createAgents,
	createGroups,
	type GroupId,
	type Outcome,
	type RunEvent,
	SpawnRefused,
	type StartRun,
	toCorrelationId,
} from "../../../src/streams/index.ts";
import type { LedgerGroup } from "../../../src/streams/ledger-line.ts";
import { agentsFixture, word } from "../../support/agents-fixture.ts";
import { groupsFixture, type MemberSketch } from "../../support/groups-fixture.ts";
import { agentId, doneOutcome, testConfig } from "../../support/run-script.ts";

const member = (name: string, ...after: string[]): MemberSketch => ({ name, after });
const byUser = { status: "stopped", reason: "stopped_by_user" } as const;

/** A group of these members, each with its end at once; the named one waits for all others. */
function played(ends: Readonly<Record<string, Outcome>>, last: string) {
	const names = Object.keys(ends);
	const prompts: string[] = [];
	const startRun: StartRun = ({ agentId: id, prompt }) => {
		prompts.push(prompt);
		const outcome = ends[names[Number(id.slice("agent".length)) - 1] ?? ""] ?? doneOutcome;
		return from<RunEvent[]>([
			{ type: "settled", outcome },
			{ type: "closed", how: "verified" },
		]);
	};
	const agents = agentsFixture(startRun, new TestScheduler(() => undefined));
	const group = createGroups({ agents, newGroupId: () => "group1" as GroupId }).spawn({
		kind: "crew",
		description: "a crew",
		background: true,
		join: "group",
		members: names.map((name) => ({
			name,
			after: name === last ? names.filter((other) => other !== last) : [],
			spawn: { prompt: name, description: name, config: testConfig },
		})),
	});
	return { prompts, records: group.members.map(({ record }) => record) };
}

describe("a group", () => {
	it("is refused with all that is wrong with it, one sentence after the other", () => {
		const { groups, spawn } = groupsFixture();
		expect(() => spawn([member("a", "a"), member("b", "z")])).toThrow(
			new SpawnRefused('"a" waits for itself. "b" waits for "z", but the members are "a", "b".'),
		);
		expect(groups.list()).toEqual([]);
	});

	it("of the session's own has no parent", () => {
		const group = groupsFixture().spawn([member("a")]);
		expect(group).not.toHaveProperty("parent");
	});

	it("writes ahead of each member what it is, its place and whom it needs", () => {
		const opened: (LedgerGroup | undefined)[] = [];
		let ids = 0;
		const agents = createAgents({
			startRun: () => NEVER,
			maxConcurrent$: of(4),
			maxAgents: () => 8,
			maxZombies: () => 1,
			newIds: () => ({ agentId: agentId(`agent${++ids}`), correlationId: toCorrelationId("c") }),
			scheduler: new VirtualTimeScheduler(),
			ledger: {
				open: (_record, _prompt, group) => {
					opened.push(group);
					return EMPTY;
				},
			},
		});
		const groupId = "group1" as GroupId;
		const spawn = { prompt: "do it", description: "do", config: testConfig };
		const of2 = { kind: "crew", description: "both", background: true, join: "each" } as const;
		createGroups({ agents, newGroupId: () => groupId }).spawn({
			...of2,
			members: [
				{ name: "a", after: [], spawn },
				{ name: "b", after: ["a"], spawn },
			],
		});
		agents.spawn({ ...spawn, background: true });
		expect(opened).toEqual([
			{ ...of2, groupId, member: "a", index: 0, after: [] },
			{ ...of2, groupId, member: "b", index: 1, after: ["a"] },
			undefined,
		]);
	});

	it("tells a member that could not start whom it needed, all that have failed, and has no text of it", () => {
		const { agents, own, spawn } = groupsFixture();
		// Before any of them is started: later, the first that fails decides.
		own(agents.changes$, (record) => {
			if (record.description === "c") void agents.stop(["agent-a", "agent-b"].map(agentId), byUser);
		});
		const record = spawn([member("a"), member("b"), member("c", "a", "b")]).members[2]?.record;
		expect(record?.status === "stopped" && record.outcome).toEqual({
			verdict: { status: "stopped", reason: "dependency_failed" },
			text: "",
			message: 'It needed the result of "a", "b", which did not succeed',
			unread: [],
		});
	});

	it("gives a member the text of those it needed with their notes below it", () => {
		const { prompts } = played({ a: { ...doneOutcome, notes: ["on a branch"] }, b: doneOutcome, c: doneOutcome }, "c");
		expect(prompts[2]).toContain("answer\non a branch\n");
	});

	it("shows what changes within a change once, and not again when its turn comes", () => {
		const fixture = groupsFixture();
		const group = fixture.spawn([member("a"), member("b")]);
		const seen: string[] = [];
		// It hears of the first one's end before whoever watches the group does.
		fixture.own(fixture.agents.changes$, (record) => {
			if (record.agentId === "agent-a" && word(record) === "completed") {
				fixture.own(fixture.agents.stop([agentId("agent-b")], byUser));
			}
		});
		fixture.own(group.watch$, (records) => seen.push(records.map(word).join(" ")));
		fixture.say("a", "s");
		expect(seen).toEqual(["running running", "completed stopping"]);
	});
});
