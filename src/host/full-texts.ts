import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunKey, runKey, type TerminalRecord } from "../streams/index.ts";

/** The full texts of results, as files that a cut body points to. */
export interface FullTexts {
	/** Saves the text of a result, once; the path of it, or `undefined` when it could not be saved. Never rejects. */
	save(record: TerminalRecord): Promise<string | undefined>;
	/** Takes a text for saved that an earlier life of the session has saved; it is not written again. */
	adopt(record: TerminalRecord): void;
	/** The paths of all texts that are saved or being saved. */
	readonly paths: ReadonlyMap<RunKey, string>;
	/** Removes what was only meant to last as long as the session. */
	close(): Promise<void>;
}

/** Keeps texts in `folder`; without one, in a private temporary folder that is gone after `close()`. */
export function createFullTexts(folder: string | undefined): FullTexts {
	const paths = new Map<RunKey, string>();
	const saved = new Map<RunKey, Promise<string | undefined>>();
	let temporary: Promise<string> | undefined;

	const open = async (): Promise<string> => {
		if (folder !== undefined) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			return folder;
		}
		temporary ??= mkdtemp(join(tmpdir(), "pi-agents-"));
		return temporary;
	};
	const write = async (record: TerminalRecord, key: RunKey): Promise<string | undefined> => {
		const name = textName(record);
		if (folder !== undefined) paths.set(key, join(folder, name));
		try {
			const path = join(await open(), name);
			paths.set(key, path);
			await writeFile(path, record.outcome.text, { mode: 0o600 });
			return path;
		} catch {
			// A full disk takes no answer away: the body is cut all the same, and names no file.
			paths.delete(key);
			return undefined;
		}
	};

	return {
		paths,
		adopt: (record) => {
			if (folder === undefined) return;
			const key = runKey(record.agentId, record.run);
			const path = join(folder, textName(record));
			paths.set(key, path);
			saved.set(key, Promise.resolve(path));
		},
		save: (record) => {
			const key = runKey(record.agentId, record.run);
			const pending = saved.get(key) ?? write(record, key);
			saved.set(key, pending);
			return pending;
		},
		close: async () => {
			await Promise.all(saved.values());
			if (temporary) await rm(await temporary, { recursive: true, force: true });
		},
	};
}

/** The name of the file that has a result. */
export function textName({ agentId, run }: Pick<TerminalRecord, "agentId" | "run">): string {
	return run === 1 ? `${agentId}.md` : `${agentId}.${run}.md`;
}
