export { builtInProfiles, defaultProfileName } from "./built-in-profiles.ts";
export { builtInTools, childTools, orchestrationTools } from "./child-tools.ts";
export { byCloseness, closest } from "./closest.ts";
export { delegationProblems, profilesOf } from "./delegation.ts";
export { type Diagnostic, formatDiagnostic } from "./diagnostic.ts";
export {
	type CallOverrides,
	type ConfigInput,
	type ConfigSources,
	type EffectiveConfig,
	effectiveConfig,
	type ValueSource,
} from "./effective-config.ts";
export type { ExtensionTool } from "./extension-tools.ts";
export { chooseModel, type ModelChoice } from "./model-choice.ts";
export type { ModelRates } from "./model-rates.ts";
export type { ModelFacts, ParentFacts } from "./parent-facts.ts";
export { type ParsedProfile, type ProfilePlace, parseProfile } from "./parse-profile.ts";
export { findProfile, type OverridableField, type Profile, usableProfiles } from "./profile.ts";
export { type FieldEffect, type ProfileField, profileFields } from "./profile-fields.ts";
export { type SettingRule, settingKeys, settingRules } from "./setting-rules.ts";
export {
	defaultSettings,
	mergeSettings,
	parseSettings,
	projectSettingsFile,
	type SettingKey,
	type Settings,
} from "./settings.ts";
export { clampThinking, thinkingLevels } from "./thinking.ts";
export { listWords, quote } from "./wording.ts";
export type { Yaml } from "./yaml-entries.ts";
