import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type EndedRun, foldLedger } from "../streams/fold-ledger.ts";
import { type RunKey, runKey } from "../streams/ids.ts";
import type { LedgerLine } from "../streams/ledger-line.ts";
import { type RestoredLife, restoreLife } from "../streams/restored-groups.ts";
import type { Spend } from "../streams/usage.ts";
import { type FullTexts, textName } from "./full-texts.ts";
import { isWriterAlive } from "./ledger-writer.ts";
import { restoreRuns } from "./restored-runs.ts";
import { readEntriesNow } from "./session-entries.ts";
import { readSessionFacts } from "./session-facts.ts";

/** What lives of a session that are over have left to this one. */
export interface LeftBehind extends RestoredLife {
	/** Runs of the session's own agents that were interrupted, of which it has not been told. */
	readonly unsaid: ReadonlySet<RunKey>;
	/** What results have carried of any agent's spend, those of this life included. */
	readonly carried: Spend;
}

/** The ledger, and who of those that have written it is gone. */
export interface Standing {
	readonly lines: readonly LedgerLine[];
	/** The runs of those who are gone. */
	readonly over: ReadonlySet<RunKey>;
	/** Those who are there, this process among them: their runs are their own. */
	readonly present: ReadonlySet<string>;
}

/** Whose life asks. */
export interface OwnPlace {
	/** The parent's session. */
	readonly session: string;
	readonly writer: string;
}

/**
 * Finds out who is gone. The lines are read once more afterwards: who is gone by then writes nothing more, so what they
 * have left is whole.
 */
export async function standingOf(
	read: () => Promise<readonly LedgerLine[]>,
	{ session, writer }: OwnPlace,
): Promise<Standing> {
	const before = await read();
	const left = new Set(before.filter(({ type }) => type === "left").map((line) => line.writer));
	const gone = new Set<string>();
	for (const one of writersOf(before)) {
		if (one !== writer && (left.has(one) || !(await isWriterAlive(one)))) gone.add(one);
	}
	const lines = await read();
	const present = new Set([writer, ...[...writersOf(lines)].filter((one) => !gone.has(one))]);
	const over = lines.flatMap((line) =>
		line.type === "opened" && line.session === session && gone.has(line.writer) ? [runKey(line.agent, line.run)] : [],
	);
	return { lines, over: new Set(over), present };
}

function writersOf(lines: readonly LedgerLine[]): ReadonlySet<string> {
	return new Set(lines.map((line) => line.writer));
}

/** What `collectLeftBehind` reads from, and what it must know. */
export interface LeftBehindOptions extends OwnPlace {
	/** The session's folder. */
	readonly folder: string;
	readonly texts: FullTexts;
	readonly manager: ExtensionContext["sessionManager"];
	/** Runs that this life has already. */
	readonly known: ReadonlySet<RunKey>;
}

/**
 * Restores what those have left who are gone. The session is read now, when it is known that they are: what they have
 * delivered is in there, and they deliver nothing more. For who has the lease. Rejects when the session cannot be read.
 */
export async function collectLeftBehind(
	{ lines, over, present }: Standing,
	{ folder, session, texts, manager, known }: LeftBehindOptions,
): Promise<LeftBehind> {
	const facts = readSessionFacts(await readEntriesNow(manager));
	const folded = foldLedger(lines, facts, { session, alive: present });
	const ended = folded.filter(
		(run): run is EndedRun => run.fate !== "owned" && over.has(run.key) && !known.has(run.key),
	);
	const restored = await restoreRuns(folder, ended);
	for (const { record } of restored) if (hasSavedText(ended, record)) texts.adopt(record);
	return {
		...restoreLife(restored),
		unsaid: new Set(ended.filter(isUnsaid).map(({ key }) => key)),
		carried: facts.carried,
	};
}

function isUnsaid({ fate, current, said, record }: EndedRun): boolean {
	return fate === "interrupted" && current && !said && record.parent === undefined;
}

function hasSavedText(ended: readonly EndedRun[], record: EndedRun["record"]): boolean {
	return ended.some(
		(run) =>
			run.agentId === record.agentId && run.record.run === record.run && run.textFile?.endsWith(textName(run.record)),
	);
}
