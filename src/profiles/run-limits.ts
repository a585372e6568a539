import type { RunLimits } from "../streams/ports.ts";
import type { Profile } from "./profile.ts";
import type { Settings } from "./settings.ts";

/** Where a limit came from that no call can set. */
export interface LimitSources {
	/** Each absent where there is no such limit. */
	readonly maxTools?: "profile" | "settings";
	readonly maxTokens?: "profile" | "settings";
	readonly runTimeout?: "profile" | "settings";
	readonly idleTimeout?: "settings";
}

/** What a run is held to beside its turns: the profile beats the settings. */
export function runLimits(
	profile: Profile,
	settings: Settings,
): { readonly limits: Omit<RunLimits, "maxTurns">; readonly sources: LimitSources } {
	const maxTools = profile.maxTools ?? settings.maxTools;
	const maxTokens = profile.maxTokens ?? settings.maxTokens;
	const runTimeout = profile.timeout ?? settings.runTimeout;
	const { graceTurns, idleTimeout } = settings;
	const from = (own: unknown) => (own === undefined ? ("settings" as const) : ("profile" as const));
	return {
		limits: {
			...(maxTools === undefined ? {} : { maxTools }),
			graceTurns,
			...(maxTokens === undefined ? {} : { maxTokens }),
			...(runTimeout === undefined ? {} : { runTimeout }),
			...(idleTimeout === undefined ? {} : { idleTimeout }),
		},
		sources: {
			...(maxTools === undefined ? {} : { maxTools: from(profile.maxTools) }),
			...(maxTokens === undefined ? {} : { maxTokens: from(profile.maxTokens) }),
			...(runTimeout === undefined ? {} : { runTimeout: from(profile.timeout) }),
			...(idleTimeout === undefined ? {} : { idleTimeout: "settings" }),
		},
	};
}
