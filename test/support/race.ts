/**
 * A race of the contract as data: what may happen at the same time, who acts first in each order, and what must come of
 * it. The suite runs it (`run-race.ts`), and `docs/races.md` is written from it.
 *
 * Nothing in here may import vitest: the script that writes the page imports the races as they are.
 */
export interface Race {
	/** A sentence about what meets what. */
	readonly title: string;
	/** Where the contract asks for it: `seed 000 §11.3, invariants 18 and 19`. */
	readonly reference: string;
	/** What must hold in every order. */
	readonly rule: string;
	/**
	 * A diagram for each order, under the order's name. Rows above the line of `=` are what happens; those that act in one
	 * frame act from top to bottom, and so two orders of a race are the same rows in another order. Rows below the line
	 * are what comes of it.
	 */
	readonly diagrams: Readonly<Record<string, string>>;
}

/** Races that are about one thing. */
export interface RaceGroup {
	readonly title: string;
	/** Relative to the repository, with forward slashes. */
	readonly file: string;
	readonly races: readonly Race[];
}

/** A race at a tool's edge, where promises are and virtual time is not: its orders are steps, and what each came to. */
export interface EdgeRace extends Omit<Race, "diagrams"> {
	readonly orders: Readonly<Record<string, EdgeOrder>>;
}

export interface EdgeOrder {
	/** One after another without a pause; `…` lets every promise that can go on do so. */
	readonly steps: readonly string[];
	/** What came of each thing that is looked at, in words. */
	readonly outcome: Readonly<Record<string, string>>;
}

export interface EdgeRaceGroup extends Omit<RaceGroup, "races"> {
	readonly races: readonly EdgeRace[];
}

/** A race's name in one order, as the test has it. */
export function raceName(race: Omit<Race, "diagrams">, order: string): string {
	return `${race.title}${order === "" ? "" : `: ${order}`} (${race.reference})`;
}

/** What the letters mean, for whoever reads a diagram. */
export const legend: readonly (readonly [row: string, meaning: string])[] = [
	[
		"wait A",
		"a blocking `get_subagent_result`: `^` starts it, `!` is an Esc. Out: the status that it read, upper case when that had been published; `#` is the signal's own reason",
	],
	["Agent A", "a foreground `Agent` call: `^` starts it, `!` is an Esc. Out: the status that it returns"],
	[
		"crew ABC, crew-chain ABC",
		"a foreground group of A, B and C; in a chain each waits for the result of the one before. `!` is an Esc. Out: every member's status, once all have ended",
	],
	[
		"group ABC, each ABC, chain ABC",
		"a background group, and the status of each member on its return; `each`: published one by one",
	],
	["waitall ABC", "like `wait`, for the results of a whole group"],
	["spawn A", "a background `Agent` call, and the status on its return; `n`: refused"],
	["resume A", "the agent's next run, in the background; `n`: refused"],
	[
		"run A",
		"what the child says: `r` session ready, `t` turn, `b` tool started, `B` tool ended, `k` a boundary at which it reads its messages, `s` settles (with its answer, or as it was told to), `e` fails, `c` closed, `z` not closed within the grace. While nobody is subscribed, nothing is heard. Out: the subscription",
	],
	["tool A", "the tools of its run, where they have a row of their own"],
	["~run A", "the same row, behind the timers that are due in its instant"],
	["told A", "the stop that reached the child: `u` by a person, `p` by its parent, `x` by the end of the session"],
	["stop A", "a person stops it. Out: `v` stopped, `z` unverified, `n` had ended before"],
	["steer A", "a message of that letter. Out: `h` held until the session exists, `q` queued, `n` refused"],
	["reads A, unread A", "messages that the child read, and that it ended without reading"],
	["slots", "how many may run at once, from here on; 4 at first"],
	[
		"parent",
		"`r` a run starts, `d` is done, `a` is aborted by Esc, `f` fails; `p` a person's prompt is accepted; `o`/`O` a dialog opens and closes; `B` the boundary before the parent settles, `P` before a prompt; `K`/`L` what was handed over is seen in the session, or is not. It is idle at first",
	],
	["host", "`n`: takes no message at this instant; `y`: does"],
	["session", "`x`: the session ends. Out: `|` when all is over"],
	["Esc", "aborts the signal that all calls without a `!` of their own share"],
	[
		"status A",
		"`q` queued, `r` running, `S` being stopped, `c` completed, `e` error, `u` `p` `x` `d` stopped (by a person, its parent, the session's end, or for want of a result that it needed)",
	],
	[
		"owner A",
		"whose the result is: `0`–`9` pending with so many claims, `h` held, `H` `I` `J` handed over with none, one, two claims, `d` delivered to a claim, `c` committed",
	],
	[
		"woken, boundary, prompt",
		"what was handed to the parent on that way: `a` the result of A, `A` that of its second run, `*` several in one message, `0` nothing",
	],
	["updates A", "the status in each update that a foreground call showed"],
	["started A, ended A", "counts of tools"],
];
