import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./source-files.ts";

/**
 * Writes a page that is made from something else, or with `--check` compares it and sets the exit code when it is stale.
 * `command` is what makes it anew.
 */
export function keepPage(path: string, text: string, command: string): void {
	if (!process.argv.includes("--check")) {
		writeFileSync(root + path, text);
		console.log(`${path} is written`);
		return;
	}
	if (isUpToDate(read(path), text)) {
		console.log(`${path} is up to date`);
		return;
	}
	console.error(`${path} is stale: run "${command}"`);
	process.exitCode = 1;
}

/** Line ends do not count: git may have changed them. */
export function isUpToDate(found: string | undefined, wanted: string): boolean {
	return found?.replaceAll("\r\n", "\n") === wanted;
}

function read(path: string): string | undefined {
	try {
		return readFileSync(root + path, "utf8");
	} catch {
		return undefined;
	}
}
