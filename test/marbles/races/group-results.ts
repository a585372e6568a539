import type { RaceGroup } from "../../support/race.ts";

/** The results of background groups, between those who wait and the parent. */
export const groupResults: RaceGroup = {
	title: "Who gets a group's results",
	file: "test/marbles/races/group-results.ts",
	races: [
		{
			title: "a wait for a group is aborted in the frame in which its last member settles",
			reference: "seed 000 §11.3, §17.1, §18 Result disappears after cancelled wait, invariants 10, 17, 18 and 19",
			rule: "A wait that is given up has taken nothing: all results go as one message. One that has seen the last settlement has read them all in that instant, and nothing is published.",
			diagrams: {
				"the abort first": `
					group AB    b
					waitall AB  -^-----!
					run A       r--s-c
					run B       r------s-c
					=====================
					waitall AB  -------#
					owner A     0--h---H
					owner B     0------(hH)
					woken       -------*
					run A       ^----!
					run B       ^--------!
				`,
				"the settlement first": `
					group AB    b
					run A       r--s-c
					run B       r------s-c
					waitall AB  -^-----!
					=====================
					waitall AB  -------(cc|)
					owner A     0--h---d
					owner B     0------(hd)
					woken       --------
					run A       ^----!
					run B       ^--------!
				`,
			},
		},
		{
			title: "one of two waits for a group is aborted in the frame in which its last member settles",
			reference: "seed 000 §17.1, §18 One of two cancelled waits causes duplicate notification, invariants 13 and 17",
			rule: "The wait that is left gets every result, and nothing is published.",
			diagrams: {
				"the abort first": `
					group AB      b
					waitall AB#1  -^-----!
					waitall AB#2  --^
					run A         r--s-c
					run B         r------s-c
					======================
					waitall AB#1  -------#
					waitall AB#2  -------(cc|)
					owner A       0--h---d
					owner B       0------(hd)
					run A         ^----!
					run B         ^--------!
				`,
				"the settlement first": `
					group AB      b
					waitall AB#2  --^
					run A         r--s-c
					run B         r------s-c
					waitall AB#1  -^-----!
					======================
					waitall AB#1  -------(cc|)
					waitall AB#2  -------(cc|)
					owner A       0--h---d
					owner B       0------(hd)
					run A         ^----!
					run B         ^--------!
				`,
			},
		},
		{
			title: "a wait for a group starts in the frame in which its last member settles",
			reference: "seed 000 §11.2, §18 Result appears twice, invariants 17 and 20",
			rule: "A wait that comes in the instant of the settlement is before the message, which leaves a step later.",
			diagrams: {
				"the wait first": `
					group AB    b
					waitall AB  -------^
					run A       r--s-c
					run B       r------s-c
					=====================
					waitall AB  -------(cc|)
					owner A     0--h---d
					owner B     0------(hd)
					woken       --------
					run A       ^----!
					run B       ^--------!
				`,
				"the settlement first": `
					group AB    b
					run A       r--s-c
					run B       r------s-c
					waitall AB  -------^
					=====================
					waitall AB  -------(cc|)
					owner A     0--h---d
					owner B     0------(hd)
					woken       --------
					run A       ^----!
					run B       ^--------!
				`,
			},
		},
		{
			title: "a wait for a group that has ended starts in the frame of the boundary",
			reference: "seed 000 §11.2, §17 Ownership: notification suppression, invariants 17 and 20",
			rule: "Read or published, and never both. What has left the outbox is waited for, and its reader is told that it was published.",
			diagrams: {
				"the wait first": `
					group AB    b
					waitall AB  --------^
					parent      r-------B--K
					run A       r--s-c
					run B       r---s-c
					=======================
					waitall AB  --------(cc|)
					boundary    --------0
					owner A     0--h----d
					owner B     0---h---d
					run A       ^----!
					run B       ^-----!
				`,
				"the boundary first": `
					group AB    b
					parent      r-------B--K
					waitall AB  --------^
					run A       r--s-c
					run B       r---s-c
					=======================
					waitall AB  -----------(CC|)
					boundary    --------*
					owner A     0--h----H--c
					owner B     0---h---H--c
					run A       ^----!
					run B       ^-----!
				`,
			},
		},
		{
			title: "a wait for a member starts in the frame in which the last member settles",
			reference: "seed 000 §11.2, §18 Result appears twice, invariants 17, 19 and 20",
			rule: "A member that was read by its own id stays out of the group's message; the others go.",
			diagrams: {
				"the wait first": `
					group AB  b
					wait A    -------^
					run A     r--s-c
					run B     r------s-c
					===================
					wait A    -------(c|)
					owner A   0--h---d
					owner B   0------(hH)
					woken     -------b
					run A     ^----!
					run B     ^--------!
				`,
				"the settlement first": `
					group AB  b
					run A     r--s-c
					run B     r------s-c
					wait A    -------^
					===================
					wait A    -------(c|)
					owner A   0--h---d
					owner B   0------(hH)
					woken     -------b
					run A     ^----!
					run B     ^--------!
				`,
			},
		},
		{
			title: "a wait for a group is aborted in the frame in which a member settles, and members are published each",
			reference: "seed 000 §11.3, invariants 17, 18 and 19",
			rule: "While somebody waits for all, no member is published, also where each would go by itself. Given up, the wait lets go of what has ended, once.",
			diagrams: {
				"the abort first": `
					each ABC     b
					waitall ABC  -^-----!
					run A        r--s-c
					run B        r------s-c
					run C        r----------s-c
					==========================
					waitall ABC  -------#
					owner A      0--h---H
					owner B      0------(hH)
					owner C      0----------(hH)
					woken        -------*---c
					run A        ^----!
					run B        ^--------!
					run C        ^------------!
				`,
				"the settlement first": `
					each ABC     b
					run A        r--s-c
					run B        r------s-c
					run C        r----------s-c
					waitall ABC  -^-----!
					==========================
					waitall ABC  -------#
					owner A      0--h---H
					owner B      0------(hH)
					owner C      0----------(hH)
					woken        -------*---c
					run A        ^----!
					run B        ^--------!
					run C        ^------------!
				`,
			},
		},
		{
			title:
				"the last member settles in the frame in which a member's message is lost, and somebody waits for the group",
			reference: "seed 000 §11, invariants 17, 18 and 19",
			rule: "The wait takes nothing while one of the results may still have arrived; then it takes all of them at once.",
			diagrams: {
				"the settlement first": `
					each AB     b
					waitall AB  ----^
					run A       r--s-c
					run B       r------s-c
					parent      -------L
					=====================
					waitall AB  -------(cc|)
					owner A     0--(hH)(hd)
					owner B     0------(hd)
					woken       ---a
					run A       ^----!
					run B       ^--------!
				`,
				"the loss first": `
					each AB     b
					waitall AB  ----^
					parent      -------L
					run A       r--s-c
					run B       r------s-c
					=====================
					waitall AB  -------(cc|)
					owner A     0--(hH)(hd)
					owner B     0------(hd)
					woken       ---a
					run A       ^----!
					run B       ^--------!
				`,
			},
		},
	],
};
