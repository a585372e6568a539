import { describe, expect, it } from "vitest";
import { type EndedRun, foldLedger } from "../../src/streams/fold-ledger.ts";
import { formerGroups } from "../../src/streams/former-groups.ts";
import type { GroupId } from "../../src/streams/ids.ts";
import type { LedgerLine, OpenedLine } from "../../src/streams/ledger-line.ts";
import { history } from "./ledger-fixture.ts";

const inGroup = (opened: OpenedLine, groupId: string, member: string, index: number): OpenedLine => ({
	...opened,
	group: {
		groupId: groupId as GroupId,
		kind: "crew",
		description: "the crew",
		background: true,
		join: "group",
		member,
		index,
		after: [],
	},
});

function fold(...lines: readonly LedgerLine[]): EndedRun[] {
	const facts = { delivered: new Map(), said: new Set<never>() };
	const runs = foldLedger(lines, facts, { session: "mine", alive: new Set() });
	return runs.filter((run): run is EndedRun => run.fate !== "owned");
}

describe("the groups of an earlier life", () => {
	it("are known by their members in the given order, also when one of them went on by itself", () => {
		const [one, two, other] = [history("one"), history("two", { createdAt: 50 }), history("other")];
		const again = history("one", { after: one.record });
		const runs = fold(
			inGroup(one.opened, "g-1", "north", 0),
			one.settled,
			inGroup(two.opened, "g-1", "south", 1),
			other.opened,
			again.opened,
		);
		expect(formerGroups(runs)).toEqual([
			{
				groupId: "g-1",
				kind: "crew",
				description: "the crew",
				members: [
					{ name: "north", agentId: "one" },
					{ name: "south", agentId: "two" },
				],
			},
		]);
	});

	it("are none where no run was started in one", () => {
		expect(formerGroups(fold(history("one").opened))).toEqual([]);
	});
});
