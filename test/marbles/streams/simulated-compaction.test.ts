import { describe, expect, it } from "vitest";
import {
	compactionExpiry,
	initialParentState,
	type ParentEvent,
	parentActivity,
	parentActivity$,
	reduceParent,
} from "../../../src/streams/parent-activity.ts";
import { marbles } from "../../support/marbles.ts";

const letters: Readonly<Record<string, ParentEvent>> = {
	k: { type: "compaction_started" },
	r: { type: "run_started" },
	d: { type: "run_settled", how: "done" },
	a: { type: "run_settled", how: "aborted" },
};

// Found by the simulation: a host that does not say when a compaction fails, and an Esc some turns later.
describe("a run that begins ends a compaction of which nobody said that it was over", () => {
	it.each([
		["so an Esc that follows is an Esc again (seed 000 §8)", "kra", "muted"],
		["and a run that is done leaves the parent idle", "krd", "idle"],
	])("%s", (_name, script, expected) => {
		const events = [...script].map((letter) => letters[letter] as ParentEvent);
		expect(parentActivity(events.reduce(reduceParent, initialParentState))).toBe(expected);
	});

	// biome-ignore format: the diagrams stand in columns.
	it("and its timer: a later compaction has the whole of its own", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot(`-k-r-d--k ${compactionExpiry - 8}ms ----------`, { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe(`ib---i--b ${compactionExpiry - 1}ms i`, { i: "idle", b: "busy" });
	}));
});
