import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RunKey } from "../streams/ids.ts";
import { type Ledger, readLedger } from "./ledger-file.ts";
import { isWriterAlive } from "./ledger-writer.ts";
import {
	collectLeftBehind,
	type LeftBehind,
	type LeftBehindOptions,
	type Standing,
	standingOf,
} from "./left-behind.ts";
import { isCode } from "./process-start.ts";

/** What one life of a session knows of the others, and gets of them. */
export interface LedgerSurvey {
	/** Whether another process had the session open when that was last looked at. */
	readonly others: boolean;
	/** Whether somebody has left something that has not been collected. */
	hasNews(): Promise<boolean>;
	/** Collects what was left, each run once. Only with the lease: who had it before may have written until then. */
	collect(): Promise<LeftBehind>;
}

export interface LedgerSurveyOptions extends Omit<LeftBehindOptions, "known"> {
	/** The ledger as this life has it open. */
	readonly ledger: Pick<Ledger, "written">;
}

/** Surveys the ledger in the folder. What it returns rejects when a file cannot be read. */
export function createLedgerSurvey({ ledger, ...where }: LedgerSurveyOptions): LedgerSurvey {
	const path = join(where.folder, "ledger.jsonl");
	const known = new Set<RunKey>();
	/** How much others had written, in bytes, and who of them was there, when that was last read. */
	let foreign = 0;
	let present: readonly string[] = [];

	const foreignNow = async (): Promise<number> => (await stat(path).catch(unlessMissing)).size - ledger.written;
	const stand = async (): Promise<Standing> => {
		const size = await foreignNow();
		const standing = await standingOf(async () => (await readLedger(path)).lines, where);
		foreign = size;
		present = [...standing.present].filter((one) => one !== where.writer);
		return standing;
	};
	/** Nobody else has written or gone: a session may have had many agents, whose lines need not be read then. */
	const isAsBefore = async (): Promise<boolean> => {
		if ((await foreignNow()) !== foreign) return false;
		const alive = await Promise.all(present.map(isWriterAlive));
		return alive.every((one) => one);
	};

	return {
		get others() {
			return present.length > 0;
		},
		hasNews: async () => {
			if (await isAsBefore()) return false;
			const { over } = await stand();
			return [...over].some((key) => !known.has(key));
		},
		collect: async () => {
			const standing = await stand();
			const left = await collectLeftBehind(standing, { ...where, known });
			for (const key of standing.over) known.add(key);
			return left;
		},
	};
}

/** A file that is not there has nothing in it. */
function unlessMissing(error: unknown): { readonly size: number } {
	if (isCode(error, "ENOENT")) return { size: 0 };
	throw error;
}
