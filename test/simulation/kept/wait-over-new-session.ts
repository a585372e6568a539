import type { Script } from "../script.ts";

export const waitOverNewSession: Script = {
	seed: 16,
	host: { texts: "slow" },
	steps: [
		{ do: "calls", calls: [{ tool: "Agent" }] },
		{ after: 1, do: "calls", calls: [{ tool: "get_subagent_result", agent: 0, verbose: true }] },
		{ after: 55, do: "calls", calls: [{ tool: "Agent", background: true }] },
		{ do: "replace" },
	],
};
