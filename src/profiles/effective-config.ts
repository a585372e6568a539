import type { RunConfig } from "../streams/ports.ts";
import type { Profile } from "./profile.ts";
import type { Settings } from "./settings.ts";

/** A model that the parent has credentials for. */
export interface ModelFacts {
	/** `provider/id`. */
	readonly id: string;
	readonly thinkingLevels: readonly string[];
}

/** What the parent session is like when the call is made. */
export interface ParentFacts {
	/** `provider/id`; `undefined` while no model is chosen. */
	readonly model: string | undefined;
	readonly thinking: string;
	readonly activeTools: readonly string[];
	/** Only models with credentials. */
	readonly models: readonly ModelFacts[];
}

/** What the call itself asks for; it beats everything else. */
export interface CallOverrides {
	readonly subagentType?: string;
	readonly model?: string;
	readonly thinking?: string;
	readonly maxTurns?: number;
	readonly isolated?: boolean;
}

export interface ConfigInput {
	/** In order of precedence: of two with one name, the first counts. */
	readonly profiles: readonly Profile[];
	readonly call: CallOverrides;
	readonly settings: Settings;
	readonly parent: ParentFacts;
}

export type EffectiveConfig =
	| { readonly ok: true; readonly config: RunConfig; readonly notes: readonly string[] }
	| { readonly ok: false; readonly problems: readonly string[] };

export function effectiveConfig(_input: ConfigInput): EffectiveConfig {
	return { ok: false, problems: ["not there yet"] };
}
