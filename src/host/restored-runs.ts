import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EndedRun } from "../streams/fold-ledger.ts";
import type { Outcome } from "../streams/outcome.ts";
import type { TerminalRecord } from "../streams/record.ts";
import type { RestoredRun } from "../streams/restored-run.ts";
import { readInterrupted } from "./interrupted-conversation.ts";

/**
 * Runs of an earlier life of the session, with the texts that their files have. The newest of each agent, and whatever
 * else is to be published or belongs to a group. Rejects never: a text that cannot be read is said to be missing where it would stand.
 */
export async function restoreRuns(folder: string, runs: readonly EndedRun[]): Promise<RestoredRun[]> {
	const wanted = runs.filter(({ current, fate, group }) => current || fate === "unpublished" || group);
	const restored: RestoredRun[] = [];
	// One after the other: a session may have had many agents, and nothing waits for all of their files but this.
	for (const run of wanted) restored.push(await restore(folder, run));
	return restored;
}

async function restore(folder: string, run: EndedRun): Promise<RestoredRun> {
	const { fate, current, unheard, group } = run;
	return {
		record: await withText(folder, run),
		ownership: fate === "published" || fate === "read" ? fate : "held",
		publish: fate === "unpublished" || isForItsParent(run),
		current,
		unheard,
		...(group === undefined ? {} : { group }),
	};
}

/** The session's notice of interruptions names its own agents: of another's it is that one that is told, when it goes on. */
function isForItsParent({ fate, current, record }: EndedRun): boolean {
	return fate === "interrupted" && current && record.parent !== undefined;
}

async function withText(folder: string, run: EndedRun): Promise<TerminalRecord> {
	// By name: the agent folder may have been moved since.
	const { sessionFile } = run.record;
	const record =
		sessionFile === undefined ? run.record : { ...run.record, sessionFile: join(folder, basename(sessionFile)) };
	if (run.textFile !== undefined) return withSavedText(record, join(folder, basename(run.textFile)));
	const cutShort = record.outcome.verdict.reason === "interrupted";
	if (!cutShort || record.sessionFile === undefined) return record;
	const seen = await readInterrupted(record.sessionFile, run.openedAt);
	if (seen === undefined) return record;
	const { text, spend, turns, toolUses } = seen;
	return { ...record, spend, turns, toolUses, toolsStarted: toolUses, outcome: { ...record.outcome, text } };
}

async function withSavedText(record: TerminalRecord, path: string): Promise<TerminalRecord> {
	try {
		return { ...record, outcome: { ...record.outcome, text: await readFile(path, "utf8") } };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return { ...record, outcome: textMissing(record.outcome, why) };
	}
}

/** It was done, and what it came to is gone: that must not look like an agent that had nothing to say. */
function textMissing({ verdict, unread, message }: Outcome, why: string): Outcome {
	const gone = `its text was saved in a file that cannot be read: ${why}`;
	return {
		verdict: verdict.status === "completed" ? { status: "error", reason: "internal" } : verdict,
		text: "",
		message: message === undefined ? gone : `${message}; ${gone}`,
		unread,
	};
}
