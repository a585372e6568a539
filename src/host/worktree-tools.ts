import { access, lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
	createEditToolDefinition,
	createWriteToolDefinition,
	type EditOperations,
	type ToolDefinition,
	type WriteOperations,
} from "@earendil-works/pi-coding-agent";
import { isWithin } from "./worktree-mark.ts";
import { isGone } from "./worktree-ties.ts";

/** Where a child may write with the host's own tools. */
export interface WriteBounds {
	/** The worktree, without links in its path. */
	readonly root: string;
	/** The folder in which relative paths begin. */
	readonly cwd: string;
}

/**
 * The host's `write` and `edit`, which refuse what lies outside of the worktree. The paths are checked where the tools
 * use them, after the host has made them absolute and every hook has had its say; links are followed first. What a shell
 * does cannot be bounded like this, and is not.
 */
export function boundedTools({ root, cwd }: WriteBounds): ToolDefinition[] {
	const check = (path: string): Promise<void> => checkWithin(path, root);
	const write: WriteOperations = {
		mkdir: async (folder) => {
			await check(folder);
			await mkdir(folder, { recursive: true });
		},
		writeFile: async (path, content) => {
			await check(path);
			await writeFile(path, content, "utf8");
		},
	};
	const edit: EditOperations = {
		access: async (path) => {
			await check(path);
			await access(path);
		},
		readFile: (path) => readFile(path),
		writeFile: write.writeFile,
	};
	return [
		createWriteToolDefinition(cwd, { operations: write }),
		createEditToolDefinition(cwd, { operations: edit }),
	] as ToolDefinition[];
}

/** Rejects, in words for a model, unless the path really lies in the folder. */
export async function checkWithin(path: string, root: string): Promise<void> {
	if (!isWithin(await realPlace(path), root)) {
		throw new Error(`${path} is outside of your worktree, ${root}. Nothing was written. Use a path inside of it`);
	}
	if (path === join(root, ".git")) throw new Error(`${path} ties the worktree to its repository. Nothing was written`);
}

/** Where a path leads once every link is followed, also one whose end is not there yet. */
async function realPlace(path: string): Promise<string> {
	if (!(await isGone(path))) {
		// A link that leads nowhere yet: a write would make the file there.
		return realpath(path).catch(async (error: unknown) => {
			if ((await lstat(path)).isSymbolicLink()) return "/";
			throw error;
		});
	}
	const above = dirname(path);
	return above === path ? path : join(await realPlace(above), basename(path));
}
