import type { RaceGroup } from "../../support/race.ts";

/** Signals that have aborted, or do so at once. */
export const atOnce: RaceGroup = {
	title: "Signals that abort at once",
	file: "test/marbles/races/at-once.ts",
	races: [
		{
			title: "a wait starts in the frame of its Esc",
			reference: "seed 000 §8.1, §17 Cancellation: pre-aborted signal, invariants 7 and 8",
			rule: "A signal that has aborted fails the wait at once, and nothing is claimed; one that aborts right after gives the claim back. No listener is left.",
			diagrams: {
				"the Esc first": `
					spawn A  b
					Esc      ---x
					wait A   ---^
					run A    r-------s-c
					=====================
					wait A   ---#
					owner A  0-------(hH)
					woken    --------a
					run A    ^---------!
				`,
				"the wait first": `
					spawn A  b
					wait A   ---^
					Esc      ---x
					run A    r-------s-c
					=====================
					wait A   ---#
					owner A  0--(10)-(hH)
					woken    --------a
					run A    ^---------!
				`,
			},
		},
		{
			title: "a wait for a result that is held starts in the frame of its Esc",
			reference: "seed 000 §8.1, §11.3, invariants 7, 17 and 18",
			rule: "A wait that fails has not read the result, which is then published; a wait that has read it before the Esc has it.",
			diagrams: {
				"the Esc first": `
					spawn A   b
					run A     r----s-c
					Esc       ------x
					wait A    ------^
					parent    r-------B
					===================
					wait A    ------#
					owner A   0----h--H
					boundary  --------a
					run A     ^------!
				`,
				"the wait first": `
					spawn A   b
					run A     r----s-c
					wait A    ------^
					Esc       ------x
					parent    r-------B
					====================
					wait A    ------(c|)
					owner A   0----hd
					boundary  --------0
					run A     ^------!
				`,
			},
		},
		{
			title: "a call starts in the frame of its Esc",
			reference: "seed 000 §8.1, §8.3, §17 Cancellation: pre-aborted signal, invariants 7, 8 and 22",
			rule: "With a signal that has aborted nothing is started; a signal that aborts right after stops what was.",
			diagrams: {
				"the Esc first": `
					Esc      -x
					Agent A  -^
					run A    -r--s-c
					================
					Agent A  -#
					told A   --
					run A    --
				`,
				"the call first": `
					Agent A  -^
					Esc      -x
					run A    -r--s-c
					================
					Agent A  -#
					told A   -p
					run A    -^----!
				`,
			},
		},
	],
};
