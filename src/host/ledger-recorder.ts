import { from, ignoreElements, type Observable, type Subscription } from "rxjs";
import { type RunKey, runKey } from "../streams/ids.ts";
import { type LedgerLine, type LedgerPlace, openedLine, settledLine, startedLine } from "../streams/ledger-line.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "../streams/record.ts";
import type { RunLedger } from "../streams/run-ledger.ts";
import type { FullTexts } from "./full-texts.ts";
import type { Ledger } from "./ledger-file.ts";

/** Writes what happens to runs into the ledger of their session. */
export interface LedgerRecorder extends RunLedger {
	/** Follows the snapshots of all runs. The caller owns the subscription. */
	follow(changes$: Observable<AgentRecord>): Subscription;
	/** Resolves once all that has happened so far is written, or is known not to be. Never rejects. */
	recorded(): Promise<void>;
}

export interface RecorderOptions {
	readonly ledger: Ledger;
	readonly place: LedgerPlace;
	readonly texts: FullTexts;
	now(): number;
	/** Told, once, that lines are missing: what a run came to is not known after a crash then. */
	onFailure(error: unknown): void;
}

/** Texts up to this length stand in the ledger itself, in characters; longer ones have a file of their own. */
const shortText = 1000;

export function createLedgerRecorder({ ledger, place, texts, now, onFailure }: RecorderOptions): LedgerRecorder {
	/** What the ledger says of the runs that it has not seen the end of. */
	const open = new Map<RunKey, "opened" | "started">();
	const writing = new Set<Promise<void>>();
	let failed = false;

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
		const long = record.outcome.text.length > shortText;
		const path = long ? await texts.save(record) : undefined;
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
		open: (record, prompt, group) => {
			open.set(runKey(record.agentId, record.run), "opened");
			const line: LedgerLine = openedLine(place, record, now(), { prompt, group });
			const written = ledger.append(line);
			// The run itself says that it could not be started, so this is nobody else's failure.
			const done: Promise<void> = written.catch(ignore).finally(() => writing.delete(done));
			writing.add(done);
			return from(written).pipe(ignoreElements());
		},
		follow: (changes$) => changes$.subscribe({ next: hear, error: ignore }),
		recorded: async () => {
			await Promise.all(writing);
		},
	};
}

function ignore(): void {
	// Told already.
}
