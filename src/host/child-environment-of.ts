import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Settings } from "../profiles/index.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { extensionFilesOf } from "./child-extensions.ts";
import { parentModelRuntime } from "./child-model-runtime.ts";
import { createChildQuestions } from "./child-ui.ts";
import { whileActive } from "./host-features.ts";
import { createProviderBackoffs } from "./provider-backoffs.ts";

/**
 * The files as which the host may have loaded this extension: the entry, the sources and the bundle. This module lies two
 * folders below the package's root in either form.
 */
export const ownExtensionPaths: readonly string[] = ["extension.ts", "src/index.ts", "dist/pi/index.ts"].map((file) =>
	fileURLToPath(new URL(`../../${file}`, import.meta.url)),
);

/** What the parent's session lends to its children, read from the host at the session's start. */
export function childEnvironmentOf(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	at: { readonly settings: Settings; readonly agentDir: string; readonly sessionsDir: string | undefined },
): ChildEnvironment {
	const parentSessionFile = ctx.sessionManager.getSessionFile();
	return {
		cwd: ctx.cwd,
		agentDir: at.agentDir,
		projectTrusted: ctx.isProjectTrusted(),
		modelRuntime: parentModelRuntime(ctx.modelRegistry),
		childExtensions: at.settings.childExtensions,
		argv: process.argv.slice(2),
		seenExtensionFiles: extensionFilesOf([...pi.getAllTools(), ...pi.getCommands()]),
		ownExtensionPaths,
		stopGraceSeconds: at.settings.stopGrace,
		backoffs: createProviderBackoffs(),
		questions: createChildQuestions(() => whileActive(() => (ctx.hasUI ? ctx.ui : undefined), undefined)),
		// Hosts before 0.99 cannot tell their settings: then the files are read.
		...(typeof pi.getSettings === "function" ? { settings: () => pi.getSettings() } : {}),
		...(at.settings.worktreeSetup === undefined ? {} : { worktreeSetup: at.settings.worktreeSetup }),
		...(at.sessionsDir === undefined ? {} : { sessionsDir: at.sessionsDir }),
		...(parentSessionFile === undefined ? {} : { parentSessionFile }),
	};
}
