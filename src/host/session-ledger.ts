import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type EndedRun, foldLedger } from "../streams/fold-ledger.ts";
import { type FormerGroup, formerGroups } from "../streams/former-groups.ts";
import type { RunKey } from "../streams/ids.ts";
import { type LedgerLine, leftLine } from "../streams/ledger-line.ts";
import type { RestoredRun } from "../streams/restored-run.ts";
import { addSpend, noSpend, type Spend } from "../streams/usage.ts";
import { type FullTexts, textName } from "./full-texts.ts";
import { announceInterruptions } from "./interruptions.ts";
import { type Ledger, openLedger } from "./ledger-file.ts";
import { createLedgerRecorder, type LedgerRecorder } from "./ledger-recorder.ts";
import { processStart } from "./process-start.ts";
import { restoreRuns } from "./restored-runs.ts";
import { readSessionFacts } from "./session-facts.ts";
import type { SessionLease } from "./session-lease.ts";
import { tell } from "./tell.ts";

/** The ledger of a session of the parent, from its start to its end, and what earlier lives of the session have left. */
export interface SessionLedger extends Omit<LedgerRecorder, "used"> {
	readonly restored: readonly RestoredRun[];
	readonly former: readonly FormerGroup[];
	/** What results have carried of the restored agents' spend. */
	readonly carried: Spend;
	/** Tells the session of agents that were interrupted, unless it has been told. For when it can be written to. */
	announce(): void;
	/** Writes what is left to write, and that the session is left. Never rejects. */
	close(): Promise<void>;
}

export interface SessionLedgerOptions {
	readonly sessionId: string;
	/** The session's folder; without it nothing is kept. */
	readonly folder: string | undefined;
	readonly lease: SessionLease;
	readonly texts: FullTexts;
}

/** Opens it, and takes over what a life that has ended has left: if this process is the one to do so. Never rejects. */
export async function openSessionLedger(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ sessionId, folder, lease, texts }: SessionLedgerOptions,
): Promise<SessionLedger> {
	const warn = (text: string) => tell(ctx, text, "warning");
	const ledger = await openLedger(folder && join(folder, "ledger.jsonl")).catch(unreadable);
	warnOfSkipped(ledger, warn);
	const writer = await writerName();
	const facts = readSessionFacts(ctx.sessionManager.getEntries());
	const mayTakeOver = folder !== undefined && ledger.lines.length > 0 && (await isOurs(lease, warn));
	const alive = await aliveWriters(mayTakeOver ? ledger.lines : []);
	const folded = mayTakeOver ? foldLedger(ledger.lines, facts, { session: sessionId, alive }) : [];
	const ended = folded.filter((run): run is EndedRun => run.fate !== "owned");
	const restored = folder === undefined ? [] : await restoreRuns(folder, ended);
	for (const { record } of restored) if (savedText(ended, record)) texts.adopt(record);
	const place = { session: sessionId, writer };
	const now = () => Date.now();
	const recorder = createLedgerRecorder({ ledger, place, texts, keepsTexts: folder !== undefined, now, onFailure });
	function onFailure(error: unknown): void {
		warn(`What became of agents could not be written down, and would not be known after a crash: ${String(error)}`);
	}

	return {
		...recorder,
		restored,
		former: formerGroups(ended),
		carried: lesser(facts.carried, total(restored)),
		announce: () => {
			const unsaid = new Set<RunKey>(ended.filter(isUnsaid).map(({ key }) => key));
			announceInterruptions(pi, restored, unsaid);
		},
		close: async () => {
			await recorder.recorded();
			const used = ledger.lines.length > 0 || recorder.used;
			if (used) await ledger.append(leftLine(place, now())).catch(ignore);
			await ledger.close().catch(ignore);
		},
	};
}

function isUnsaid({ fate, current, said }: EndedRun): boolean {
	return fate === "interrupted" && current && !said;
}

function savedText(ended: readonly EndedRun[], record: { readonly agentId: string; readonly run: number }): boolean {
	return ended.some(
		(run) =>
			run.agentId === record.agentId && run.record.run === record.run && run.textFile?.endsWith(textName(run.record)),
	);
}

/** A ledger that nobody can read is not written to either: no run is started whose end would be lost. */
function unreadable(error: unknown): Ledger {
	return {
		lines: [],
		skipped: { unknown: 0, damaged: 0 },
		append: () => Promise.reject(error),
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

/** Who has the session open from now on: this process, and this time that it has it. */
async function writerName(): Promise<string> {
	return `${process.pid}/${randomUUID()}/${(await processStart(process.pid)) ?? "unknown"}`;
}

/** The writers of lines whose processes live. Of this one's earlier writers none has a session open any more. */
async function aliveWriters(all: readonly LedgerLine[]): Promise<Set<string>> {
	const alive = new Set<string>();
	for (const writer of new Set(all.map((line) => line.writer))) {
		const [, pid, started] = /^(\d+)\/[^/]*\/(.*)$/.exec(writer) ?? [];
		if (pid === undefined || Number(pid) === process.pid) continue;
		if ((await processStart(Number(pid))) === started) alive.add(writer);
	}
	return alive;
}

async function isOurs(lease: SessionLease, warn: (text: string) => void): Promise<boolean> {
	try {
		const answer = await lease.acquire();
		if (answer.held) return true;
		warn(`${answer.holder} has this session open: its earlier agents are restored and published there, not here.`);
	} catch (error) {
		warn(`This session's earlier agents cannot be restored: ${String(error)}`);
	}
	return false;
}

function total(restored: readonly RestoredRun[]): Spend {
	const current = restored.filter((run) => run.current);
	return current.reduce((sum, { record }) => addSpend(sum, record.spend), noSpend);
}

/** A copied session tells of what agents have carried that are not this one's. */
function lesser(a: Spend, b: Spend): Spend {
	return {
		input: Math.min(a.input, b.input),
		output: Math.min(a.output, b.output),
		cacheRead: Math.min(a.cacheRead, b.cacheRead),
		cacheWrite: Math.min(a.cacheWrite, b.cacheWrite),
		cost: Math.min(a.cost, b.cost),
	};
}

function ignore(): void {
	// Who opens the session next sees that its process has ended.
}
