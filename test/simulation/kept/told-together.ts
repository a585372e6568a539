import type { Script } from "../script.ts";

export const toldTogether: Script = {
	seed: 2540,
	steps: [
		{
			do: "calls",
			calls: [
				{
					tool: "Agent",
					crew: [
						{ child: { turns: 4, ends: "provider_error" }, after: [3, 1] },
						{ child: { ready: 0, pace: 0, stopped: { settle: 0, close: 60 } }, after: [3] },
						{ after: [3] },
						{ child: { turns: 3, pace: 20 } },
					],
				},
			],
		},
	],
};
