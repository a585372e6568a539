import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Tells the person of tools that another extension has under our names: the host keeps only one of the two. */
export function reportToolConflicts(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	names: readonly string[],
	ownPaths: readonly string[],
): void {
	for (const { name, sourceInfo } of pi.getAllTools()) {
		if (!names.includes(name) || ownPaths.includes(sourceInfo.path)) continue;
		ctx.ui.notify(
			`The tool ${name} comes from ${sourceInfo.path}, not from pi-rx-orchestrator: only one extension can have that name. Load one of the two.`,
			"warning",
		);
	}
}
