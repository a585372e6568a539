import { type Profile, usableProfiles } from "../profiles/profile.ts";
import { oneLine } from "../streams/plain-text.ts";

/** Room for the list of types in every request, in characters: names always, descriptions while they fit. */
const listRoom = 1_200;
const lineRoom = 100;

/** The contract of `Agent` for the model, with the agent types there are and what a call does by default. */
export function agentDescription(profiles: readonly Profile[], backgroundByDefault: boolean): string {
	const [foreground, background] = backgroundByDefault ? ["", " (default)"] : [" (default)", ""];
	return [
		"Runs a subagent, which knows only its prompt: put everything in it.",
		`Foreground${foreground}: blocks and returns its answer; aborting stops it and keeps what it wrote.`,
		`run_in_background${background}: returns an agent_id at once, running or queued for a slot; aborting does not stop it. Its result comes as a message: do other work or end your turn, never sleep or poll.`,
		"Calls in one message run one after another. Parallel: run_in_background, or swarm or members, which have a group_id too. If one in a member's after fails, that member is not run.",
		"With an id, get_subagent_result reads or waits; steer_subagent sends a message.",
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
