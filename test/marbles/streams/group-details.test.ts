import { EMPTY, NEVER, of, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { createAgents, createGroups, type GroupId, SpawnRefused, toCorrelationId } from "../../../src/streams/index.ts";
import type { LedgerGroup } from "../../../src/streams/ledger-line.ts";
import { word } from "../../support/agents-fixture.ts";
import { groupsFixture, type MemberSketch } from "../../support/groups-fixture.ts";
import { agentId, testConfig } from "../../support/run-script.ts";

const member = (name: string, ...after: string[]): MemberSketch => ({ name, after });
const byUser = { status: "stopped", reason: "stopped_by_user" } as const;

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
