import type { AgentRun } from "./agent-run.ts";
import type { JointRun } from "./joint-runs.ts";

/** A joint run whose run may be replaced by what is left of it, so that who keeps the one does not keep the other. */
export interface FollowedRun {
	readonly joint: JointRun;
	/** From here on `joint` tells what `left` tells. */
	replace(left: AgentRun): void;
}

/** A joint run that tells what `run` tells. */
export function followRun(run: AgentRun): FollowedRun {
	let current = run;
	return {
		joint: {
			key: run.key,
			claim: run.claim,
			get record() {
				return current.record;
			},
			get watch$() {
				return current.watch$;
			},
			get completion$() {
				return current.completion$;
			},
		},
		replace: (left) => {
			current = left;
		},
	};
}
