import type { Script } from "../script.ts";

export const stoppedLine: Script = {
	seed: 683,
	host: { maxConcurrent: 2 },
	steps: [
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ do: "calls", calls: [{ tool: "Agent", background: true, child: { pace: 135 } }] },
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					background: true,
					crew: [{ child: { ends: "truncated" } }, { child: { stopped: "late" }, after: [0] }, {}],
				},
				{ tool: "Agent", background: true, child: { ends: "hangs" } },
			],
		},
		{ do: "calls", calls: [{ tool: "Agent", background: true }] },
		{ do: "calls", calls: [{ tool: "Agent", background: true }] },
		{ do: "calls", calls: [{ tool: "Agent", background: true, child: { pace: 80 } }] },
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					crew: [
						{ child: { pace: 120, ends: "closes_first" } },
						{ child: { ready: 0, pace: 0 } },
						{ child: { pace: 0, closing: 10 } },
					],
				},
			],
		},
	],
};
