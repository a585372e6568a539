import { noop, Subject, VirtualTimeScheduler } from "rxjs";
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

const input: ParentEvent = { type: "input_received" };
const accepted: ParentEvent = { type: "prompt_accepted", by: "user" };
const started: ParentEvent = { type: "run_started" };
const compacting: ParentEvent = { type: "compaction_started" };
const compacted: ParentEvent = { type: "compaction_ended" };
const replaced: ParentEvent = { type: "session_replaced" };
const aborted: ParentEvent = { type: "run_settled", how: "aborted" };
const done: ParentEvent = { type: "run_settled", how: "done" };

/** The activities of a parent to which these things happen at once, and how many timers wait afterwards. */
function parent(...events: readonly ParentEvent[]) {
	const events$ = new Subject<ParentEvent>();
	const scheduler = new VirtualTimeScheduler();
	const seen: string[] = [];
	let passed = 0;
	const scope = parentActivity$(events$, scheduler).subscribe({ next: (activity) => seen.push(activity), error: noop });
	for (const event of events) events$.next(event);
	return {
		seen,
		timers: () => scheduler.actions.length,
		/** Lets so many milliseconds pass. */
		pass(time: number) {
			passed += time;
			scheduler.maxFrames = passed;
			scheduler.flush();
		},
		leave: () => scope.unsubscribe(),
	};
}

describe("a mark that the host has taken back costs no timer any more", () => {
	it.each<[string, readonly ParentEvent[]]>([
		["an input whose run has begun", [input, started]],
		["a prompt whose run has begun", [input, accepted, started]],
		["a compaction that is over", [compacting, compacted]],
		["a compaction over which a run has begun", [compacting, started]],
		["an input of a session that was replaced", [input, replaced]],
		["a compaction of a session that was replaced", [compacting, replaced]],
		["an abort in a session that was replaced", [started, aborted, replaced]],
		["an abort after which a run has begun", [started, aborted, started]],
	])("%s", (_name, events) => {
		const { timers, leave } = parent(...events);
		expect(timers()).toBe(0);
		leave();
	});

	it.each<[string, number, readonly ParentEvent[]]>([
		["its own, for an input", 1, [started, aborted, input]],
		["its own, for a compaction", 1, [started, aborted, compacting]],
		["none, for a run that is done", 0, [started, done]],
	])("what follows an abort has %s", (_name, count, events) => {
		const { timers, leave } = parent(...events);
		expect(timers()).toBe(count);
		leave();
	});
});

describe("a mark that the host does not take back", () => {
	it("is forgotten when a prompt was accepted and no run came of it", () => {
		const { seen, pass } = parent(accepted);
		pass(inputExpiry - 1);
		expect(seen).toEqual(["idle", "prompting"]);
		pass(1);
		expect(seen).toEqual(["idle", "prompting", "idle"]);
	});

	it("is forgotten in its time, whatever else happens meanwhile", () => {
		const { seen, pass } = parent(input, { type: "dialog_opened" }, { type: "dialog_closed" });
		pass(inputExpiry);
		expect(seen.at(-1)).toBe("idle");
		const other = parent(compacting, { type: "dialog_opened" }, { type: "dialog_closed" });
		other.pass(compactionExpiry);
		expect(other.seen.at(-1)).toBe("idle");
	});

	it("is forgotten without anything else that is known of the session", () => {
		const events: readonly ParentEvent[] = [{ type: "session_started", muted: true }, input, { type: "input_expired" }];
		expect(parentActivity(events.reduce(reduceParent, initialParentState))).toBe("muted");
	});
});

describe("an abort", () => {
	it("waits no longer for a compaction than that takes to begin", () => {
		const { timers, pass, leave } = parent(started, aborted);
		expect(timers()).toBe(1);
		pass(abortExpiry);
		expect(timers()).toBe(0);
		leave();
	});
});
