import type { Script } from "../script.ts";

export const deafBelowResumed: Script = {
	seed: 5000193,
	steps: [
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					child: {
						own: [[{ tool: "Agent", background: true, crew: [{ child: { pace: 65, stopped: "deaf" } }, {}, {}] }]],
					},
				},
			],
		},
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 95, do: "esc" },
		{ do: "calls", calls: [{ tool: "Agent", background: true }, { tool: "Agent" }] },
		{ do: "calls", calls: [{ tool: "Agent", child: { ends: "throws" } }] },
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 105, do: "resume", agent: 8 },
	],
};
