import type { RaceGroup } from "../../support/race.ts";

/** Stops and resumes. */
export const lifetime: RaceGroup = {
	title: "Ending and resuming",
	file: "test/marbles/races/lifetime.ts",
	races: [
		{
			title: "a person stops an agent in the frame of its settlement",
			reference: "seed 000 §8, §12.1, invariants 19 and 26",
			rule: "It settles once, as stopped or with its answer, and the report says which; the result is published once.",
			diagrams: {
				"the stop first": `
					spawn A   b
					stop A    -----x
					run A     r----s-c
					=====================
					stop A    -------(v|)
					told A    -----u
					status A  (qr)-(Su)
					owner A   0----h
					woken     ------
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					stop A    -----x
					===================
					stop A    -----(n|)
					told A    ------
					status A  (qr)-c
					owner A   0----(hH)
					woken     -----a
					run A     ^------!
				`,
			},
		},
		{
			title: "a run fails in the frame in which it is stopped",
			reference: "seed 000 §12.1, §17 Lifecycle: error, stopped, invariants 5 and 26",
			rule: "The completion settles exactly once: with the failure or with the stop, and a waiter gets that one.",
			diagrams: {
				"the stop first": `
					spawn A  b
					wait A   -^
					stop A   -----x
					run A    r----e-c
					====================
					wait A   -----(u|)
					stop A   -------(v|)
					owner A  01---d
					woken    ------
					run A    ^------!
				`,
				"the failure first": `
					spawn A  b
					wait A   -^
					run A    r----e-c
					stop A   -----x
					==================
					wait A   -----(e|)
					stop A   -----(n|)
					owner A  01---d
					woken    ------
					run A    ^------!
				`,
			},
		},
		{
			title:
				"a stopped session does not come to rest, and its grace ends in the frame in which another agent is spawned",
			reference: "seed 000 §8.2, §12.1, invariants 21 and 25",
			rule: "A slot is free when the session has closed or its grace is over, and not when the run was told to stop.",
			diagrams: {
				"the spawn first": `
					slots    1
					spawn A  b
					stop A   --x
					spawn B  -------b
					run A    r---s--z
					run B    --------r-s-c
					======================
					spawn B  -------q
					stop A   -------(z|)
					woken    ----------*
					run A    ^------!
					run B    -------^----!
				`,
				"the grace first": `
					slots    1
					spawn A  b
					stop A   --x
					run A    r---s--z
					spawn B  -------b
					run B    --------r-s-c
					======================
					spawn B  -------r
					stop A   -------(z|)
					woken    ----------*
					run A    ^------!
					run B    -------^----!
				`,
			},
		},
		{
			title: "a run settles in the frame in which a tool of it ends",
			reference: "seed 000 §13.1, §18 Tool count exceeds committed side effects, invariants 15 and 25",
			rule: "Tools are counted at their start for limits and at their end for people. The counts differ where a run ends under a tool, and prove no side effect.",
			diagrams: {
				"the tool first": `
					spawn A    b
					tool A     ---b-B
					run A      r----s-c
					===================
					started A  ---1
					ended A    -----1
					status A   (qr)-c
					woken      -----a
					run A      ^------!
				`,
				"the settlement first": `
					spawn A    b
					run A      r----s-c
					tool A     ---b-B
					===================
					started A  ---1
					ended A    ------
					status A   (qr)-c
					woken      -----a
					run A      ^------!
				`,
			},
		},
		{
			title: "an agent is resumed in the frame in which its session closes",
			reference: "seed 000 §7.2, §12.1, §17 Lifecycle: resumed, §17 Parallelism: same resource, invariants 14 and 26",
			rule: "One run at a time touches an agent's session: the next one starts when the one before has closed it. Each run has a completion of its own.",
			diagrams: {
				"the resume first": `
					spawn A    b
					resume A   -------b
					run A      r----s-c
					run A#2    -------r--s-c
					=========================
					resume A   -------q
					owner A    0----(hH)
					owner A#2  -------0--(hH)
					woken      -----a----A
					run A      ^------!
					run A#2    -------^----!
				`,
				"the close first": `
					spawn A    b
					run A      r----s-c
					resume A   -------b
					run A#2    -------r--s-c
					=========================
					resume A   -------r
					owner A    0----(hH)
					owner A#2  -------0--(hH)
					woken      -----a----A
					run A      ^------!
					run A#2    -------^----!
				`,
			},
		},
		{
			title: "an agent is resumed in the frame in which its earlier result is lost on the way",
			reference: "seed 000 §11, §12.1, invariants 18 and 19",
			rule: "A resume leaves an unpublished result in line. Each run's result is published, once, in the order of the runs.",
			diagrams: {
				"the resume first": `
					spawn A    b
					run A      r--s-c
					resume A   ----------b
					run A#2    ----------r-s-c
					parent     r----B----L----BK
					============================
					resume A   ----------r
					owner A    0--h-H----h----Hc
					owner A#2  ----------0-h--Hc
					boundary   -----a---------*
					run A      ^----!
					run A#2    ----------^---!
				`,
				"the loss first": `
					spawn A    b
					run A      r--s-c
					parent     r----B----L----BK
					resume A   ----------b
					run A#2    ----------r-s-c
					============================
					resume A   ----------r
					owner A    0--h-H----h----Hc
					owner A#2  ----------0-h--Hc
					boundary   -----a---------*
					run A      ^----!
					run A#2    ----------^---!
				`,
			},
		},
	],
};
