import { asyncScheduler, firstValueFrom, NEVER, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { type AgentId, type GroupId, toToolCallId } from "../../src/streams/ids.ts";
import { createAgents, createGroups, createOutbox, type Note, type TerminalRecord } from "../../src/streams/index.ts";
import type { LedgerGroup } from "../../src/streams/ledger-line.ts";
import { restoreLife } from "../../src/streams/restored-groups.ts";
import type { RestoredRun } from "../../src/streams/restored-run.ts";
import { done, history } from "./ledger-fixture.ts";

const groupId = "g-1" as GroupId;

function memberOf(index: number, member: string, join: LedgerGroup["join"] = "group"): LedgerGroup {
	return { groupId, kind: "crew", description: "the crew", background: true, join, member, index, after: [] };
}

function left(id: string, over: Partial<RestoredRun> = {}): RestoredRun {
	const { record } = history(id, { outcome: done(`answer of ${id}`) });
	return { record, ownership: "held", publish: true, current: true, unheard: [], ...over };
}

/** A session that has these runs of an earlier life, or gets them from another one while it goes on. */
function session(these: readonly RestoredRun[], how: "at its start" | "later") {
	const life = restoreLife(these);
	const atStart = how === "at its start";
	const agents = createAgents({
		startRun: () => NEVER,
		maxConcurrent$: NEVER,
		maxAgents: () => 8,
		maxZombies: () => 1,
		newIds: () => {
			throw new Error("nothing is started here");
		},
		scheduler: asyncScheduler,
		...(atStart ? { restored: life.runs } : {}),
	});
	const groups = createGroups({
		agents,
		newGroupId: () => "g-new" as GroupId,
		...(atStart ? { restored: life.groups } : {}),
	});
	const compose = (records: readonly TerminalRecord[]): Note => ({
		text: records.map(({ agentId }) => agentId).join(" "),
		deliveries: [],
		details: { delivery: [], agents: [] },
	});
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$: new Subject(),
		port: { wake: () => false, committed: () => new Set(), notify: () => undefined },
		compose,
		scheduler: asyncScheduler,
	});
	if (!atStart) {
		groups.adopt(life.groups);
		agents.adopt(life.runs);
	}
	return { agents, groups, outbox, published: () => outbox.take("prompt")?.text };
}

describe.each(["at its start", "later"] as const)("a group of another life that a session gets %s", (how) => {
	it("has its members in the given order, whatever the order of their agents", () => {
		const { groups } = session(
			[left("bbbb", { group: memberOf(1, "south") }), left("aaaa", { group: memberOf(0, "north") })],
			how,
		);
		const [group] = groups.list();
		expect(group).toMatchObject({ groupId, kind: "crew", description: "the crew", isOver: true, background: true });
		expect(group?.members.map(({ name, agentId }) => `${name}: ${agentId}`)).toEqual(["north: aaaa", "south: bbbb"]);
		expect(groups.of("bbbb" as AgentId)).toBe(group);
		expect(groups.get(groupId)).toBe(group);
	});

	it("says whose it was, and by which call, where that is known", () => {
		const group = memberOf(0, "north");
		const { record } = history("aaaa", { parent: "pppp" });
		const owned = left("aaaa", { group, record: { ...record, toolCallId: toToolCallId("t1") } });
		expect(session([owned], how).groups.list()[0]).toMatchObject({ parent: "pppp", toolCallId: "t1" });
		const bare = session([left("aaaa", { group })], how).groups.list()[0];
		for (const key of ["parent", "toolCallId"]) expect(bare).not.toHaveProperty(key);
	});

	it("is read as a whole, and is not published then", async () => {
		const { groups, published } = session(
			[left("aaaa", { group: memberOf(0, "north") }), left("bbbb", { group: memberOf(1, "south") })],
			how,
		);
		const readings = await firstValueFrom(groups.list()[0]?.claim$ ?? NEVER, { defaultValue: [] });
		expect(readings.map(({ record }) => record.outcome.text)).toEqual(["answer of aaaa", "answer of bbbb"]);
		expect(published()).toBeUndefined();
	});

	it("is published together, without what was read or published before and what has no result", () => {
		const these = [
			left("aaaa", { group: memberOf(0, "one") }),
			left("bbbb", { group: memberOf(1, "two"), ownership: "read", publish: false }),
			left("cccc", { group: memberOf(2, "three"), ownership: "published", publish: false }),
			left("dddd", { group: memberOf(3, "four"), publish: false }),
			left("eeee", { group: memberOf(4, "five") }),
		];
		expect(session(these, how).published()).toBe("aaaa eeee");
	});

	it("keeps the run that it started of an agent that has gone on by itself", () => {
		const first = left("aaaa", { group: memberOf(0, "north"), current: false });
		const second = history("aaaa", { after: first.record }).record;
		const { groups, agents } = session([first, left("aaaa", { record: second, publish: false })], how);
		expect(groups.list()[0]?.members[0]?.record).toBe(first.record);
		expect(agents.get("aaaa" as AgentId)).toBe(second);
	});
});

describe("what a session gets from another one while it goes on", () => {
	it("does not take the place of a newer run, and groups that are known stay as they are", () => {
		const old = left("aaaa", { group: memberOf(0, "north") });
		const newer = history("aaaa", { after: old.record }).record;
		const { agents, groups } = session(
			[left("aaaa", { record: newer, publish: false, group: memberOf(0, "north") })],
			"later",
		);
		const [group] = groups.list();
		const again = restoreLife([old]);
		groups.adopt(again.groups);
		agents.adopt(again.runs);
		expect(agents.get("aaaa" as AgentId)).toBe(newer);
		expect(groups.list()).toEqual([group]);
	});

	it("is told as a change, and starts no turn where it is to be quiet", () => {
		const { agents } = session([], "later");
		const changed: string[] = [];
		const quiet: boolean[] = [];
		const ignore = () => undefined;
		const seen = agents.changes$.subscribe({ next: ({ agentId }) => changed.push(agentId), error: ignore });
		seen.add(agents.publishable$.subscribe({ next: (one) => quiet.push(one.quiet?.() ?? false), error: ignore }));
		agents.adopt(restoreLife([left("aaaa", { quiet: true }), left("bbbb")]).runs);
		seen.unsubscribe();
		expect(changed).toEqual(["aaaa", "bbbb"]);
		expect(quiet).toEqual([true, false]);
	});
});
