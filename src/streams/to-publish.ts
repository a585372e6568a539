import type { Publishable } from "./agents.ts";
import type { JointRequest, JointRun } from "./joint-runs.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** A run's result as something to publish, in the way in which its request asks for that, where it does. */
export function toPublish(run: JointRun, request?: JointRequest, siblings: readonly JointRun[] = []): Publishable {
	const { key, claim, record } = run;
	return {
		key,
		claim,
		...(record.parent === undefined ? {} : { parent: record.parent }),
		quiet: () => request?.quiet?.(siblings) ?? wasStoppedByUser(run.record),
		...(request?.release ? { release: request.release } : {}),
	};
}

function wasStoppedByUser(record: AgentRecord): boolean {
	return isTerminal(record) && record.outcome.verdict.reason === "stopped_by_user";
}
