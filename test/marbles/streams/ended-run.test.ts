import { describe, expect, it } from "vitest";
import type { TerminalRecord } from "../../../src/streams/index.ts";
import { isCollected } from "../../support/collected.ts";
import { type GroupsFixture, groupsFixture } from "../../support/groups-fixture.ts";
import { agentId, spendOf, testConfig } from "../../support/run-script.ts";

const a = agentId("agent-a");

/** Spawns a group of two, lets it end, and has something else spawned after that. */
function endGroup(fixture: GroupsFixture): { readonly stop$: object } {
	const group = fixture.spawn([
		{ name: "a", after: [] },
		{ name: "b", after: ["a"] },
	]);
	const { stop$ } = fixture.inputs("a");
	for (const name of ["a", "b"]) {
		fixture.say(name, "s", `of ${name}`);
		fixture.say(name, "c");
	}
	expect(group.isOver).toBe(true);
	fixture.spawn([
		{ name: "x", after: [] },
		{ name: "y", after: [] },
	]);
	return { stop$ };
}

describe("what is left of a run that is over", () => {
	it("is its record and its claim: what it took to run becomes garbage", async () => {
		const fixture = groupsFixture();
		expect(await isCollected(() => endGroup(fixture).stop$)).toBe(true);
		expect(fixture.groups.list()).toHaveLength(2);
		expect(fixture.agents.get(a)).toMatchObject({ status: "completed" });
	});

	it("can be watched, waited for and read, for its agent and for its group", () => {
		const fixture = groupsFixture();
		endGroup(fixture);
		const seen: string[] = [];
		const [group] = fixture.groups.list();
		const note = (record: { readonly status: string }) => seen.push(record.status);
		fixture.own(fixture.agents.watch(a), note, () => seen.push("|"));
		fixture.own(fixture.agents.completion(a), note, () => seen.push("|"));
		fixture.own(
			fixture.agents.claim(a),
			({ record }) => note(record),
			() => seen.push("|"),
		);
		expect(seen).toEqual(["completed", "|", "completed", "|", "completed", "|"]);
		const records: TerminalRecord[] = [];
		if (group) fixture.own(group.claim$, (readings) => records.push(...readings.map(({ record }) => record)));
		expect(records.map(({ outcome }) => outcome.text)).toEqual(["of a", "of b"]);
		expect(fixture.published()).toEqual([]);
	});

	it("can be resumed, and the group keeps its run", () => {
		const fixture = groupsFixture();
		endGroup(fixture);
		fixture.agents.resume(a, { prompt: "go on", config: testConfig, background: false });
		const [member] = fixture.groups.list()[0]?.members ?? [];
		expect(fixture.agents.get(a)).toMatchObject({ run: 2, status: "running" });
		expect(member?.record).toMatchObject({ run: 1, status: "completed", outcome: { text: "of a" } });
	});

	it("gets what the session of a run before it spends, late as that is", () => {
		const fixture = groupsFixture();
		fixture.spawn([
			{ name: "a", after: [] },
			{ name: "b", after: [] },
		]);
		const first = fixture.voice("a");
		fixture.say("a", "s");
		first({ type: "closed", how: "verified" });
		fixture.agents.resume(a, { prompt: "go on", config: testConfig, background: false });
		fixture.say("a", "s");
		fixture.say("a", "c");
		fixture.spawn([
			{ name: "x", after: [] },
			{ name: "y", after: [] },
		]);
		const told: number[] = [];
		fixture.own(fixture.agents.changes$, ({ agentId: id, spend }) => {
			if (id === a) told.push(spend.input);
		});
		first({ type: "message_ended", text: "last words", spend: spendOf(7) });
		expect(fixture.agents.get(a)).toMatchObject({ run: 2, status: "completed", spend: spendOf(7) });
		expect(told).toContain(7);
	});
});
