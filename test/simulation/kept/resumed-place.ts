import type { Script } from "../script.ts";

export const resumedPlace: Script = {
	seed: 24,
	host: { maxConcurrent: 1 },
	steps: [
		{ do: "calls", calls: [{ tool: "Agent", background: true, child: { ready: "never" } }] },
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ do: "calls", calls: [{ tool: "Agent", background: true }] },
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 67, do: "resume", agent: 2 },
	],
};
