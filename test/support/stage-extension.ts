import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildExtension } from "../../scripts/lib/build-extension.ts";
import { repositoryRoot, stagedExtension } from "./pi-cli.ts";

/**
 * Stages the extension once for all tests of a run, in the form in which npm ships it: one bundle. A `pi` starts in two
 * thirds of the time that it takes with the sources, and what the tests see is what is installed. It is bundled from the
 * sources as they are now: a `dist/` that lies around is never what runs.
 */
export async function setup(): Promise<() => void> {
	const cache = join(repositoryRoot, "node_modules/.cache");
	mkdirSync(cache, { recursive: true });
	// Below the repository, so that the packages that stay outside of the bundle are found.
	const folder = mkdtempSync(join(cache, "staged-extension-"));
	for (const file of ["package.json", "extension.ts"]) copyFileSync(join(repositoryRoot, file), join(folder, file));
	await buildExtension(join(folder, "dist/pi"), ".ts");
	process.env[stagedExtension] = join(folder, "extension.ts");
	return () => rmSync(folder, { recursive: true, force: true });
}
