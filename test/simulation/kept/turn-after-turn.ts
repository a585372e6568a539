import type { Script } from "../script.ts";

export const turnAfterTurn: Script = {
	seed: 30,
	steps: [
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					maxTurns: 1,
					child: { own: [[{ tool: "Agent", background: true }], [{ tool: "Agent" }]] },
				},
			],
		},
	],
};
