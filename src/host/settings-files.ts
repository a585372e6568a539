import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
	type Diagnostic,
	mergeSettings,
	parseSettings,
	projectSettingsFile,
	type Settings,
} from "../profiles/index.ts";

/** The settings in force, and what was wrong with the files. */
export interface LoadedSettings {
	readonly settings: Settings;
	readonly diagnostics: readonly Diagnostic[];
}

/** Reads the user's settings and, in a trusted project, the project's. A file that is not there is not a fault. */
export async function loadSettings(agentDir: string, cwd: string, trusted: boolean): Promise<LoadedSettings> {
	const userFile = join(agentDir, "orchestrator.json");
	const [user, project] = await Promise.all([
		readSettings(userFile, userFile),
		trusted ? readSettings(join(cwd, projectSettingsFile), projectSettingsFile) : nothing,
	]);
	const merged = mergeSettings(user.settings, project.settings);
	return {
		settings: merged.settings,
		diagnostics: [...user.diagnostics, ...project.diagnostics, ...merged.diagnostics],
	};
}

const nothing: { settings: Partial<Settings>; diagnostics: readonly Diagnostic[] } = { settings: {}, diagnostics: [] };

async function readSettings(path: string, name: string): Promise<typeof nothing> {
	try {
		return parseSettings(await readFile(path, "utf8"), name);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return nothing;
		const message = error instanceof Error ? error.message : String(error);
		return { settings: {}, diagnostics: [{ file: name, message: `cannot be read: ${message}` }] };
	}
}
