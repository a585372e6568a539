import { textOf } from "../../support/chat-request.ts";
import { contentText, type PiEntry } from "../../support/pi-record.ts";
import type { ScheduleWorld } from "./schedule-world.ts";

/** How often the result of a run has reached the parent, by each of the two ways. */
export interface Arrivals {
	readonly published: number;
	readonly returned: number;
}

/** What a session's file says of the result that contains this answer. */
export function arrivals(entries: readonly PiEntry[], answer: string): Arrivals {
	const published = publications(entries).filter((entry) => contentText(entry).includes(answer)).length;
	const returned = entries.filter((entry) => returns(entry, answer)).length;
	return { published, returned };
}

/** Whether the run's result is where it belongs: in calls that returned it, or in one message, and never in both. */
export function arrivedOnce({ published, returned }: Arrivals): boolean {
	return published === 0 ? returned > 0 : published === 1 && returned === 0;
}

/** How many runs in the background there were, and by which way their results came. */
export interface ScheduleTally {
	readonly runs: number;
	readonly published: number;
	readonly returned: number;
}

export function tallySchedule(world: ScheduleWorld, entries: readonly PiEntry[]): ScheduleTally {
	const background = world.runs().filter((run) => run.background);
	const found = background.map(({ prompt }) => arrivals(entries, world.answers.get(prompt) ?? "no answer"));
	return {
		runs: background.length,
		published: found.filter(({ published }) => published > 0).length,
		returned: found.filter(({ returned }) => returned > 0).length,
	};
}

/** Everything that is wrong with a session whose runs are all over, in words. Nothing when all is well. */
export function judgeSchedule(world: ScheduleWorld, entries: readonly PiEntry[]): string[] {
	const complaints: string[] = [];
	const delivered = publications(entries).flatMap(deliveries);
	const twice = delivered.filter((key, index) => delivered.indexOf(key) !== index);
	if (twice.length > 0) complaints.push(`published twice: ${twice.join(", ")}`);
	const lastSeen = (world.server.requestsOf("parent").at(-1)?.messages ?? []).map(textOf).join("\n");
	for (const { prompt, agentId, background } of world.runs()) {
		const answer = world.answers.get(prompt);
		if (answer === undefined) {
			// Esc ends a foreground agent before its model has said a word.
			if (background) complaints.push(`${prompt} of ${agentId} never came to an end`);
			continue;
		}
		const found = arrivals(entries, answer);
		const counts = `${found.published} publications and ${found.returned} returns of ${answer}, ${prompt} of ${agentId}`;
		if (!background && found.published > 0) complaints.push(`in the foreground: ${counts}`);
		if (background && !arrivedOnce(found)) complaints.push(counts);
		if (background && !lastSeen.includes(answer)) complaints.push(`the parent's model does not see ${answer}`);
	}
	return complaints;
}

function publications(entries: readonly PiEntry[]): PiEntry[] {
	return entries.filter(({ type, customType }) => type === "custom_message" && customType === "subagent-result");
}

function deliveries(entry: PiEntry): readonly string[] {
	return (entry.details as { readonly delivery: readonly string[] }).delivery;
}

/** A tool result that says how the run ended, with its answer, and not only that it was published. */
function returns(entry: PiEntry, answer: string): boolean {
	if (entry.type !== "message" || entry.message?.role !== "toolResult") return false;
	const details = entry.message.details as
		| { readonly reason?: string | null; readonly published?: boolean }
		| undefined;
	const terminal = typeof details?.reason === "string" && details.published !== true;
	return terminal && contentText(entry.message).includes(answer);
}
