/** What must hold at every step, in the words of the contract; numbers are the invariants of seed 000 §15. */
export const rules = {
	transitions: "a record only makes the transitions of seed 000 §12.1",
	settlement: "every run settles exactly once, and its outcome stays as it was (invariant 26)",
	stop_cause: "a run is only stopped by what may stop it (invariant 9)",
	wait_abort: "aborting a wait never stops an agent (invariant 10)",
	foreground_abort: "aborting a foreground call stops its run, and only that (invariant 22)",
	background_life: "a background run outlives the call that started it (invariant 23)",
	validation: "a call that is refused has started nothing (invariants 3 and 5)",
	identifiers: "a result names the agent that it is about (invariant 4)",
	deaf_call: "a call whose signal aborts ends (invariant 6)",
	aborted_before: "a call that was aborted before it began fails at once and does nothing (invariant 7)",
	listeners: "no abort listener is left when a call has ended (invariant 8)",
	abort_error: "an aborted call rejects with an AbortError whose cause is the signal's reason (invariant 11)",
	call_end: "every call ends exactly once, and a failed run is not a success (seed 000 §6.5, §12.2)",
	wait_end: "a wait ends with a terminal record, at its timeout or by its abort (invariant 27)",
	updates: "updates come while the run is going, four a second at most, and none after settlement (invariant 15)",
	capacity: "between admission and closed there are never more background runs than maxConcurrent",
	line: "the line is first come, first served, and no slot stays empty while somebody waits",
	place: "place in line counts who really stands in front",
	read_or_published: "a result is read or published, never both (invariant 17)",
	lost: "no result is lost (invariant 18)",
	published_twice: "a result is published at most once (invariant 19)",
	publication_time:
		"a message starts a turn only while the parent is idle and its person has not said no (invariant 20)",
	group:
		"a group is told as a whole, or each member by itself, never while somebody waits for all; who waits for others starts with their results or not at all",
	tree: "what an agent has started ends with it, and nothing starts below one that ends",
	held: "an agent that settles has what its own came to, and one that is held waits for something that goes on",
	told: "a reader who comes after the publication is told so, and no other",
	steering: "a steering message is read once, in order, or named as unread (invariant 24)",
	turn_limit: "limits fail closed (invariant 25)",
	spend: "every token is carried by exactly one result",
	cleanup: "nothing is left of a session that has ended (invariant 21)",
	throws: "no callback of ours throws (DESIGN §4.10)",
	rest: "everything comes to rest",
} as const;

export type Rule = keyof typeof rules;

/** A rule that was broken. */
export class Violation extends Error {
	override readonly name = "Violation";
	readonly rule: Rule;
	constructor(rule: Rule, detail: string) {
		super(`${rules[rule]}: ${detail}`);
		this.rule = rule;
	}
}

/** Collects what goes wrong: a throw from inside an observer would never arrive. */
export interface Judge {
	/** The first one counts; what follows may only follow from it. */
	readonly verdict: Violation | undefined;
	fail(rule: Rule, detail: string): void;
	/** Fails unless `holds`; the detail is only made then. */
	expect(holds: boolean, rule: Rule, detail: () => string): void;
}

export function createJudge(): Judge {
	let verdict: Violation | undefined;
	function fail(rule: Rule, detail: string): void {
		verdict ??= new Violation(rule, detail);
	}
	return {
		get verdict() {
			return verdict;
		},
		fail,
		expect: (holds, rule, detail) => {
			if (!holds) fail(rule, detail());
		},
	};
}
