import { realpathSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { tell } from "./tell.ts";

/** Tools under these names that are not from our own files, whatever links lead to those, and the files that they are from. */
export function toolConflicts(
	pi: ExtensionAPI,
	names: readonly string[],
	ownPaths: readonly string[],
): readonly { readonly tool: string; readonly path: string }[] {
	const own = new Set(ownPaths.map(real));
	return pi
		.getAllTools()
		.filter(({ name, sourceInfo }) => names.includes(name) && !own.has(real(sourceInfo.path)))
		.map(({ name, sourceInfo }) => ({ tool: name, path: sourceInfo.path }));
}

function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// The host's own tools and inline extensions have no file.
		return path;
	}
}

/** Tells the person of tools that another extension has under our names: the host keeps only one of the two. */
export function reportToolConflicts(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	names: readonly string[],
	ownPaths: readonly string[],
): void {
	for (const { tool, path } of toolConflicts(pi, names, ownPaths)) {
		tell(
			ctx,
			`The tool ${tool} comes from ${path}, not from pi-rx-orchestrator: only one extension can have that name. Load one of the two.`,
			"warning",
		);
	}
}
