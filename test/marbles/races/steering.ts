import type { RaceGroup } from "../../support/race.ts";

/** Messages for an agent under way. */
export const steering: RaceGroup = {
	title: "Steering",
	file: "test/marbles/races/steering.ts",
	races: [
		{
			title: "a message is sent while a tool runs",
			reference: "seed 000 §9.1, §18 Steering is queued but nothing changes, invariant 24",
			rule: "The call returns at once, the tool goes on to its end, and the message is read at the boundary after it.",
			diagrams: {
				"": `
					spawn A  b
					run A    rtb---Bk--s-c
					steer A  ---m
					======================
					steer A  ---q
					reads A  -------m
					ended A  ------1
					woken    ----------a
					run A    ^-----------!
				`,
			},
		},
		{
			title: "a message is sent in the frame of the child's boundary",
			reference: "seed 000 §9.1, §10.3, invariant 24",
			rule: "It is read at that boundary, behind those that were sent before it, or at the next one: once, and never in the middle.",
			diagrams: {
				"the message first": `
					spawn A  b
					steer A  ---nm
					run A    rt--k--k-s-c
					=====================
					steer A  ---qq
					reads A  ----(nm)
					woken    ---------a
					run A    ^----------!
				`,
				"the boundary first": `
					spawn A  b
					run A    rt--k--k-s-c
					steer A  ---nm
					=====================
					steer A  ---qq
					reads A  ----n--m
					woken    ---------a
					run A    ^----------!
				`,
			},
		},
		{
			title: "a message is sent in the frame in which the session is ready",
			reference: "seed 000 §9.3, §18 Background agent cannot be steered, §17 Lifecycle: starting, invariant 24",
			rule: "A message for a session that does not exist yet is held, a later one is queued; the child reads either.",
			diagrams: {
				"the message first": `
					spawn A  b
					steer A  --m
					run A    --r--k-s-c
					===================
					steer A  --h
					reads A  -----m
					woken    -------a
					run A    ^--------!
				`,
				"ready first": `
					spawn A  b
					run A    --r--k-s-c
					steer A  --m
					===================
					steer A  --q
					reads A  -----m
					woken    -------a
					run A    ^--------!
				`,
			},
		},
		{
			title: "a message is sent in the frame in which a queued agent starts",
			reference:
				"seed 000 §10.3, §18 Background agent cannot be steered, §17 Semantic validation: wrong status, invariant 24",
			rule: "Only a running agent can be steered: a queued one refuses the message, and nothing of it is kept.",
			diagrams: {
				"the message first": `
					slots    1
					spawn A  b
					spawn B  -b
					steer B  -----m
					run A    r--s-c
					run B    ------rk-s-c
					=====================
					steer B  -----n
					reads B  ----------
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
				"the start first": `
					slots    1
					spawn A  b
					spawn B  -b
					run A    r--s-c
					steer B  -----m
					run B    ------rk-s-c
					=====================
					steer B  -----h
					reads B  -------m
					woken    ---a-----b
					run A    ^----!
					run B    -----^-----!
				`,
			},
		},
		{
			title: "a message is sent in the frame of the settlement",
			reference:
				"seed 000 §10.3, §18 Background agent cannot be steered, §17 Semantic validation: wrong status, invariant 24",
			rule: "It is refused, or it is named in the result as a message that the agent ended without reading. It never disappears.",
			diagrams: {
				"the message first": `
					spawn A   b
					steer A   -----m
					run A     r----s-c
					==================
					steer A   -----q
					unread A  -----m
					woken     -----a
					run A     ^------!
				`,
				"the settlement first": `
					spawn A   b
					run A     r----s-c
					steer A   -----m
					==================
					steer A   -----n
					unread A  ------
					woken     -----a
					run A     ^------!
				`,
			},
		},
		{
			title: "a message is sent in the frame in which the agent is stopped",
			reference: "seed 000 §8, §10.3, invariant 24",
			rule: "An agent that is being stopped reads nothing more and says so; a message from before is named as unread.",
			diagrams: {
				"the message first": `
					spawn A   b
					steer A   ----m
					stop A    ----x
					run A     r-----s-c
					======================
					steer A   ----q
					stop A    --------(v|)
					unread A  ------m
					woken     -------
					run A     ^-------!
				`,
				"the stop first": `
					spawn A   b
					stop A    ----x
					steer A   ----m
					run A     r-----s-c
					======================
					steer A   ----n
					stop A    --------(v|)
					unread A  -------
					woken     -------
					run A     ^-------!
				`,
			},
		},
	],
};
