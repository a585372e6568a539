import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { LedgerLine } from "../streams/ledger-line.ts";
import { parseLedgerLine } from "../streams/ledger-parse.ts";

/** What a ledger has, and how it is written. One process may have it open several times; lines never mix. */
export interface Ledger {
	/** What could be read when it was opened, in the order in which it was written. */
	readonly lines: readonly LedgerLine[];
	/** How many lines could not be used: written by a later version, or damaged. They stay where they are. */
	readonly skipped: { readonly unknown: number; readonly damaged: number };
	/**
	 * Adds a line behind all that were added before. Resolves once the host's system has it, so that it survives the end
	 * of this process; rejects when it could not be written: then nobody may rely on it.
	 */
	append(line: LedgerLine): Promise<void>;
	/** How many bytes have been written here. What else the file has is of others. */
	readonly written: number;
	/** Waits for what is being written, and closes the file. Later lines are refused. */
	close(): Promise<void>;
}

/**
 * Opens the ledger at `path`, which is made with the first line. Without a path it is kept in memory, which is to say
 * that nothing is. Rejects when there is a file that cannot be read: then it is not known what it holds.
 */
export async function openLedger(path: string | undefined): Promise<Ledger> {
	if (path === undefined) return inMemory;
	const { isCut, ...read } = await readLedger(path);
	return Object.assign(createWriter(path, isCut), read);
}

/** What a ledger has now, and whether it ends within a line. Nothing where there is no file; rejects like `openLedger`. */
export async function readLedger(
	path: string,
): Promise<Pick<Ledger, "lines" | "skipped"> & { readonly isCut: boolean }> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		if (isMissing(error)) return "";
		throw error;
	});
	const parsed = text
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map(parseLedgerLine);
	return {
		lines: parsed.filter((line) => typeof line === "object"),
		skipped: {
			unknown: parsed.filter((line) => line === "unknown").length,
			damaged: parsed.filter((line) => line === "damaged").length,
		},
		isCut: text !== "" && !text.endsWith("\n"),
	};
}

const inMemory: Ledger = {
	lines: [],
	skipped: { unknown: 0, damaged: 0 },
	append: async () => undefined,
	written: 0,
	close: async () => undefined,
};

interface Pending {
	readonly text: string;
	written(): void;
	failed(error: unknown): void;
}

/** One write at a time; lines that come meanwhile go together with the next. `cut`: the file ends within a line. */
function createWriter(path: string, cut: boolean): Pick<Ledger, "append" | "written" | "close"> {
	let file: FileHandle | undefined;
	let endsWithinLine = cut;
	let waiting: Pending[] = [];
	let writing: Promise<void> | undefined;
	let closed = false;
	let written = 0;

	const write = async (text: string): Promise<void> => {
		const whole = `${endsWithinLine ? "\n" : ""}${text}`;
		// Until it is all there: after a write that failed half-way the next line must not be glued to its rest.
		endsWithinLine = true;
		file ??= await openForAppend(path);
		await file.appendFile(whole);
		endsWithinLine = false;
		written += Buffer.byteLength(whole);
	};
	const drain = async (): Promise<void> => {
		while (waiting.length > 0) {
			const batch = waiting;
			waiting = [];
			try {
				await write(batch.map(({ text }) => text).join(""));
				for (const one of batch) one.written();
			} catch (error) {
				for (const { failed } of batch) failed(error);
			}
		}
		writing = undefined;
	};

	return {
		append: (line) => {
			if (closed) return Promise.reject(new Error("The ledger is closed."));
			return new Promise((done, failed) => {
				waiting.push({ text: `${JSON.stringify(line)}\n`, written: done, failed });
				writing ??= drain();
			});
		},
		get written() {
			return written;
		},
		close: async () => {
			closed = true;
			await writing;
			await file?.close();
			file = undefined;
		},
	};
}

async function openForAppend(path: string): Promise<FileHandle> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	return open(path, "a", 0o600);
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "ENOENT";
}
