import { SettingsManager } from "@earendil-works/pi-coding-agent";
import type { ChildEnvironment, HostSettings } from "./child-environment.ts";

/** What the host would look for once more in every child. It is found once for the parent's session instead. */
type Discovered = "packages" | "extensions" | "skills" | "prompts" | "themes";

/** The settings in the host's files, read as the parent reads them: the project's only when it is trusted. */
export function readHostSettings(env: Pick<ChildEnvironment, "cwd" | "agentDir" | "projectTrusted">): SettingsManager {
	return SettingsManager.create(env.cwd, env.agentDir, { projectTrusted: env.projectTrusted });
}

/** The user's and the project's settings merged as the host merges them: one level deep. */
export function effectiveSettings(manager: SettingsManager): HostSettings {
	const merged: Record<string, unknown> = { ...manager.getGlobalSettings() };
	for (const [key, value] of Object.entries(manager.getProjectSettings())) {
		const below = merged[key];
		merged[key] = isPlainObject(below) && isPlainObject(value) ? { ...below, ...value } : value;
	}
	return merged;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A child's settings: the parent's (retry, compaction, shell and the rest), in memory, so that whatever a child's model
 * or extension sets is never written to the user's file. Steering is read a whole batch at a time: the mailbox hands
 * over one batch per boundary, and a batch is one thing to read.
 */
export function childSettings(settings: HostSettings, projectTrusted: boolean): SettingsManager {
	const own: Record<Discovered, undefined> = {
		packages: undefined,
		extensions: undefined,
		skills: undefined,
		prompts: undefined,
		themes: undefined,
	};
	const kept = { ...settings, steeringMode: "all" as const };
	for (const key of Object.keys(own) as Discovered[]) {
		delete kept[key];
	}
	return SettingsManager.inMemory(kept, { projectTrusted });
}
