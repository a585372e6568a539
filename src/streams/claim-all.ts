import { combineLatest, defer, filter, finalize, map, type Observable, of, switchMap, take } from "rxjs";
import { joinSettled } from "../operators/index.ts";
import { claimOf } from "./agent-handles.ts";
import type { Reading } from "./agents.ts";
import type { GroupGate } from "./group-gate.ts";
import type { JointRun } from "./joint-runs.ts";

/**
 * The claim on all results. Nothing is claimed before all can be had in one instant: all have ended, and none is on its
 * way to the parent, which may bring it back. The gate is held meanwhile, so nothing more gets on its way.
 */
export function claimAll(
	runs: readonly JointRun[],
	completion$: Observable<unknown>,
	gate: GroupGate,
): Observable<readonly Reading[]> {
	return defer(() => {
		const letGo = gate.hold();
		return completion$.pipe(
			switchMap(() => noneOnItsWay(runs)),
			switchMap(() => joinSettled(runs.map(claimOf))),
			map((ends) => ends.flatMap((end) => (end.kind === "value" ? [end.value] : []))),
			finalize(letGo),
		);
	});
}

function noneOnItsWay(runs: readonly JointRun[]): Observable<unknown> {
	const onItsWay = runs.filter((run) => run.claim.state.kind === "handed");
	if (onItsWay.length === 0) return of(true);
	return combineLatest(onItsWay.map((run) => run.claim.state$)).pipe(
		filter(() => onItsWay.every((run) => run.claim.state.kind !== "handed")),
		take(1),
	);
}
