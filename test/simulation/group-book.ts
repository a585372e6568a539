import { finalize, type Observable, tap } from "rxjs";
import {
	type Group,
	type GroupRequest,
	isSuccess,
	isTerminal,
	type Note,
	type Reading,
} from "../../src/streams/index.ts";
import type { CallFacts } from "./call-book.ts";
import type { SubscriptionCount } from "./counted.ts";
import type { Judge } from "./rules.ts";
import type { RunBook, RunFacts } from "./run-book.ts";

/** What is known of one group from what could be seen of it. */
export interface GroupFacts {
	readonly join: GroupRequest["join"];
	/** In the given order; complete once all have been announced. */
	readonly members: RunFacts[];
	/** Calls that wait for all of its results now. */
	waits: number;
}

/** The group with its streams counted, and its claims written down for the call that makes them. */
export function watchGroup(
	group: Group,
	facts: GroupFacts,
	counted: SubscriptionCount,
	calling: () => CallFacts | undefined,
): Group {
	const watched: Partial<Group> = {
		watch$: counted.count(group.watch$),
		foreground$: counted.count(group.foreground$),
		completion$: counted.count(group.completion$),
		get claim$() {
			return counted.count(claimed(group, facts, calling()));
		},
	};
	// The rest, and what changes in it, is the group's own.
	return Object.create(group, Object.getOwnPropertyDescriptors(watched)) as Group;
}

function claimed(group: Group, facts: GroupFacts, call: CallFacts | undefined): Observable<readonly Reading[]> {
	facts.waits++;
	if (call !== undefined) {
		call.claimedGroup = facts;
		call.claimedEarly = !group.isOver;
	}
	return group.claim$.pipe(
		tap((readings) => {
			if (call !== undefined) call.servedGroup = readings;
		}),
		finalize(() => {
			facts.waits--;
		}),
	);
}

/** A message leaves with these results: judges it, and notes that. */
export function handedOver(judge: Judge, book: RunBook, note: Note): void {
	judgeNote(judge, book, note);
	for (const key of note.deliveries) {
		const facts = book.runs.get(key);
		if (facts !== undefined) facts.handed = true;
	}
}

/** What must hold of a message at the moment at which it leaves. */
function judgeNote(judge: Judge, book: RunBook, note: Note): void {
	const told = note.deliveries.flatMap((key) => book.runs.get(key) ?? []);
	for (const group of new Set(told.flatMap((facts) => facts.group ?? []))) {
		const members = told.filter((facts) => facts.group === group);
		judge.expect(group.waits === 0, "group", () => `${keys(members)} leave, and somebody waits for the group`);
		if (group.join === "each") continue;
		const open = group.members.filter((facts) => !isTerminal(facts.record));
		judge.expect(open.length === 0, "group", () => `${keys(members)} leave before ${keys(open)} have ended`);
		const unread = group.members.filter((facts) => members.includes(facts) || isWaiting(facts));
		const at = told.indexOf(members[0] as RunFacts);
		const together = unread.every((facts, index) => told[at + index] === facts);
		judge.expect(together, "group", () => `${keys(unread)} leave as ${keys(told)}`);
	}
}

/** Neither read nor published, nor on its way. */
function isWaiting({ publishable }: RunFacts): boolean {
	return publishable?.claim.state.kind === "held";
}

/** Whether a member's wait for others is over, and how. */
export function needsOf(facts: RunFacts): "open" | "met" | "failed" {
	const needs = facts.needs();
	if (needs.some(({ record }) => isTerminal(record) && !isSuccess(record.outcome.verdict))) return "failed";
	return needs.every(({ record }) => isTerminal(record)) ? "met" : "open";
}

export function keys(these: readonly RunFacts[]): string {
	return these.map(({ key }) => key).join(", ");
}
