import { isTerminal } from "../../src/streams/index.ts";
import type { CallFacts } from "./call-book.ts";
import type { Judge } from "./rules.ts";
import type { RunFacts } from "./run-book.ts";
import type { SimulatedParent } from "./simulated-parent.ts";
import type { SimulatedSession } from "./simulated-session.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What must hold when everything was stopped, the host has behaved since, and a person has spoken. */
export function judgeRest(
	judge: Judge,
	session: SimulatedSession,
	parent: SimulatedParent,
	calls: ReadonlySet<CallFacts>,
): void {
	judge.expect(parent.resting, "rest", () => "the parent does not come to rest");
	for (const { id } of calls) judge.fail("call_end", `${id} never ends`);
	for (const facts of session.book.runs.values()) judgeRun(judge, facts);
	const { outbox, carried, spent } = session;
	judge.expect(outbox.keys.length === 0, "lost", () => `${outbox.keys.length} results are never told`);
	const rest = session.takeSpend();
	judge.expect(
		carried.input + rest.input === spent.input && carried.cost + rest.cost === spent.cost,
		"spend",
		() => `${spent.input} tokens are spent, ${carried.input} carried, and ${rest.input} left`,
	);
}

function judgeRun(judge: Judge, facts: RunFacts): void {
	const { key, record, open, readers, appended, publishable } = facts;
	judge.expect(isTerminal(record), "settlement", () => `${key} is ${record.status} for ever`);
	judge.expect(!open, "cleanup", () => `the session of ${key} is never left`);
	if (publishable === undefined) {
		judge.expect(!facts.background, "lost", () => `${key} is never offered`);
		judge.expect(appended === 0, "read_or_published", () => `${key} belongs to its call, and is published`);
		return;
	}
	judge.expect(readers === 0 || appended === 0, "read_or_published", () => `${key} is read and published`);
	// What an agent of an agent came to is that one's, if it still wants to have it.
	if (record.parent !== undefined) return;
	judge.expect(readers > 0 || appended === 1, "lost", () => `${key} is neither read nor published`);
}

/** What must hold when the last session has ended. */
export function judgeEnd(
	judge: Judge,
	sessions: readonly SimulatedSession[],
	clock: VirtualClock,
	calls: ReadonlySet<CallFacts>,
): void {
	judge.expect(clock.pending === 0, "cleanup", () => `${clock.pending} timers are left`);
	for (const { id } of calls) judge.fail("call_end", `${id} never ends`);
	sessions.forEach((session, index) => {
		const name = `session ${index + 1}`;
		judge.expect(session.state === "ended", "rest", () => `${name} never ends`);
		judge.expect(
			session.subscriptions === 0,
			"cleanup",
			() => `${session.subscriptions} subscriptions on runs of ${name} are left`,
		);
		judge.expect(!session.limit$.observed, "cleanup", () => `the line of ${name} is left open`);
		judge.expect(!session.events$.observed, "cleanup", () => `${name} still listens to its parent`);
		for (const facts of session.book.runs.values()) {
			const { key, record, open, readers, appended } = facts;
			judge.expect(isTerminal(record), "settlement", () => `${key} is ${record.status} for ever`);
			judge.expect(!open, "cleanup", () => `the session of ${key} is never left`);
			judge.expect(readers === 0 || appended === 0, "read_or_published", () => `${key} is read and published`);
		}
		const { carried, spent } = session;
		judge.expect(carried.input <= spent.input, "spend", () => `${name} has carried more than it spent`);
	});
}
