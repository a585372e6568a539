import type { Script } from "../script.ts";

export const throwingHost: Script = {
	seed: 12,
	steps: [
		{ do: "next_wake", is: "throws" },
		{ do: "calls", calls: [{ tool: "Agent", background: true, child: { pace: 20 } }] },
	],
};
