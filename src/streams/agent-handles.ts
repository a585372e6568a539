import { defer, finalize, map, type Observable, of } from "rxjs";
import type { AgentRun } from "./agent-run.ts";
import { type Reading, type SteerReceipt, SteerRefused, type StopReport } from "./agents.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** A foreground call's handle on its run: leaving it before the end stops the run. */
export function foregroundOf(run: AgentRun): Observable<AgentRecord> {
	return run.watch$.pipe(finalize(() => run.stop({ status: "stopped", reason: "stopped_by_parent" })));
}

/** A claim on a run's result: each subscription is one until it has left or got it. */
export function claimOf(run: Pick<AgentRun, "claim">): Observable<Reading> {
	return run.claim.claim$.pipe(map((record) => ({ record, published: run.claim.state.kind === "committed" })));
}

/** Queues a message for the run's next boundary; throws where nobody would read it. */
export function steerRun(run: AgentRun, message: string): SteerReceipt {
	const { record } = run;
	if (record.status !== "running") {
		throw new SteerRefused(`Agent ${record.agentId} is ${record.status}: only a running agent can be steered.`);
	}
	if (record.stopping) throw new SteerRefused(`Agent ${record.agentId} is being stopped and reads nothing more.`);
	run.mailbox.post({ text: message, from: "parent" });
	return record.sessionReady ? "queued" : "held";
}

/** The report on a run that is about to be told to stop; it comes when the run has come to rest. */
export function reportStop(run: AgentRun): Observable<StopReport> {
	const { agentId } = run.record;
	const wasLive = !isTerminal(run.record);
	return defer((): Observable<StopReport> => {
		if (!wasLive) return of({ agentId, result: "not_live", record: run.record });
		return run.closed$.pipe(
			map(
				(record): StopReport => ({ agentId, record, result: record.closed === "verified" ? "stopped" : "unverified" }),
			),
		);
	});
}
