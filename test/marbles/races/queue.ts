import type { RaceGroup } from "../../support/race.ts";

/** Agents in line for a slot. */
export const queue: RaceGroup = {
	title: "Standing in line",
	file: "test/marbles/races/queue.ts",
	races: [
		{
			title: "a wait for a queued agent lasts until that has run",
			reference:
				"seed 000 §17.2, §18 wait:true returns immediately for queued agent, §17 Lifecycle: queued, invariants 26 and 27",
			rule: "The call remains pending while the agent is queued and while it runs, and returns the terminal result.",
			diagrams: {
				"": `
					slots     1
					spawn A   b
					spawn B   -b
					wait B    --^
					run A     r--s-c
					run B     -----r---s-c
					=======================
					spawn B   -q
					wait B    ---------(c|)
					status B  -q---r---c
					owner B   -01------d
					woken     ---a
					run A     ^----!
					run B     -----^-----!
				`,
			},
		},
		{
			title: "a wait starts in the frame in which its agent leaves the line",
			reference: "seed 000 §17.2, invariants 26 and 27",
			rule: "One completion exists from the spawn on: a wait that starts before, at or after the start of the run is the same wait.",
			diagrams: {
				"the wait first": `
					slots    1
					spawn A  b
					spawn B  -b
					wait B   -----^
					run A    r--s-c
					run B    -----r---s-c
					======================
					wait B   ---------(c|)
					owner B  -0---1---d
					woken    ---a
					run A    ^----!
					run B    -----^-----!
				`,
				"the slot first": `
					slots    1
					spawn A  b
					spawn B  -b
					run A    r--s-c
					wait B   -----^
					run B    -----r---s-c
					======================
					wait B   ---------(c|)
					owner B  -0---1---d
					woken    ---a
					run A    ^----!
					run B    -----^-----!
				`,
			},
		},
		{
			title: "a wait is aborted in the frame in which its agent leaves the line",
			reference: "seed 000 §8, §17.2, invariants 9, 10 and 18",
			rule: "Only the wait ends. The agent keeps its place, runs, and its result is published.",
			diagrams: {
				"the abort first": `
					slots    1
					spawn A  b
					spawn B  -b
					wait B   --^--!
					run A    r--s-c
					run B    -----r---s-c
					======================
					wait B   -----#
					owner B  -01--0---(hH)
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
				"the slot first": `
					slots    1
					spawn A  b
					spawn B  -b
					run A    r--s-c
					wait B   --^--!
					run B    -----r---s-c
					======================
					wait B   -----#
					owner B  -01--0---(hH)
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
			},
		},
		{
			title: "a queued agent is stopped in the frame in which a slot comes free",
			reference: "seed 000 §8, §12.1, §17.2, invariants 26 and 27",
			rule: "Stopped in line it never starts; started first it is told to stop. The wait gets the terminal result in both orders.",
			diagrams: {
				"the stop first": `
					slots     1
					spawn A   b
					spawn B   -b
					wait B    --^
					stop B    -----x
					run A     r--s-c
					run B     -----r---s-c
					======================
					wait B    -----(u|)
					stop B    -----(v|)
					status B  -q---u
					owner B   -01--d
					woken     ---a
					run A     ^----!
					run B     ------------
				`,
				"the slot first": `
					slots     1
					spawn A   b
					spawn B   -b
					wait B    --^
					run A     r--s-c
					stop B    -----x
					run B     -----r---s-c
					=========================
					wait B    ---------(u|)
					stop B    -----------(v|)
					status B  -q---(rS)u
					told B    -----u
					owner B   -01------d
					woken     ---a
					run A     ^----!
					run B     -----^-----!
				`,
			},
		},
		{
			title: "an agent is spawned in the frame in which a slot comes free",
			reference: "seed 000 §12.1, §17 Lifecycle: queued, invariant 26",
			rule: "It runs from that frame on, having stood in line or not.",
			diagrams: {
				"the spawn first": `
					slots    1
					spawn A  b
					spawn B  -----b
					run A    r--s-c
					run B    -----r---s-c
					======================
					spawn B  -----q
					owner B  -----0---(hH)
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
				"the slot first": `
					slots    1
					spawn A  b
					run A    r--s-c
					spawn B  -----b
					run B    -----r---s-c
					======================
					spawn B  -----r
					owner B  -----0---(hH)
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
			},
		},
		{
			title: "the first in line is stopped in the frame in which a slot comes free for it",
			reference: "seed 000 §12.1, §7.2, invariant 25",
			rule: "The next in line gets the slot that the stopped agent does not take; never more run at once than may.",
			diagrams: {
				"the stop first": `
					slots    1
					spawn A  b
					spawn B  -b
					spawn C  --b
					stop B   -----x
					run A    r--s-c
					run B    -----r--s-c
					run C    ------------r-s-c
					==========================
					stop B   -----(v|)
					woken    ---a----------*
					run A    ^----!
					run B    -----------
					run C    -----^----------!
				`,
				"the slot first": `
					slots    1
					spawn A  b
					spawn B  -b
					spawn C  --b
					run A    r--s-c
					stop B   -----x
					run B    -----r--s-c
					run C    ------------r-s-c
					==========================
					stop B   ----------(v|)
					told B   -----u
					woken    ---a----------*
					run A    ^----!
					run B    -----^----!
					run C    ----------^-----!
				`,
			},
		},
	],
};
