import type { RunConfig } from "./ports.ts";

/**
 * What a record keeps of a run's configuration: all but what only its start needs, which is large and of which a session
 * may have as many as it has agents.
 */
export function keptConfig({ inherited: _1, parentPrompt: _2, ...kept }: RunConfig): RunConfig {
	return kept;
}
