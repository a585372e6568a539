import type { RaceGroup } from "../../support/race.ts";

/** Waits that are aborted, alone and beside others. */
export const waiting: RaceGroup = {
	title: "Waiting for a result",
	file: "test/marbles/races/waiting.ts",
	races: [
		{
			title: "the only wait is aborted in the frame of the settlement",
			reference: "seed 000 §11.3, §18 Result disappears after cancelled wait, invariants 10, 18 and 19",
			rule: "A waiter that has not seen the settlement gives the result back, and it is published once; one that has seen it keeps it, and nothing is published. The agent goes on either way.",
			diagrams: {
				"the abort first": `
					spawn A  b
					wait A   -^---!
					run A    r----s-c
					===================
					wait A   -----#
					owner A  01---(0hH)
					woken    -----a
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					wait A   -^---!
					==================
					wait A   -----(c|)
					owner A  01---d
					woken    ------
					run A    ^------!
				`,
			},
		},
		{
			title: "one of two waits is aborted, then the agent completes",
			reference:
				"seed 000 §17.1, §18 One of two cancelled waits causes duplicate notification, invariants 10, 13 and 17",
			rule: "The ownership stays claimed while the other waiter is there; it gets the result, and nothing is published.",
			diagrams: {
				"": `
					spawn A   b
					wait A 1  -^-!
					wait A 2  --^
					run A     r----s-c
					===================
					wait A 1  ---#
					wait A 2  -----(c|)
					owner A   0121-d
					woken     ------
					run A     ^------!
				`,
			},
		},
		{
			title: "one of two waits is aborted in the frame of the settlement",
			reference: "seed 000 §17.1, §17 Ownership: mixed abort/completion, invariants 13 and 17",
			rule: "One abort never gives back what another waiter still claims, on whichever side of the settlement it comes.",
			diagrams: {
				"the abort first": `
					spawn A   b
					wait A 1  -^---!
					wait A 2  --^
					run A     r----s-c
					===================
					wait A 1  -----#
					wait A 2  -----(c|)
					owner A   012--(1d)
					woken     ------
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					wait A 1  -^---!
					wait A 2  --^
					===================
					wait A 1  -----(c|)
					wait A 2  -----(c|)
					owner A   012--d
					woken     ------
					run A     ^------!
				`,
			},
		},
		{
			title: "both waits are aborted in the frame of the settlement",
			reference: "seed 000 §17.1, §11.3, §17 Ownership: all waiters cancelled, invariants 13, 18 and 19",
			rule: "When every waiter left without seeing the settlement, the result is published exactly once; when one has seen it, not at all.",
			diagrams: {
				"both aborts first": `
					spawn A   b
					wait A 1  -^---!
					wait A 2  --^--!
					run A     r----s-c
					=====================
					wait A 1  -----#
					wait A 2  -----#
					owner A   012--(10hH)
					woken     -----a
					run A     ^------!
				`,
				"the settlement between the aborts": `
					spawn A   b
					wait A 1  -^---!
					run A     r----s-c
					wait A 2  --^--!
					===================
					wait A 1  -----#
					wait A 2  -----(c|)
					owner A   012--(1d)
					woken     ------
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					wait A 1  -^---!
					wait A 2  --^--!
					===================
					wait A 1  -----(c|)
					wait A 2  -----(c|)
					owner A   012--d
					woken     ------
					run A     ^------!
				`,
			},
		},
		{
			title: "both waits of a terminal record are aborted, the last one in the frame in which its hand-over is lost",
			reference: "seed 000 §17.1, §11.3, invariants 18 and 19",
			rule: "The record is terminal and its result is on the way to the parent. Without a waiter the lost result is recovered and published exactly once; with one it is that waiter's.",
			diagrams: {
				"the abort first": `
					spawn A   b
					run A     r--s-c
					wait A 1  ------^--!
					wait A 2  -------^--!
					parent    r----B----L----BK
					===========================
					wait A 1  ---------#
					wait A 2  ----------#
					owner A   0--h-HIJ-I(Hh)-Hc
					boundary  -----a---------a
					run A     ^----!
				`,
				"the loss first": `
					spawn A   b
					run A     r--s-c
					parent    r----B----L----BK
					wait A 1  ------^--!
					wait A 2  -------^--!
					===========================
					wait A 1  ---------#
					wait A 2  ----------(c|)
					owner A   0--h-HIJ-Id
					boundary  -----a---------0
					run A     ^----!
				`,
			},
		},
		{
			title: "two waits that share a signal are aborted in the frame of the settlement",
			reference: "seed 000 §7.2, §8.1, §17 Cancellation: abort during wait, invariants 8, 10 and 18",
			rule: "The calls of one message have one signal. Each call has its own listener and its own claim, and removes no more than those.",
			diagrams: {
				"the abort first": `
					spawn A   b
					wait A 1  -^
					wait A 2  --^
					Esc       -----x
					run A     r----s-c
					=====================
					wait A 1  -----#
					wait A 2  -----#
					owner A   012--(10hH)
					woken     -----a
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					wait A 1  -^
					wait A 2  --^
					run A     r----s-c
					Esc       -----x
					===================
					wait A 1  -----(c|)
					wait A 2  -----(c|)
					owner A   012--d
					woken     ------
					run A     ^------!
				`,
			},
		},
		{
			title: "a second wait starts in the frame in which the first one is aborted",
			reference: "seed 000 §7.2, §11.1, invariant 13",
			rule: "No cancellation restores a state that was captured before another caller changed it.",
			diagrams: {
				"the abort first": `
					spawn A   b
					wait A 1  -^--!
					wait A 2  ----^
					run A     r--------s-c
					=======================
					wait A 1  ----#
					wait A 2  ---------(c|)
					owner A   01--(01)-d
					woken     ----------
					run A     ^----------!
				`,
				"the start first": `
					spawn A   b
					wait A 2  ----^
					wait A 1  -^--!
					run A     r--------s-c
					=======================
					wait A 1  ----#
					wait A 2  ---------(c|)
					owner A   01--(21)-d
					woken     ----------
					run A     ^----------!
				`,
			},
		},
	],
};
