import type { AgentRun } from "./agent-run.ts";
import type { Publishable } from "./agents.ts";
import type { AgentId } from "./ids.ts";
import type { AgentRecord } from "./record.ts";
import type { RevivedRun } from "./restored-run.ts";
import { toPublish } from "./to-publish.ts";

/**
 * Puts runs of an earlier life among those of this one, where an agent that has gone on since keeps its newer run. Returns
 * what of them is to be published; `note` hears of every record once all are there.
 */
export function takeIn(
	these: readonly RevivedRun[],
	runs: Map<AgentId, AgentRun>,
	note: (record: AgentRecord) => void,
): Publishable[] {
	for (const { run, current } of these) {
		const { record } = run;
		const newer = (runs.get(record.agentId)?.record.run ?? 0) > record.run;
		if (current && !newer) runs.set(record.agentId, run);
	}
	for (const { run } of these) note(run.record);
	return these
		.filter(({ publish }) => publish)
		.map(({ run, release, quiet }) => ({
			...toPublish(run),
			...(release === undefined ? {} : { release }),
			...(quiet ? { quiet: () => true } : {}),
		}));
}
