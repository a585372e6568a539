import { readFile } from "node:fs/promises";
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import { isCode } from "./process-start.ts";

/**
 * The session's entries as they are now: those that this process knows, and those that another one has appended to the
 * file since, which the host does not read again. Rejects when there is a file that cannot be read.
 */
export async function readEntriesNow(manager: ExtensionContext["sessionManager"]): Promise<readonly SessionEntry[]> {
	const file = manager.getSessionFile();
	// The host writes it with the first answer.
	const text = file === undefined ? "" : await readFile(file, "utf8").catch(unlessMissing);
	const known = manager.getEntries();
	const ids = new Set(known.map(({ id }) => id));
	return [
		...known,
		...text
			.split("\n")
			.flatMap(parseEntry)
			.filter(({ id }) => !ids.has(id)),
	];
}

function parseEntry(line: string): SessionEntry[] {
	try {
		const value: unknown = JSON.parse(line);
		const isEntry = typeof value === "object" && value !== null && "type" in value && value.type !== "session";
		// What looks like one of ours is looked at with care by whoever reads it.
		return isEntry ? [value as SessionEntry] : [];
	} catch {
		// Cut off, or just being written.
		return [];
	}
}

function unlessMissing(error: unknown): string {
	if (isCode(error, "ENOENT")) return "";
	throw error;
}
