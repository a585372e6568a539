import { byCloseness, closest } from "./closest.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { readValue } from "./setting-kind.ts";
import { ruleOf, settingKeys, settingRules } from "./setting-rules.ts";
import { tighten } from "./tightening.ts";
import { quote } from "./wording.ts";

/** How the extension behaves. Durations are seconds; a limit that is absent does not exist. */
export interface Settings {
	readonly maxConcurrent: number;
	readonly maxAgents: number;
	readonly maxDepth: number;
	readonly maxZombies: number;
	readonly maxTurns?: number;
	readonly graceTurns: number;
	readonly maxTools?: number;
	readonly maxTokens?: number;
	/** US dollars, over the whole tree of agents. */
	readonly maxCostUsd?: number;
	readonly runTimeout?: number;
	readonly idleTimeout?: number;
	readonly stopGrace: number;
	readonly waitTimeoutSeconds: number;
	readonly headlessHold: number;
	readonly backgroundByDefault: boolean;
	readonly join: "group" | "each";
	readonly childExtensions: "inherit" | "none" | readonly string[];
	readonly missedSchedules: "skip" | "once";
	readonly retentionDays: number;
	/** A shell command. */
	readonly worktreeSetup?: string;
	readonly widget: "on" | "off";
	readonly tracing: "off" | "otlp" | "console" | "file";
	readonly captureContent: boolean;
}

export type SettingKey = keyof Settings;

/** What holds where no file says otherwise. */
export const defaultSettings: Settings = collect((key) => settingRules[key].default) as Settings;

/** Where a project keeps its settings, as diagnostics name it. */
export const projectSettingsFile = ".pi/orchestrator.json";

/**
 * Reads a settings file. Never throws: what cannot be used is named in a diagnostic and left out. `null` and `"none"`
 * stand for the absence of a limit, where a limit may be absent. A setting that is not in effect yet is read all the
 * same, and named too.
 */
export function parseSettings(
	text: string,
	file: string,
): { settings: Partial<Settings>; diagnostics: readonly Diagnostic[] } {
	const diagnostics: Diagnostic[] = [];
	const entries = readEntries(text, file, diagnostics);
	const values = new Map<SettingKey, unknown>();
	for (const [key, value] of entries) {
		// Editors find the schema by this key; it is theirs.
		if (key === "$schema") continue;
		const rule = ruleOf(key);
		if (rule === undefined) {
			diagnostics.push({ file, key: quote(key), message: unknownKey(key) });
			continue;
		}
		const read = readValue(rule, value);
		if (!read.ok) {
			diagnostics.push({ file, key: rule.key, message: `${read.problem}; ignored` });
			continue;
		}
		values.set(rule.key, read.value);
		// Whoever sets a limit relies on it. Its absence is what they have anyway.
		if (rule.inEffect === false && read.value !== undefined) {
			diagnostics.push({ file, key: rule.key, message: notInEffect });
		}
	}
	return { settings: collect((key) => values.get(key)), diagnostics };
}

/**
 * The user's settings over the defaults, and the project's over both. A project can only make limits tighter: whatever
 * would loosen one is named in a diagnostic and ignored.
 */
export function mergeSettings(
	user: Partial<Settings>,
	project: Partial<Settings>,
	projectFile: string = projectSettingsFile,
): { settings: Settings; diagnostics: readonly Diagnostic[] } {
	const diagnostics: Diagnostic[] = [];
	const settings = collect((key) => {
		const rule = settingRules[key];
		const current = user[key] ?? rule.default;
		const proposed = project[key];
		if (proposed === undefined) return current;
		const refusal = tighten(rule.project, current, proposed);
		if (refusal === undefined) return proposed;
		diagnostics.push({ file: projectFile, key, message: `${refusal}; ignored` });
		return current;
	});
	// Every key without a default is optional, so nothing that must be there can be missing.
	return { settings: settings as Settings, diagnostics };
}

/** An object of the keys for which there is a value: an absent limit is an absent key. */
function collect(pick: (key: SettingKey) => unknown): Partial<Settings> {
	const entries = settingKeys.map((key) => [key, pick(key)] as const).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as Partial<Settings>;
}

function readEntries(text: string, file: string, diagnostics: Diagnostic[]): readonly [string, unknown][] {
	try {
		const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
		diagnostics.push({ file, message: "the file must hold a JSON object; all of it is ignored" });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		diagnostics.push({ file, message: `not JSON (${quote(reason, 160)}); all of it is ignored` });
	}
	return [];
}

const notInEffect = "not in effect yet: this version reads it, and it limits and changes nothing";

function unknownKey(key: string): string {
	const hint = closest(key, settingKeys);
	if (hint !== undefined) return `unknown setting; did you mean "${hint}"? Ignored`;
	return `unknown setting; there are: ${byCloseness(key, settingKeys).join(", ")}. Ignored`;
}
