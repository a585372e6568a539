import type { RaceGroup } from "../../support/race.ts";

/** A parent that becomes this or that while a run settles. */
export const waking: RaceGroup = {
	title: "Waking the parent",
	file: "test/marbles/races/waking.ts",
	races: [
		{
			title: "a run settles in the frame of the parent's boundary",
			reference: "seed 000 §7.2, §11, invariants 18 and 19",
			rule: "A result that misses the boundary wakes the parent when that is idle; one that makes it goes there. It is published once in both orders.",
			diagrams: {
				"the boundary first": `
					spawn A   b
					parent    r----B----Kd
					run A     r----s-c
					======================
					owner A   0----h-----H
					boundary  -----0
					woken     -----------a
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					parent    r----B----Kd
					======================
					owner A   0----(hH)-c
					boundary  -----a
					woken     ------------
					run A     ^------!
				`,
			},
		},
		{
			title: "the parent becomes busy in the frame of the settlement",
			reference: "seed 000 §11.2, §17 Ownership: notification suppression, invariant 20",
			rule: "Whether a message may start a turn is asked when it is sent, not when the run settled: a busy parent gets the result at its boundary.",
			diagrams: {
				"busy first": `
					spawn A   b
					parent    -----r---B
					run A     r----s-c
					====================
					owner A   0----h---H
					boundary  ---------a
					woken     ----------
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					parent    -----r---B
					====================
					owner A   0----h---H
					boundary  ---------a
					woken     ----------
					run A     ^------!
				`,
			},
		},
		{
			title: "the parent becomes idle in the frame of the settlement",
			reference: "seed 000 §11, invariants 18 and 19",
			rule: "It is woken once, whichever came first.",
			diagrams: {
				"idle first": `
					spawn A  b
					parent   r----d
					run A    r----s-c
					==================
					owner A  0----(hH)
					woken    -----a
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					parent   r----d
					==================
					owner A  0----(hH)
					woken    -----a
					run A    ^------!
				`,
			},
		},
		{
			title: "a person aborts the parent in the frame of the settlement",
			reference: "seed 000 §8, §11, invariants 18 and 20",
			rule: "After an Esc no message of ours starts a turn. The result is not lost: it goes beside the person's next message.",
			diagrams: {
				"the Esc first": `
					spawn A  b
					parent   r----a----(pP)
					run A    r----s-c
					=======================
					owner A  0----h----H
					woken    -----------
					prompt   ----------a
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					parent   r----a----(pP)
					=======================
					owner A  0----h----H
					woken    -----------
					prompt   ----------a
					run A    ^------!
				`,
			},
		},
		{
			title: "a dialog opens in the frame of the settlement",
			reference: "seed 000 §11, invariant 20",
			rule: "A person who is being asked something is not interrupted; the parent is woken when the dialog has closed.",
			diagrams: {
				"the dialog first": `
					spawn A  b
					parent   -----o--O
					run A    r----s-c
					==================
					owner A  0----h--H
					woken    --------a
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					parent   -----o--O
					==================
					owner A  0----h--H
					woken    --------a
					run A    ^------!
				`,
			},
		},
		{
			title: "the host stops taking messages in the frame of the settlement",
			reference: "seed 000 §11, invariants 18 and 19",
			rule: "What the host refused is held again and offered again after a pause: published once, and never lost.",
			diagrams: {
				"the host first": `
					spawn A  b
					host     -----n--y
					run A    r----s-c
					===========================
					owner A  0----(hHh) 995ms H
					woken    1005ms a
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					host     -----n--y
					===========================
					owner A  0----(hHh) 995ms H
					woken    1005ms a
					run A    ^------!
				`,
			},
		},
		{
			title: "the parent's session is replaced in the frame of the settlement",
			reference: "seed 000 §5.5, §11, invariant 20",
			rule: "Nothing is sent to a session that is not there any more.",
			diagrams: {
				"the replacement first": `
					spawn A  b
					parent   -----x--d
					run A    r----s-c
					==================
					owner A  0----h
					woken    ---------
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					parent   -----x--d
					==================
					owner A  0----h
					woken    ---------
					run A    ^------!
				`,
			},
		},
		{
			title: "two agents settle in one frame",
			reference: "seed 000 §7.2, §17 Parallelism: different resources, invariant 19",
			rule: "Their results go as one message, and each of them once.",
			diagrams: {
				"A first": `
					spawn A  b
					spawn B  b
					run A    r----s-c
					run B    r----s-c
					==================
					owner A  0----(hH)
					owner B  0----(hH)
					woken    -----*
					run A    ^------!
					run B    ^------!
				`,
				"B first": `
					spawn A  b
					spawn B  b
					run B    r----s-c
					run A    r----s-c
					==================
					owner A  0----(hH)
					owner B  0----(hH)
					woken    -----*
					run A    ^------!
					run B    ^------!
				`,
			},
		},
	],
};
