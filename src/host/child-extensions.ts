import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { type Args, DefaultPackageManager, type SettingsManager } from "@earendil-works/pi-coding-agent";
import type { ChildEnvironment } from "./child-environment.ts";
import { StartupFailure } from "./child-startup-failure.ts";

type ExtensionPlaces = Pick<
	ChildEnvironment,
	"cwd" | "agentDir" | "childExtensions" | "seenExtensionFiles" | "ownExtensionPaths"
>;

/** What `pi.getAllTools()` and `pi.getCommands()` tell about where something comes from. */
export interface SeenSource {
	readonly source?: string;
	readonly sourceInfo?: { readonly path: string; readonly source: string };
}

/**
 * The files of extensions among the sources of the parent's tools and commands: what the host has loaded in a way that
 * neither its folders nor its command line show. Skills and prompt templates are commands too, and are left out.
 *
 * ```ts
 * const seenExtensionFiles = extensionFilesOf([...pi.getAllTools(), ...pi.getCommands()]);
 * ```
 */
export function extensionFilesOf(seen: readonly SeenSource[]): readonly string[] {
	const files = seen
		.filter(({ source }) => source === undefined || source === "extension")
		.map(({ sourceInfo }) => sourceInfo?.path ?? "");
	return [...new Set(files.filter((path) => /\.[cm]?[jt]s$/.test(path)))];
}

/**
 * The entry files of the extensions that a child loads for their hooks, in the parent's order: the command line's, those
 * that the host discovers, and those it was seen to use. Never ourselves and never the host's built-in ones: a second
 * orchestrator could start agents of its own, and a second MCP server per child is nobody's wish. Nothing is installed
 * or refreshed: what is not on disk was not loaded in the parent either.
 */
export async function resolveChildExtensions(
	places: ExtensionPlaces,
	settings: SettingsManager,
	args: Args,
): Promise<readonly string[]> {
	if (places.childExtensions === "none") {
		return [];
	}
	const manager = new DefaultPackageManager({
		cwd: places.cwd,
		agentDir: places.agentDir,
		settingsManager: settings,
	});
	if (places.childExtensions !== "inherit") {
		const listed = await Promise.all(places.childExtensions.map((path) => existing(path, places.cwd)));
		return withoutOurselves(await entryFiles(manager, listed), places.ownExtensionPaths);
	}
	const given = (args.extensions ?? []).flatMap((source) => localSource(source, places.cwd, manager));
	const fromCommandLine = await entryFiles(manager, await filter(given, exists));
	const discovered = args.noExtensions ? [] : await discover(manager);
	const seen = await filter(places.seenExtensionFiles, exists);
	return withoutOurselves([...fromCommandLine, ...discovered, ...seen], places.ownExtensionPaths);
}

async function discover(manager: DefaultPackageManager): Promise<string[]> {
	const { extensions } = await manager.resolve(async () => "skip");
	return extensions.filter(({ enabled }) => enabled).map(({ path }) => path);
}

/** A file as it is, a folder or package as the entry files that its manifest or the host's rules name. */
async function entryFiles(manager: DefaultPackageManager, localPaths: readonly string[]): Promise<string[]> {
	if (localPaths.length === 0) {
		return [];
	}
	const { extensions } = await manager.resolveExtensionSources([...localPaths], { temporary: true });
	return extensions.filter(({ enabled }) => enabled).map(({ path }) => path);
}

const remote = /^(npm|git|github|https?|ssh):/;

/** Where a source of the command line is on disk: nowhere for a built-in extension. */
function localSource(source: string, cwd: string, manager: DefaultPackageManager): readonly string[] {
	if (source.startsWith("builtin:")) {
		return [];
	}
	if (!remote.test(source)) {
		return [absolute(source, cwd)];
	}
	// The host keeps what `-e npm:…` and `-e git:…` fetched in a temporary scope, which the public type leaves out.
	const installed = manager.getInstalledPath(source, "temporary" as "user");
	return installed === undefined ? [] : [installed];
}

function absolute(path: string, cwd: string): string {
	return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : resolve(cwd, path);
}

async function existing(path: string, cwd: string): Promise<string> {
	const file = absolute(path, cwd);
	if (!(await exists(file))) {
		throw new StartupFailure(`The setting childExtensions names ${path}, and there is no such file.`);
	}
	return file;
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}

async function filter(paths: readonly string[], keep: (path: string) => Promise<boolean>): Promise<string[]> {
	const kept = await Promise.all(paths.map(keep));
	return paths.filter((_, index) => kept[index]);
}

/** Each file once, whatever links lead to it, and none of `own`, which may be files or folders. */
async function withoutOurselves(paths: readonly string[], own: readonly string[]): Promise<readonly string[]> {
	const ours = await Promise.all(own.map(real));
	const files = new Map<string, string>();
	for (const path of paths.filter((candidate) => !candidate.startsWith("builtin:") && !candidate.startsWith("<"))) {
		const file = await real(path);
		const isOurs = ours.some((our) => file === our || file.startsWith(`${our}${sep}`));
		if (!isOurs && !files.has(file)) {
			files.set(file, path);
		}
	}
	return [...files.values()];
}

async function real(path: string): Promise<string> {
	return realpath(path).catch(() => resolve(path));
}
