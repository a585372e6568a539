import type { Script } from "../script.ts";

export const failedCompaction: Script = {
	seed: 7,
	steps: [
		{ do: "compact", lasts: 10, silent: true },
		{ do: "calls", calls: [{ tool: "Agent", background: true, child: { ends: "hangs" } }] },
		{ do: "calls", calls: [{ tool: "get_subagent_result", agent: 0, wait: true }] },
		{ after: 200, do: "esc" },
	],
};
