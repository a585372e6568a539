import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SourceText } from "./violation.ts";

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Every text file of the repository that git tracks or would track, under the given folders or all. */
export function sourceFiles(...folders: readonly string[]): SourceText[] {
	const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...folders], {
		cwd: root,
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
	});
	const files: SourceText[] = [];
	for (const path of new Set(list.split("\0"))) {
		// A file that was deleted and not yet committed is still in the index.
		if (path === "" || !existsSync(root + path) || !statSync(root + path).isFile()) continue;
		const text = readFileSync(root + path, "utf8");
		if (!text.includes("\0")) files.push({ path, text });
	}
	return files;
}
