import {
	createExtensionRuntime,
	DefaultResourceLoader,
	type ExtensionFactory,
	type LoadExtensionsResult,
	loadSkills,
	type ResourceLoader,
	type SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { ChildEnvironment } from "./child-environment.ts";
import type { ChildResources } from "./child-resources.ts";
import { StartupFailure } from "./child-startup-failure.ts";

interface LoaderRequest {
	readonly places: Pick<ChildEnvironment, "cwd" | "agentDir">;
	readonly resources: ChildResources;
	readonly settings: SettingsManager;
	readonly systemPrompt: string;
	/** Whether the project's context files and the user's additions to every prompt come after it. */
	readonly projectContext: boolean;
	/** Whether the prompt tells of all skills already. */
	readonly skillsKnown: boolean;
	/** Without skills, those that an extension brings included. */
	readonly isolated: boolean;
	/** The only skills that it has, by name; all where it is absent. */
	readonly skills?: readonly string[];
	/** Our own, after all others. */
	readonly inline: readonly ExtensionFactory[];
}

/**
 * The resources of one child: an extension instance of its own for each file, and what all children share. Rejects with
 * a `StartupFailure` when an extension cannot be loaded. A child without one of the parent's extensions might be without
 * one of the parent's gates, and whether a file is a gate cannot be seen from outside; nor can it be seen whether the
 * parent has loaded it, and an agent could have broken the file a moment ago. So nothing is left out in silence.
 */
export async function createChildLoader(request: LoaderRequest): Promise<ResourceLoader> {
	const extensions = await loadExtensions(request);
	const { resources, places } = request;
	const isWanted = ({ name }: { readonly name: string }) =>
		!request.isolated && (request.skills?.includes(name) ?? true);
	let skills = resources.skills.filter(isWanted);
	return {
		getExtensions: () => extensions,
		getSkills: () => ({ skills: request.skillsKnown ? [] : skills, diagnostics: [] }),
		getPrompts: () => ({ prompts: [], diagnostics: [] }),
		getThemes: () => ({ themes: [], diagnostics: [] }),
		getAgentsFiles: () => ({ agentsFiles: request.projectContext ? [...resources.agentsFiles] : [] }),
		getSystemPrompt: () => request.systemPrompt,
		getSystemPromptSource: () => undefined,
		getAppendSystemPrompt: () => (request.projectContext ? [...resources.appendSystemPrompt] : []),
		getAppendSystemPromptSources: () => [],
		extendResources({ skillPaths = [] }) {
			if (request.isolated || skillPaths.length === 0) return;
			const paths = skillPaths.map(({ path }) => path);
			const found = loadSkills({ ...places, skillPaths: paths, includeDefaults: false }).skills;
			skills = [...skills, ...found.filter(isWanted)];
		},
		// The host reloads a session only when asked to, and nobody can ask a child.
		reload: () => Promise.resolve(),
	};
}

async function loadExtensions({ places, resources, settings, inline }: LoaderRequest): Promise<LoadExtensionsResult> {
	const files = resources.extensionFiles;
	if (files.length === 0 && inline.length === 0) {
		return { extensions: [], errors: [], runtime: createExtensionRuntime() };
	}
	const loader = new DefaultResourceLoader({
		cwd: places.cwd,
		agentDir: places.agentDir,
		settingsManager: settings,
		noExtensions: true,
		additionalExtensionPaths: [...files],
		extensionFactories: [...inline],
		noSkills: true,
		noPromptTemplates: true,
		noThemes: true,
		noContextFiles: true,
		systemPromptOverride: () => undefined,
		appendSystemPrompt: [],
	});
	await loader.reload();
	const loaded = loader.getExtensions();
	// Conflicts of names are errors to the host as well, and of no account here: only what is missing counts.
	const present = new Set(loaded.extensions.flatMap(({ path, resolvedPath }) => [path, resolvedPath]));
	const missing = files.filter((file) => !present.has(file));
	if (missing.length > 0) {
		loaded.runtime.invalidate("This session did not start.");
		throw new StartupFailure(missing.map((file) => explain(file, loaded)).join("\n"));
	}
	applyFlags(loaded, resources.flags);
	return loaded;
}

function explain(file: string, { errors }: LoadExtensionsResult): string {
	const error = errors.find(({ path }) => path === file)?.error ?? "it was not loaded";
	return (
		`The extension ${file} cannot be loaded for the agent (${error}). ` +
		"It may guard what tools do, so the agent was not started without it. " +
		"Repair or remove it, or choose the extensions of agents with the setting childExtensions."
	);
}

/** The parent's command line sets the flags of its extensions; the child's instances are to see the same values. */
function applyFlags({ extensions, runtime }: LoadExtensionsResult, flags: ChildResources["flags"]): void {
	for (const { name, type } of extensions.flatMap((extension) => [...extension.flags.values()])) {
		const value = flags.get(name);
		if (value !== undefined && (type === "boolean" || typeof value === "string")) {
			runtime.flagValues.set(name, type === "boolean" ? true : value);
		}
	}
}
