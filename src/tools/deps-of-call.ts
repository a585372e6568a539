import type { OwnAgents } from "../streams/agents-of.ts";
import { noSpend } from "../streams/usage.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * The dependencies as one call has them from its beginning to its end. Its agents are those of the session in which it
 * began; and when that session has been replaced meanwhile, what the next one has spent is for that one's own results.
 * Throws what `deps.agents` throws while there is no session.
 */
export function depsOfCall(deps: ToolDeps): ToolDeps {
	const { agents, groups } = deps;
	return { ...deps, agents, groups, takeSpend: () => (isCurrent(deps, agents) ? deps.takeSpend() : noSpend) };
}

function isCurrent(deps: ToolDeps, agents: OwnAgents): boolean {
	try {
		return deps.agents === agents;
	} catch {
		return false;
	}
}
