import type { Observable } from "rxjs";
import type { LedgerGroup } from "./ledger-line.ts";
import type { QueuedRecord } from "./record.ts";

/** A run could not be written ahead of its start: then it does not start. */
export class LedgerFailure extends Error {
	override readonly name = "LedgerFailure";
}

/** The write-ahead of runs, as a port: `host/` implements it over a file. */
export interface RunLedger {
	/**
	 * Writes that a run is going to be. The writing starts at once, whether or not anyone subscribes. What is returned
	 * completes when it is done, and errors with a `LedgerFailure` when it cannot be; late subscribers get the same. The run
	 * has no session before.
	 */
	open(record: QueuedRecord, prompt: string, group: LedgerGroup | undefined): Observable<never>;
}
