import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { buildExtension } from "../../scripts/lib/build-extension.ts";
import { repositoryRoot, stagedExtension } from "./pi-cli.ts";

const day = 86_400_000;

/**
 * Stages the extension once for all tests of a run, in the form in which npm ships it: one bundle. A `pi` starts in two
 * thirds of the time that it takes with the sources, and what the tests see is what is installed. It is bundled from the
 * sources as they are now: a `dist/` that lies around is never what runs.
 *
 * The folder has its name from what is in it, and stays: Pi keeps what it has made of a file by the file's path, and the
 * first start of a Pi under another path takes some four seconds more. Folders that no run has used for a day are removed.
 */
export async function setup(): Promise<void> {
	// Below the repository, so that the packages that stay outside of the bundle are found.
	const cache = join(repositoryRoot, "node_modules/.cache/staged-extension");
	mkdirSync(cache, { recursive: true });
	const made = mkdtempSync(join(cache, "new-"));
	for (const file of ["package.json", "extension.ts"]) copyFileSync(join(repositoryRoot, file), join(made, file));
	await buildExtension(join(made, "dist/pi"), ".ts");
	const folder = join(cache, await hashOf(made));
	try {
		renameSync(made, folder);
	} catch (error) {
		// Another run, before or beside this one, has staged the same.
		if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
		rmSync(made, { recursive: true });
	}
	utimesSync(folder, new Date(), new Date());
	process.env[stagedExtension] = join(folder, "extension.ts");
	for (const name of await readdir(cache)) {
		const { mtimeMs } = statSync(join(cache, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
		if (Date.now() - mtimeMs > day) rmSync(join(cache, name), { recursive: true, force: true });
	}
}

async function hashOf(dir: string): Promise<string> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	const hash = createHash("sha256");
	for (const file of files.sort())
		hash
			.update(`${file.slice(dir.length)}\0`)
			.update(readFileSync(file))
			.update("\0");
	return hash.digest("hex").slice(0, 16);
}
