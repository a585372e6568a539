import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SourceText } from "./violation.ts";

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

const notOurs = /(^|\/)(node_modules|dist|coverage|reports|\.git|\.hosts|\.stryker-tmp)(\/|$)/;

/** Every text file of the repository that git tracks or would track, all of them or those under one folder. */
export function sourceFiles(folder = "."): SourceText[] {
	return paths(folder).flatMap((path) => {
		// A file that was deleted and not yet committed is still in the index.
		if (!statSync(root + path, { throwIfNoEntry: false })?.isFile()) return [];
		const text = readFileSync(root + path, "utf8");
		return text.includes("\0") ? [] : [{ path, text }];
	});
}

function paths(folder: string): string[] {
	const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder];
	try {
		const output = execFileSync("git", list, { cwd: root, encoding: "utf8", stdio: "pipe", maxBuffer: 64 << 20 });
		return [...new Set(output.split("\0"))].filter((path) => path !== "");
	} catch {
		// No git, or no repository, as in an exported tree: all that is there is looked at.
		return globSync(`${folder}/**`, { cwd: root, exclude: (path) => notOurs.test(path) });
	}
}
