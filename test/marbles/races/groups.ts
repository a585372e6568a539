import type { RaceGroup } from "../../support/race.ts";

/** The members of crews and swarms: their starts, their stops and their Esc. */
export const groups: RaceGroup = {
	title: "Running a crew or a swarm",
	file: "test/marbles/races/groups.ts",
	races: [
		{
			title: "a foreground group has one member in line and one that is starting",
			reference:
				"seed 000 §17.3, §18 Crew/swarm reports completion while member is queued, invariants 6, 22, 26 and 27",
			rule: "The parent stays pending until every member is terminal, whatever the order in which they end. A foreground group is never published.",
			diagrams: {
				"the one that was in line is last": `
					slots     2
					crew ABC  ^
					run A     r--s-c
					run B     ----r------s-c
					run C     -----r-----s-c
					========================
					crew ABC  -----------(ccc|)
					status B  (qr)-------c
					status C  q----r-----c
					run A     ^----!
					run B     ^------------!
					run C     -----^-------!
				`,
				"the one that started slowly is last": `
					slots     2
					crew ABC  ^
					run A     r--s-c
					run C     -----r-----s-c
					run B     ----r------s-c
					========================
					crew ABC  -----------(ccc|)
					status B  (qr)-------c
					status C  q----r-----c
					run A     ^----!
					run B     ^------------!
					run C     -----^-------!
				`,
			},
		},
		{
			title: "an Esc comes to a foreground group in the frame in which its last member settles",
			reference: "seed 000 §17.3, §8, §18 Esc ignored during foreground crew/swarm, invariants 6, 11 and 22",
			rule: "The call rejects with the signal's own reason, or it has every result. There is no third outcome.",
			diagrams: {
				"the Esc first": `
					crew AB  ^------!
					run A    r---s-c
					run B    r------s-c
					===================
					crew AB  -------#
					told B   -------p
					run A    ^-----!
					run B    ^--------!
				`,
				"the settlement first": `
					run A    r---s-c
					run B    r------s-c
					crew AB  ^------!
					===================
					crew AB  -------(cc|)
					told B   --------
					run A    ^-----!
					run B    ^--------!
				`,
			},
		},
		{
			title: "an Esc comes to a foreground group in the frame in which a member settles and frees its slot",
			reference: "seed 000 §17.3, §18 Esc ignored during foreground crew/swarm, invariants 6, 22 and 26",
			rule: "All members stop, also the one in line, the one that is starting and the one whose turn would have been next. Nothing starts on the way.",
			diagrams: {
				"the Esc first": `
					slots      2
					crew ABCD  ^------!
					run A      r----s-c
					run B      ---------s-c
					run C      -----------s-c
					========================
					crew ABCD  -------#
					told A     -------
					told B     -------p
					status C   q------p
					status D   q------p
					run A      ^------!
					run B      ^----------!
					run C      ------------
				`,
				"the slot first": `
					slots      2
					run A      r----s-c
					crew ABCD  ^------!
					run B      ---------s-c
					run C      -----------s-c
					========================
					crew ABCD  -------#
					told A     -------
					told B     -------p
					told C     -------p
					status C   q------(rS)p
					status D   q------p
					run A      ^------!
					run B      ^----------!
					run C      -------^-----!
				`,
			},
		},
		{
			title: "a member is stopped in the frame in which it settles, and another one waits for its result",
			reference: "seed 000 §17.3, §12.1, invariants 22 and 26",
			rule: "A member that has its results starts; one that cannot have them ends without a start, and so do those that wait for it. The group is told once.",
			diagrams: {
				"the stop first": `
					chain ABC  b
					stop A     ----x
					run A      r---s-c
					run B      ------s-c
					run C      ---------s-c
					=====================
					stop A     ------(v|)
					told A     ----u
					status B   q---d
					status C   q---d
					woken      ------------
					run A      ^-----!
					run B      ------------
					run C      ------------
				`,
				"the settlement first": `
					chain ABC  b
					run A      r---s-c
					stop A     ----x
					run B      ------s-c
					run C      ---------s-c
					=====================
					stop A     ----(n|)
					told A     ------------
					status B   q---r-c
					status C   q-----r--c
					woken      ---------*
					run A      ^-----!
					run B      ----^---!
					run C      ------^----!
				`,
			},
		},
		{
			title: "a member in line is stopped in the frame in which a slot comes free for it",
			reference: "seed 000 §17.3, §12.1, invariants 22 and 26",
			rule: "A stopped member, started or not, never stalls its group.",
			diagrams: {
				"the stop first": `
					slots      1
					group ABC  b
					stop B     -----x
					run A      r--s-c
					run B      ---------s-c
					run C      ------------s-c
					=========================
					stop B     -----(v|)
					status B   q----u
					told B     ------
					woken      ------------*
					run A      ^----!
					run B      ------------
					run C      -----^--------!
				`,
				"the slot first": `
					slots      1
					group ABC  b
					run A      r--s-c
					stop B     -----x
					run B      ---------s-c
					run C      ------------s-c
					=========================
					stop B     -----------(v|)
					status B   q----(rS)u
					told B     -----u
					woken      ------------*
					run A      ^----!
					run B      -----^-----!
					run C      -----------^--!
				`,
			},
		},
		{
			title: "an Esc comes to a foreground group in the frame in which a member settles that another one waits for",
			reference: "seed 000 §17.3, §8, §18 Esc ignored during foreground crew/swarm, invariants 6, 22 and 26",
			rule: "Those that wait for others are stopped like those in line: by their parent, and not for want of what was stopped before them.",
			diagrams: {
				"the Esc first": `
					crew-chain ABC  ^---!
					run A           r---s-c
					run B           --------s-c
					===========================
					crew-chain ABC  ----#
					told A          ----p
					status B        q---p
					status C        q---p
					run A           ^-----!
					run B           ------
				`,
				"the settlement first": `
					run A           r---s-c
					crew-chain ABC  ^---!
					run B           --------s-c
					===========================
					crew-chain ABC  ----#
					told A          -----
					told B          ----p
					status B        q---(rS)p
					status C        q---p
					run A           ^-----!
					run B           ----^-----!
				`,
			},
		},
	],
};
