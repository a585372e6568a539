import type { CallOverrides } from "./effective-config.ts";
import type { OverridableField, Profile } from "./profile.ts";
import { quote } from "./wording.ts";

/** Why nothing can be started under a profile, whatever the call says. Empty for one that can be used. */
export function whyUnusable(profile: Profile): readonly string[] {
	const type = `agent type "${quote(profile.name)}"`;
	if (profile.broken !== undefined) return [`${type} cannot be used until its file is repaired: ${profile.broken}`];
	if (profile.enabled === false) return [`${type} is switched off (enabled: false${place(profile)})`];
	return [];
}

/** The locked fields that a call sets all the same. To say what the profile says is no override. */
export function lockProblems(profile: Profile, call: CallOverrides): readonly string[] {
	const given: Partial<Record<OverridableField, readonly [asked: unknown, own: unknown]>> = {
		model: [call.model, profile.model],
		thinking: [call.thinking, profile.thinking],
		max_turns: [call.maxTurns, profile.maxTurns],
		isolated: [call.isolated, profile.isolated],
		isolation: [call.isolation, profile.isolation],
		inherit_context: [call.inheritContext, profile.inheritContext],
		run_in_background: [call.runInBackground, profile.runInBackground],
	};
	return (profile.lock ?? []).flatMap((field) => {
		const [asked, own] = given[field] ?? [];
		if (asked === undefined || asked === own) return [];
		return `agent type "${quote(profile.name)}" locks ${field}${place(profile)}: leave it out of the call`;
	});
}

function place({ file }: Profile): string {
	return file === undefined ? "" : ` in ${file}`;
}
