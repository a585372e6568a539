import { defer, EMPTY, filter, merge, type Observable, of, takeWhile } from "rxjs";
import { type AgentRecord, isTerminal, type TerminalRecord } from "./record.ts";

/** The current snapshot of a run, then each next one, the terminal one last; then it completes. Cold. */
export function watchSnapshots(
	current: () => AgentRecord,
	snapshots$: Observable<AgentRecord>,
	completion$: Observable<TerminalRecord>,
): Observable<AgentRecord> {
	return merge(
		defer(() => {
			const record = current();
			return isTerminal(record) ? EMPTY : of(record);
		}),
		snapshots$.pipe(filter((snapshot) => !isTerminal(snapshot))),
		completion$,
	).pipe(takeWhile((snapshot) => !isTerminal(snapshot), true));
}
