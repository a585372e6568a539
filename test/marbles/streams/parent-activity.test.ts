import { map, of } from "rxjs";
import { describe, expect, it } from "vitest";
import {
	abortExpiry,
	compactionExpiry,
	initialParentState,
	inputExpiry,
	type ParentEvent,
	parentActivity,
	parentActivity$,
	reduceParent,
} from "../../../src/streams/parent-activity.ts";
import { marbles } from "../../support/marbles.ts";

const letters: Readonly<Record<string, ParentEvent>> = {
	n: { type: "session_started", muted: false },
	N: { type: "session_started", muted: true },
	i: { type: "input_received" },
	x: { type: "input_expired" },
	u: { type: "prompt_accepted", by: "user" },
	m: { type: "prompt_accepted", by: "message" },
	r: { type: "run_started" },
	d: { type: "run_settled", how: "done" },
	a: { type: "run_settled", how: "aborted" },
	f: { type: "run_settled", how: "failed" },
	e: { type: "abort_expired" },
	o: { type: "dialog_opened" },
	c: { type: "dialog_closed" },
	k: { type: "compaction_started" },
	K: { type: "compaction_ended" },
	R: { type: "session_replaced" },
};

function activityAfter(script: string): string {
	const events = [...script].map((letter) => letters[letter] as ParentEvent);
	return parentActivity(events.reduce(reduceParent, initialParentState));
}

describe("what the parent is doing", () => {
	it.each([
		["a fresh session is idle", "n", "idle"],
		["a session that was come back to is muted", "N", "muted"],
		["the person's next message ends that", "Nurd", "idle"],
		["a turn of ours does not", "Nmrd", "muted"],
		["a message in its input handlers is left alone", "ni", "prompting"],
		["also until its run has really begun", "niu", "prompting"],
		["until it turns out that somebody swallowed it", "nix", "idle"],
		["a run is busy", "nur", "busy"],
		["and over when it has settled", "nurd", "idle"],
		["an Esc mutes (seed 000 §8)", "nura", "muted"],
		["a failed turn mutes", "nurf", "muted"],
		["mute outlasts turns of ours", "nuramrd", "muted"],
		["and ends with the person's next message", "nuraurd", "idle"],
		["a dialog is the person's", "no", "prompting"],
		["two dialogs are closed one by one", "nooc", "prompting"],
		["and then it is over", "noocc", "idle"],
		["one that was never opened does no harm", "nco", "prompting"],
		["a compaction is busy", "nk", "busy"],
		["a run that a compaction aborts is nobody's Esc", "nurkaK", "idle"],
		["also when the host tells of the compaction once the run has settled", "nurakK", "idle"],
		["which takes nothing of an earlier Esc away", "nuramrakK", "muted"],
		["an Esc before a compaction of its own is an Esc", "nuraekK", "muted"],
		["and so is one between which and the compaction something else has happened", "nuraixkK", "muted"],
		["a run that fails beside a compaction has failed all the same", "nurkfK", "muted"],
		["a replaced session stays replaced", "nRurd", "replaced"],
		["starting twice changes nothing", "nn", "idle"],
	])("%s", (_name, script, expected) => {
		expect(activityAfter(script)).toBe(expected);
	});
});

// biome-ignore format: the diagrams stand in columns.
describe("the activity as a stream", () => {
	const words = { i: "idle", p: "prompting", b: "busy", m: "muted", R: "replaced" };

	it("gives the current one, then each change", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot("--i-u-r--d-a-R", { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe("i-p---b--i-m-R", words);
	}));

	it("forgets an input that another extension has swallowed", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot("-i", { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe(`ip ${inputExpiry - 1}ms i`, words);
	}));

	it("does not forget one whose run has begun", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot(`-ir ${inputExpiry}ms d`, { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe(`ipb ${inputExpiry}ms i`, words);
	}));

	it("a second input counts anew", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot("-i---i", { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe(`ip--- ${inputExpiry}ms i`, words);
	}));

	it("forgets a compaction of which nobody says that it failed", marbles(({ hot, expectObservable }, scheduler) => {
		const events$ = hot("-k", { ...letters });
		expectObservable(parentActivity$(events$, scheduler)).toBe(`ib ${compactionExpiry - 1}ms i`, words);
	}));

	it("takes an abort for a compaction's that follows at once, and for an Esc otherwise", marbles(({ hot, expectObservable }, scheduler) => {
		expectObservable(parentActivity$(hot("-ra-k-K", { ...letters }), scheduler)).toBe("ibm-b-i", words);
		expectObservable(parentActivity$(hot(`-ra ${abortExpiry}ms k-K`, { ...letters }), scheduler)).toBe(`ibm ${abortExpiry}ms b-m`, words);
	}));

	it("leaves no timer behind when it is left, or when the session is replaced", marbles(({ hot, expectObservable, expectSubscriptions }, scheduler) => {
		const events$ = hot("-ik", { ...letters });
		expectObservable(parentActivity$(events$, scheduler), "^--!").toBe("ipb", words);
		expectSubscriptions(events$.subscriptions).toBe(["^--!", "^--!", "^--!", "^--!"]);
		expectObservable(parentActivity$(hot("-iR", { ...letters }), scheduler)).toBe("ipR", words);
	}));

	it("completes and errors with its source", marbles(({ expectObservable }, scheduler) => {
		expectObservable(parentActivity$(of(letters.r as ParentEvent), scheduler).pipe(map((activity) => activity))).toBe("(ib|)", words);
	}));
});
