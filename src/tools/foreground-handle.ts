import {
	connect,
	filter,
	ignoreElements,
	interval,
	map,
	merge,
	type Observable,
	type SchedulerLike,
	startWith,
	switchMap,
	takeUntil,
	tap,
	throttleTime,
} from "rxjs";
import type { Agents } from "../streams/agents.ts";
import type { AgentId } from "../streams/ids.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "../streams/record.ts";

/** The least time between two updates, in milliseconds. */
export const updateInterval = 250;
/** How often a silent agent is shown again, so that its silence can be seen growing. */
const silenceInterval = 1_000;

/**
 * A foreground agent's handle: emits its terminal record and completes; unsubscribing before that stops the run. While
 * it runs, `show` gets snapshots, at most four a second, the latest of each span and none after the end. What `show`
 * throws is ignored: an update decides nothing.
 */
export function foregroundHandle(
	agents: Agents,
	agentId: AgentId,
	show: (record: AgentRecord) => void,
	scheduler: SchedulerLike,
): Observable<TerminalRecord> {
	return agents.foreground(agentId).pipe(
		connect((record$) =>
			merge(
				progress(record$, scheduler).pipe(
					tap((record) => {
						try {
							show(record);
						} catch {
							// The host's affair; the run goes on.
						}
					}),
					ignoreElements(),
				),
				record$.pipe(filter(isTerminal)),
			),
		),
	);
}

function progress(record$: Observable<AgentRecord>, scheduler: SchedulerLike): Observable<AgentRecord> {
	return record$.pipe(
		switchMap((record) =>
			interval(silenceInterval, scheduler).pipe(
				map(() => record),
				startWith(record),
			),
		),
		throttleTime(updateInterval, scheduler, { leading: true, trailing: true }),
		// Last, and so subscribed first: the end comes here before it comes to the throttle, whose trailing value would
		// otherwise come after it and hold the completion back.
		takeUntil(record$.pipe(filter(isTerminal))),
	);
}
