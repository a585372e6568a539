import { catchError, from, ignoreElements, type Observable, type Subscription, throwError } from "rxjs";
import { type RunKey, runKey } from "../streams/ids.ts";
import { type LedgerLine, type LedgerPlace, openedLine, settledLine, startedLine } from "../streams/ledger-line.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "../streams/record.ts";
import { LedgerFailure, type RunLedger } from "../streams/run-ledger.ts";
import type { FullTexts } from "./full-texts.ts";
import type { Ledger } from "./ledger-file.ts";

/** Writes what happens to runs into the ledger of their session. */
export interface LedgerRecorder extends RunLedger {
	/** Follows the snapshots of all runs. The caller owns the subscription. */
	follow(changes$: Observable<AgentRecord>): Subscription;
	/** Whether there was anything to write. */
	readonly used: boolean;
	/** Resolves once all that has happened so far is written, or is known not to be. Never rejects. */
	recorded(): Promise<void>;
}

export interface RecorderOptions {
	readonly ledger: Ledger;
	readonly place: LedgerPlace;
	readonly texts: FullTexts;
	/** Whether files outlive the session. Otherwise only texts that are published are saved, which may be cut. */
	readonly keepsTexts: boolean;
	now(): number;
	/** Told, once, that lines are missing: what a run came to is not known after a crash then. */
	onFailure(error: unknown): void;
}

/**
 * Texts shorter than this stand in the ledger itself, in characters; others have a file of their own. They are never cut
 * either, however many results share a message.
 */
const alwaysWhole = 1000;

export function createLedgerRecorder({
	ledger,
	place,
	texts,
	keepsTexts,
	now,
	onFailure,
}: RecorderOptions): LedgerRecorder {
	/** What the ledger says of the runs that it has not seen the end of. */
	const open = new Map<RunKey, "opened" | "started">();
	const writing = new Set<Promise<void>>();
	let failed = false;
	let used = false;

	const track = (written: Promise<void>): Promise<void> => {
		const done: Promise<void> = written
			.catch((error: unknown) => {
				if (!failed) onFailure(error);
				failed = true;
			})
			.finally(() => writing.delete(done));
		writing.add(done);
		return written;
	};
	const settle = async (record: TerminalRecord): Promise<void> => {
		const long = record.outcome.text.length >= alwaysWhole;
		const path = long && (keepsTexts || record.background) ? await texts.save(record) : undefined;
		await ledger.append(settledLine(place, record, path));
	};
	const hear = (record: AgentRecord): void => {
		const key = runKey(record.agentId, record.run);
		const phase = open.get(key);
		if (phase === undefined) return;
		if (isTerminal(record)) {
			open.delete(key);
			track(settle(record)).catch(ignore);
		} else if (phase === "opened" && record.status === "running" && record.sessionReady) {
			open.set(key, "started");
			track(ledger.append(startedLine(place, record, now()))).catch(ignore);
		}
	};

	return {
		get used() {
			return used;
		},
		open: (record, prompt, group) => {
			used = true;
			open.set(runKey(record.agentId, record.run), "opened");
			const line: LedgerLine = openedLine(place, record, now(), { prompt, group });
			const written = ledger.append(line);
			// The run itself says that it could not be started, so this is nobody else's failure.
			const done: Promise<void> = written.catch(ignore).finally(() => writing.delete(done));
			writing.add(done);
			return from(written).pipe(
				ignoreElements(),
				catchError((error: unknown) =>
					throwError(() => new LedgerFailure(`It could not be written down: ${wordsOf(error)}`)),
				),
			);
		},
		follow: (changes$) => changes$.subscribe({ next: hear, error: ignore }),
		recorded: async () => {
			await Promise.all(writing);
		},
	};
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function ignore(): void {
	// Told already.
}
