import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { leftLine } from "../streams/ledger-line.ts";
import { noSpend, type Spend } from "../streams/usage.ts";
import { carriedOf } from "./adopt-left-behind.ts";
import type { FullTexts } from "./full-texts.ts";
import { announceInterruptions } from "./interruptions.ts";
import { type Ledger, openLedger } from "./ledger-file.ts";
import { createLedgerRecorder, type LedgerRecorder } from "./ledger-recorder.ts";
import { createLedgerSurvey } from "./ledger-survey.ts";
import { writerName } from "./ledger-writer.ts";
import type { LeftBehind } from "./left-behind.ts";
import type { SessionLease } from "./session-lease.ts";
import { tell } from "./tell.ts";

/** The ledger of a session of the parent, from its start to its end, and what earlier lives of the session have left. */
export interface SessionLedger extends Omit<LedgerRecorder, "used"> {
	/** What was there when it was opened. */
	readonly left: LeftBehind;
	/** Whether other processes had the session open then. */
	readonly others: boolean;
	/** What results have carried of the restored agents' spend. */
	readonly carried: Spend;
	/** Tells the session of agents that were interrupted, unless it has been told. For when it can be written to. */
	announce(left: LeftBehind): void;
	/**
	 * Takes over what lives have left that have ended since: if there are any, and this process is the one to do so.
	 * Rejects when that cannot be found out.
	 */
	lookAgain(): Promise<LookedAgain>;
	/** Writes what is left to write, and that the session is left. Never rejects. */
	close(): Promise<void>;
}

/** What came of looking again. */
export interface LookedAgain {
	/** What was taken over; absent where there was nothing. */
	readonly left?: LeftBehind;
	/** Whether other processes have the session open, so that there may be something to take over later. */
	readonly others: boolean;
}

export interface SessionLedgerOptions {
	readonly sessionId: string;
	/** The session's folder; without it nothing is kept. */
	readonly folder: string | undefined;
	readonly lease: SessionLease;
	readonly texts: FullTexts;
}

const nothing: LeftBehind = { runs: [], groups: [], unsaid: new Set(), carried: noSpend };

/** Opens it, and takes over what a life that has ended has left: if this process is the one to do so. Never rejects. */
export async function openSessionLedger(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ sessionId, folder, lease, texts }: SessionLedgerOptions,
): Promise<SessionLedger> {
	const warn = (text: string) => tell(ctx, text, "warning");
	const path = folder && join(folder, "ledger.jsonl");
	const ledger = await openLedger(path).catch(unreadable);
	warnOfSkipped(ledger, warn);
	const writer = await writerName();
	const place = { session: sessionId, writer };
	const survey =
		folder === undefined
			? undefined
			: createLedgerSurvey({ ...place, folder, ledger, texts, manager: ctx.sessionManager });
	const opening = async (): Promise<Required<LookedAgain>> => {
		if (survey === undefined || ledger.lines.length === 0) return { left: nothing, others: false };
		try {
			const answer = await lease.acquire();
			if (answer.held) {
				const collected = await survey.collect();
				return { left: collected, others: survey.others };
			}
			warn(`${answer.holder} has this session open: its earlier agents are restored and published there, not here.`);
			return { left: nothing, others: true };
		} catch (error) {
			warn(`This session's earlier agents cannot be restored: ${String(error)}`);
		}
		return { left: nothing, others: false };
	};
	const { left, others } = await opening();
	const now = () => Date.now();
	const recorder = createLedgerRecorder({ ledger, place, texts, keepsTexts: folder !== undefined, now, onFailure });
	function onFailure(error: unknown): void {
		warn(`What became of agents could not be written down, and would not be known after a crash: ${String(error)}`);
	}

	return {
		...recorder,
		left,
		others,
		carried: carriedOf(left.runs, left.carried),
		announce: ({ runs, unsaid }) => announceInterruptions(pi, runs, unsaid),
		lookAgain: async () => {
			if (survey === undefined) return { others: false };
			if (lease.holder === undefined && !(await survey.hasNews())) return { others: survey.others };
			if (!(await lease.acquire()).held) return { others: true };
			const collected = await survey.collect();
			return { left: collected, others: survey.others };
		},
		close: async () => {
			await recorder.recorded();
			const used = ledger.lines.length > 0 || recorder.used;
			if (used) await ledger.append(leftLine(place, now())).catch(ignore);
			await ledger.close().catch(ignore);
		},
	};
}

/** A ledger that nobody can read is not written to either: no run is started whose end would be lost. */
function unreadable(error: unknown): Ledger {
	return {
		lines: [],
		skipped: { unknown: 0, damaged: 0 },
		append: () => Promise.reject(error),
		written: 0,
		close: async () => undefined,
	};
}

function warnOfSkipped({ skipped }: Ledger, warn: (text: string) => void): void {
	const { unknown, damaged } = skipped;
	if (unknown > 0) warn(`${lines(unknown)} of this session's agents are of a later version, and left alone.`);
	if (damaged > 0) warn(`${lines(damaged)} of this session's agents cannot be read, and are left alone.`);
}

function lines(count: number): string {
	return `${count} ${count === 1 ? "record" : "records"}`;
}

function ignore(): void {
	// Who opens the session next sees that its process has ended.
}
