import type { RaceGroup } from "../../support/race.ts";

/** Readers against publication: one of them has the result. */
export const publishing: RaceGroup = {
	title: "Reading and publishing",
	file: "test/marbles/races/publishing.ts",
	races: [
		{
			title: "a wait starts in the frame of the settlement",
			reference: "seed 000 §7.2, §11.2, §18 Result appears twice, invariants 17 and 20",
			rule: "An idle parent is woken a step after the settlement, and ownership is asked then: a wait of the same frame has the result, and the parent is left alone.",
			diagrams: {
				"the wait first": `
					spawn A  b
					wait A   -----^
					run A    r----s-c
					==================
					wait A   -----(c|)
					owner A  0----(1d)
					woken    ------
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					wait A   -----^
					==================
					wait A   -----(c|)
					owner A  0----(hd)
					woken    ------
					run A    ^------!
				`,
			},
		},
		{
			title: "a wait starts in the frame of the boundary",
			reference:
				"seed 000 §11.2, §18 Result appears twice, §17 Ownership: notification suppression, invariants 17 and 20",
			rule: "Whoever asks first has it. A wait that finds the result handed over waits for what becomes of it, and is told that it was published.",
			diagrams: {
				"the wait first": `
					spawn A   b
					run A     r--s-c
					wait A    -----^
					parent    r----B----K
					=====================
					wait A    -----(c|)
					owner A   0--h-d
					boundary  -----0
					run A     ^----!
				`,
				"the boundary first": `
					spawn A   b
					run A     r--s-c
					parent    r----B----K
					wait A    -----^
					========================
					wait A    ----------(C|)
					owner A   0--h-(HI)-c
					boundary  -----a
					run A     ^----!
				`,
			},
		},
		{
			title: "a wait starts in the frame in which the published result is seen in the session",
			reference: "seed 000 §11.2, §18 Result appears twice, invariant 17",
			rule: "It has been published, and the reading says so, on whichever side of the proof it comes.",
			diagrams: {
				"the wait first": `
					spawn A   b
					run A     r--s-c
					wait A    ----------^
					parent    r----B----K
					========================
					wait A    ----------(C|)
					owner A   0--h-H----(Ic)
					boundary  -----a
					run A     ^----!
				`,
				"the proof first": `
					spawn A   b
					run A     r--s-c
					parent    r----B----K
					wait A    ----------^
					========================
					wait A    ----------(C|)
					owner A   0--h-H----c
					boundary  -----a
					run A     ^----!
				`,
			},
		},
		{
			title: "a wait starts in the frame in which the hand-over is lost",
			reference: "seed 000 §11, invariants 17, 18 and 19",
			rule: "What did not arrive belongs to the reader, and is not published a second time.",
			diagrams: {
				"the wait first": `
					spawn A   b
					run A     r--s-c
					wait A    ----------^
					parent    r----B----L----B
					==========================
					wait A    ----------(c|)
					owner A   0--h-H----(Id)
					boundary  -----a---------0
					run A     ^----!
				`,
				"the loss first": `
					spawn A   b
					run A     r--s-c
					parent    r----B----L----B
					wait A    ----------^
					==========================
					wait A    ----------(c|)
					owner A   0--h-H----(hd)
					boundary  -----a---------0
					run A     ^----!
				`,
			},
		},
	],
};
