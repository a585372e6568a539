import type { Script } from "../script.ts";

export const crewAtOnce: Script = {
	seed: 375,
	steps: [
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					crew: [
						{ child: { ready: 0, pace: 0 } },
						{ child: { turns: 0, stopped: { settle: 20, close: 25 }, talksOn: true }, after: [0] },
						{ child: { ready: 0, turns: 3, ends: "vanishes", closing: 5 } },
						{ child: { turns: 0, pace: 0, ends: "vanishes", closing: 5 }, after: [1, 2] },
					],
				},
			],
		},
	],
};
