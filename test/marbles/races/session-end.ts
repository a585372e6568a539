import type { RaceGroup } from "../../support/race.ts";

/** The end of the parent's session. */
export const sessionEnd: RaceGroup = {
	title: "The end of the session",
	file: "test/marbles/races/session-end.ts",
	races: [
		{
			title: "the session ends in the frame of a settlement",
			reference: "seed 000 §8.2, §5.5, invariants 20 and 21",
			rule: "Every run is stopped and waited for, and no result starts a turn of a session on its way out. What is held stays held.",
			diagrams: {
				"the end first": `
					spawn A  b
					session  -----x
					run A    r----s-c
					=================
					session  -------|
					told A   -----x
					owner A  0----h
					woken    ------
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					run A    r----s-c
					session  -----x
					=================
					session  -------|
					told A   ------
					owner A  0----h
					woken    ------
					run A    ^------!
				`,
			},
		},
		{
			title: "the session ends in the frame in which a waited-for agent settles",
			reference: "seed 000 §8.2, invariants 6, 21 and 27",
			rule: "A wait ends with the record's end, whatever that is: no call outlives its session.",
			diagrams: {
				"the end first": `
					spawn A  b
					wait A   -^
					session  -----x
					run A    r----s-c
					==================
					session  -------|
					wait A   -----(x|)
					owner A  01---d
					run A    ^------!
				`,
				"the settlement first": `
					spawn A  b
					wait A   -^
					run A    r----s-c
					session  -----x
					==================
					session  -------|
					wait A   -----(c|)
					owner A  01---d
					run A    ^------!
				`,
			},
		},
		{
			title: "an agent is spawned in the frame in which the session ends",
			reference: "seed 000 §8.3, §12.1, invariants 3 and 21",
			rule: "What starts first is stopped and waited for; afterwards nothing starts.",
			diagrams: {
				"the spawn first": `
					spawn A  --b
					session  --x
					run A    --r-s-c
					================
					spawn A  --r
					session  ------|
					told A   --x
					run A    --^---!
				`,
				"the end first": `
					session  --x
					spawn A  --b
					run A    --r-s-c
					================
					spawn A  --n
					session  --|
					told A   ---
					run A    ---
				`,
			},
		},
	],
};
