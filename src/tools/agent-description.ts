import { type Profile, usableProfiles } from "../profiles/profile.ts";
import { oneLine } from "../streams/plain-text.ts";

/** Room for the list of types in every request, in characters: names always, descriptions while they fit. */
const listRoom = 1_200;
const lineRoom = 100;

/** The contract of `Agent` for the model, with the agent types there are and what a call does by default. */
export function agentDescription(profiles: readonly Profile[], backgroundByDefault: boolean): string {
	const [foreground, background] = backgroundByDefault ? ["", " (default)"] : [" (default)", ""];
	return [
		"Runs a subagent on one task. It starts with an empty context and knows only `prompt`, so put everything in it.",
		`Foreground${foreground}: blocks until it ends and returns its answer; aborting the call stops it and keeps what it wrote.`,
		`run_in_background${background}: returns an agent_id at once, status running, or queued when all slots are taken. Aborting does not stop it. Its result comes by itself as a message: go on with other work or end your turn; never sleep or poll.`,
		"Agent calls in one message run one after another; for parallel work use run_in_background.",
		"With the agent_id, get_subagent_result reads or waits and steer_subagent sends a message.",
		`Types:\n${typeList(profiles)}`,
	].join("\n");
}

function typeList(profiles: readonly Profile[]): string {
	let room = listRoom;
	return usableProfiles(profiles)
		.map((profile) => {
			const name = oneLine(profile.name, 64);
			const line = `${name}: ${oneLine(profile.description, lineRoom)}`;
			room -= line.length;
			return `- ${room >= 0 ? line : name}`;
		})
		.join("\n");
}
