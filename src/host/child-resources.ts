import {
	type Args,
	DefaultPackageManager,
	DefaultResourceLoader,
	parseArgs,
	type ResourceLoader,
	type SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { ChildEnvironment, HostSettings } from "./child-environment.ts";
import { resolveChildExtensions } from "./child-extensions.ts";
import { childSettings, effectiveSettings, readHostSettings } from "./child-settings.ts";

/** What all children of one parent session share. Found once, and frozen: no child changes it for another. */
export interface ChildResources {
	readonly extensionFiles: readonly string[];
	readonly flags: Args["unknownFlags"];
	readonly skills: ReturnType<ResourceLoader["getSkills"]>["skills"];
	readonly agentsFiles: ReturnType<ResourceLoader["getAgentsFiles"]>["agentsFiles"];
	readonly appendSystemPrompt: readonly string[];
	/** The settings in the host's files, for hosts that do not tell the parent's. */
	readonly settings: HostSettings;
}

/**
 * Finds the parent's extensions, skills and context files where the host finds them: below the agent directory, and in
 * the project when that is trusted. Reads only, and installs nothing. The host's own lookup is synchronous, so this
 * belongs at the start of the parent's session, and not at the start of each child.
 */
export async function resolveChildResources(env: ChildEnvironment): Promise<ChildResources> {
	const args = parseArgs([...env.argv]);
	const settings = readHostSettings(env);
	const extensionFiles = await resolveChildExtensions(env, settings, args);
	const loader = new DefaultResourceLoader({
		cwd: env.cwd,
		agentDir: env.agentDir,
		settingsManager: childSettings(effectiveSettings(settings), env.projectTrusted),
		noExtensions: true,
		noSkills: true,
		additionalSkillPaths: await skillPaths(env, settings, args),
		noPromptTemplates: true,
		noThemes: true,
		noContextFiles: args.noContextFiles ?? false,
		systemPromptOverride: () => undefined,
		...(args.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: args.appendSystemPrompt }),
	});
	await loader.reload();
	return deepFreeze({
		extensionFiles,
		flags: args.unknownFlags,
		skills: loader.getSkills().skills,
		agentsFiles: loader.getAgentsFiles().agentsFiles,
		appendSystemPrompt: loader.getAppendSystemPrompt(),
		settings: effectiveSettings(settings),
	});
}

async function skillPaths(env: ChildEnvironment, settings: SettingsManager, args: Args): Promise<string[]> {
	const given = args.skills ?? [];
	if (args.noSkills) {
		return given;
	}
	const manager = new DefaultPackageManager({ cwd: env.cwd, agentDir: env.agentDir, settingsManager: settings });
	const { skills } = await manager.resolve(async () => "skip");
	return [...skills.filter(({ enabled }) => enabled).map(({ path }) => path), ...given];
}

function deepFreeze<T>(value: T): T {
	if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
		Object.values(Object.freeze(value)).forEach(deepFreeze);
	}
	return value;
}
