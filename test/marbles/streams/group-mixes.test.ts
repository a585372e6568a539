import { describe, expect, it } from "vitest";
import { takeUntilAborted } from "../../../src/operators/index.ts";
import { type Group, isTerminal } from "../../../src/streams/index.ts";
import { word } from "../../support/agents-fixture.ts";
import { type GroupsFixture, groupsFixture, type MemberSketch } from "../../support/groups-fixture.ts";

/** How far a member has come when the Esc comes. */
const stages = ["queued", "starting", "running", "settled"] as const;
type Stage = (typeof stages)[number];

const mixes = stages.flatMap((a) => stages.flatMap((b) => stages.map((c) => [a, b, c] as const)));

/** The members behind which one that is to be queued waits: in line where no later one is to start, else for `w`. */
function sketches(mix: readonly Stage[]): MemberSketch[] {
	const members = mix.map((stage, index): MemberSketch => {
		const inLine = mix.slice(index).every((later) => later === "queued");
		return { name: "abc"[index] ?? "?", after: stage === "queued" && !inLine ? ["w"] : [] };
	});
	return [{ name: "w", after: [] }, ...members];
}

/** A foreground group with its members at those stages, beside one that runs. */
function staged(mix: readonly Stage[]): GroupsFixture & { readonly group: Group; readonly abort: AbortController } {
	const started = mix.filter((stage) => stage !== "queued").length;
	const fixture = groupsFixture({ slots: started + 1 });
	const group = fixture.spawn(sketches(mix), { background: false });
	mix.forEach((stage, index) => {
		const name = "abc"[index] ?? "?";
		if (stage === "running" || stage === "settled") fixture.say(name, "r");
		if (stage === "settled") fixture.say(name, "s");
	});
	return { ...fixture, group, abort: new AbortController() };
}

function countCompletions(
	group: Group,
	fixture: GroupsFixture,
): { readonly counts: number[]; readonly all: () => number } {
	const counts = group.members.map(() => 0);
	let all = 0;
	group.members.forEach(({ agentId }, index) => {
		fixture.own(fixture.agents.completion(agentId), () => {
			counts[index] = (counts[index] ?? 0) + 1;
		});
	});
	fixture.own(group.completion$, () => all++);
	return { counts, all: () => all };
}

describe("a foreground group whose members are at different stages (seed 000 §17.3)", () => {
	it.each(mixes)("stays pending until %s, %s and %s have all become terminal (invariants 26 and 27)", (...mix) => {
		const fixture = staged(mix);
		let ended = false;
		fixture.own(fixture.group.foreground$, undefined, () => {
			ended = true;
		});
		for (let left = 8; left > 0 && !ended; left--) {
			expect(fixture.group.isOver).toBe(false);
			const next = fixture.live().find((name) => !fixture.isSettled(name));
			if (next === undefined) break;
			fixture.say(next, "s");
			expect(ended, "it ends with its last member and not before").toBe(
				fixture.group.members.every(({ record }) => isTerminal(record)),
			);
			fixture.say(next, "c");
		}
		expect(ended).toBe(true);
		expect(fixture.group.members.map(({ record }) => word(record))).toEqual(Array(4).fill("completed"));
	});

	it.each(mixes)(
		"with %s, %s and %s: an Esc stops all, and every completion settles once (invariants 6 and 22)",
		(...mix) => {
			const fixture = staged(mix);
			const { group, abort } = fixture;
			const completions = countCompletions(group, fixture);
			const errors: unknown[] = [];
			fixture.own(group.foreground$.pipe(takeUntilAborted(abort.signal)), undefined, undefined, (error) =>
				errors.push(error),
			);
			const startedBefore = fixture.started();
			const reason = new Error("Esc");
			abort.abort(reason);
			expect(errors).toHaveLength(1);
			expect(errors[0]).toBe(reason);
			// Those that had started come to an end in their own time, and free their slots: nothing takes them.
			for (const name of fixture.live()) {
				if (!fixture.isSettled(name)) expect(fixture.told(name)).toEqual(["stopped_by_parent"]);
				if (!fixture.isSettled(name)) fixture.say(name, "s");
				fixture.say(name, "c");
			}
			expect(fixture.started(), "nothing starts on the way").toEqual(startedBefore);
			const ends = mix.map((stage) => (stage === "settled" ? "completed" : "stopped:stopped_by_parent"));
			expect(group.members.map(({ record }) => word(record))).toEqual(["stopped:stopped_by_parent", ...ends]);
			expect(completions.counts).toEqual([1, 1, 1, 1]);
			expect(completions.all()).toBe(1);
			expect(fixture.published()).toEqual([]);
		},
	);
});

describe("the stages of the table", () => {
	it("are what they say", () => {
		const fixture = staged(["settled", "queued", "starting"]);
		expect(fixture.group.members.map(({ record }) => word(record))).toEqual([
			"running",
			"completed",
			"queued",
			"running",
		]);
		expect(fixture.group.members.map(({ record }) => record.status === "running" && record.sessionReady)).toEqual([
			false,
			false,
			false,
			false,
		]);
	});
});
