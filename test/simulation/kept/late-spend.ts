import type { Script } from "../script.ts";

export const lateSpend: Script = {
	seed: 394,
	steps: [
		{ do: "calls", calls: [{ tool: "Agent", child: { pace: 0, closing: 2, talksOn: true } }] },
		{ after: 15, do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 20, do: "resume", agent: 0 },
	],
};
