import type { Script } from "../script.ts";

export const abortedAndResumed: Script = {
	seed: 303911,
	interleave: 332155585,
	steps: [
		{ do: "calls", calls: [{ tool: "Agent", background: true }] },
		{ after: 35, do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 1, do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 15, do: "esc" },
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 7, do: "calls", calls: [{ tool: "Agent" }] },
		{ do: "compact", lasts: 0 },
		{ do: "resume", agent: 0, child: { ready: "never" } },
	],
};
