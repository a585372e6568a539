export { builtInProfiles, defaultProfileName } from "./built-in-profiles.ts";
export { byCloseness, closest } from "./closest.ts";
export { type Diagnostic, formatDiagnostic } from "./diagnostic.ts";
export {
	type CallOverrides,
	type ConfigInput,
	type EffectiveConfig,
	effectiveConfig,
	type ModelFacts,
	type ParentFacts,
} from "./effective-config.ts";
export { findProfile, type Profile } from "./profile.ts";
export {
	defaultSettings,
	mergeSettings,
	parseSettings,
	projectSettingsFile,
	type SettingKey,
	type Settings,
} from "./settings.ts";
