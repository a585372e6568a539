import type { RaceGroup } from "../../support/race.ts";

/** A foreground call and its Esc. */
export const foreground: RaceGroup = {
	title: "Stopping a foreground agent",
	file: "test/marbles/races/foreground.ts",
	races: [
		{
			title: "an Esc comes in the frame of the settlement",
			reference: "seed 000 §8, §8.1, §18 Esc appears ignored, invariants 6, 11 and 22",
			rule: "The call rejects with the signal's own reason and the agent is stopped; or it has its result, and the abort finds nothing to stop. An abort never looks like a success.",
			diagrams: {
				"the Esc first": `
					Agent A   ^----!
					run A     -r---s-c
					===================
					Agent A   -----#
					told A    -----p
					status A  (qr)-(Sp)
					run A     ^------!
				`,
				"the settlement first": `
					run A     -r---s-c
					Agent A   ^----!
					===================
					Agent A   -----(c|)
					told A    ------
					status A  (qr)-c
					run A     ^------!
				`,
			},
		},
		{
			title: "an Esc comes in the frame in which the agent's session is ready",
			reference: "seed 000 §8.3, §18 Esc appears ignored, §17 Lifecycle: starting, invariants 6 and 22",
			rule: "A child that is starting is stopped like one that works.",
			diagrams: {
				"the Esc first": `
					Agent A  ^-!
					run A    --r---s-c
					==================
					Agent A  --#
					told A   --p
					run A    ^-------!
				`,
				"ready first": `
					run A    --r---s-c
					Agent A  ^-!
					==================
					Agent A  --#
					told A   --p
					run A    ^-------!
				`,
			},
		},
		{
			title: "an Esc comes in the frame in which a background agent settles",
			reference: "seed 000 §8, §8.3, §18 Child stops with parent unexpectedly, invariants 9, 22 and 23",
			rule: "An Esc stops the foreground only. A background agent has no parent's signal, and its result comes as ever.",
			diagrams: {
				"the Esc first": `
					Agent A   ^----!
					spawn B   b
					run B     r----s-c
					run A     -r-----s-c
					====================
					Agent A   -----#
					told A    -----p
					told B    ------
					status B  (qr)-c
					owner B   0----(hH)
					woken     -----b
					run A     ^--------!
					run B     ^------!
				`,
				"the settlement first": `
					spawn B   b
					run B     r----s-c
					Agent A   ^----!
					run A     -r-----s-c
					====================
					Agent A   -----#
					told A    -----p
					told B    ------
					status B  (qr)-c
					owner B   0----(hH)
					woken     -----b
					run A     ^--------!
					run B     ^------!
				`,
			},
		},
		{
			title: "two foreground calls share a signal that aborts in the frame in which one of them settles",
			reference: "seed 000 §8, §7.2, §17 Cancellation: nested abort, invariants 8, 9 and 22",
			rule: "Every foreground child follows the abort. A call that has its result keeps it.",
			diagrams: {
				"the Esc first": `
					Agent A  ^
					Agent B  ^
					Esc      -----x
					run A    r----s-c
					run B    r------s-c
					===================
					Agent A  -----#
					Agent B  -----#
					told A   -----p
					told B   -----p
					run A    ^------!
					run B    ^--------!
				`,
				"the settlement first": `
					Agent A  ^
					Agent B  ^
					run A    r----s-c
					Esc      -----x
					run B    r------s-c
					===================
					Agent A  -----(c|)
					Agent B  -----#
					told A   ------
					told B   -----p
					run A    ^------!
					run B    ^--------!
				`,
			},
		},
		{
			title: "an update is due in the frame of the settlement",
			reference:
				"seed 000 §5.4, §7.2, §17 Updates: no accepted update after settlement, §18 UI progress freezes while execution continues, invariant 15",
			rule: "Nothing is shown after the settlement, and what is shown decides nothing.",
			diagrams: {
				"the settlement first": `
					Agent A    ^
					run A      r- 248ms s-c
					=======================
					Agent A    250ms (c|)
					updates A  r
					run A      ^- 250ms !
				`,
				"the update first": `
					Agent A    ^
					~run A     r- 248ms s-c
					=======================
					Agent A    250ms (c|)
					updates A  r- 248ms r
					run A      ^- 250ms !
				`,
			},
		},
	],
};
