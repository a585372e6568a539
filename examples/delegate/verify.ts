import { isPublication } from "./narrate.ts";
import { agentIdIn, type Line, type Message, readLines, textOf } from "./transcript.ts";
import type { Workspace } from "./workspace.ts";

/** One thing that must have happened. */
export interface Step {
	readonly what: string;
	readonly took: boolean;
}

/**
 * Reads the session files that Pi left, the lead's and the children's, and says of each step of the delegation whether
 * it took place. It trusts the transcripts, not what was printed.
 */
export function verify(workspace: Workspace): Step[] {
	const { facts, codeword } = workspace;
	const session = workspace.sessionFiles("sessions").flatMap(readLines);
	const messages = session.flatMap((line) => (line.message ? [line.message] : []));
	const results = messages.filter((message) => message.role === "toolResult" && message.isError !== true);
	const agents = results.filter((message) => message.toolName === "Agent").map(textOf);
	const [brief = "", watch = "", tide = ""] = agents;
	const [briefId, watchId, tideId] = [brief, watch, tide].map(agentIdIn);
	const waited = textOf(results.find((message) => message.toolName === "get_subagent_result"));
	const publications = session.filter(isPublication).map(textOf);
	const final = textOf(messages.findLast((message) => message.role === "assistant"));
	const publishedTimes = (id: string | undefined) => countOf(publications, `agent_id: ${id}`);
	return [
		{
			what: "an agent ran in the foreground, and its call returned its answer",
			took: agents.length === 3 && briefId !== undefined && brief.includes(facts.brief),
		},
		{
			what: "two agents were started in the background, each with an id of its own, before they had an answer",
			took:
				new Set([briefId, watchId, tideId]).size === 3 &&
				[watchId, tideId].every((id) => id !== undefined) &&
				!watch.includes(facts.weather) &&
				!tide.includes(facts.tide),
		},
		{
			what: "one of them was steered while it ran",
			took: results.some((message) => message.toolName === "steer_subagent" && textOf(message).includes(`${watchId}`)),
		},
		{
			what: "that child read the message in its own conversation, after tool calls of its own, and answered to it",
			took: childReadSteering(workspace, watchId, codeword),
		},
		{
			what: "waiting for that child returned its answer, which depends on the message",
			took: agentIdIn(waited) === watchId && [facts.weather, codeword].every((text) => waited.includes(text)),
		},
		{
			what: "the other result was published by itself, once, and no result that a call had returned was",
			took: publishedTimes(tideId) === 1 && publishedTimes(watchId) === 0 && publishedTimes(briefId) === 0,
		},
		{
			what: "the last answer uses the real texts of all three",
			took: Object.values(facts).every((fact) => final.includes(fact)) && final.includes(`codeword is ${codeword}`),
		},
	];
}

function childReadSteering(workspace: Workspace, id: string | undefined, codeword: string): boolean {
	const file = workspace.sessionFiles("orchestrator").find((path) => path.endsWith(`${id}.jsonl`));
	const messages = file === undefined ? [] : messagesOf(readLines(file));
	const steered = messages.findIndex((message) => message.role === "user" && textOf(message).includes(codeword));
	return (
		messages.slice(0, Math.max(steered, 0)).some((message) => message.role === "toolResult") &&
		messages.slice(steered + 1).some((message) => message.role === "assistant" && textOf(message).includes(codeword))
	);
}

function messagesOf(lines: readonly Line[]): Message[] {
	return lines.flatMap((line) => (line.message ? [line.message] : []));
}

function countOf(texts: readonly string[], part: string): number {
	return texts.reduce((sum, text) => sum + text.split(part).length - 1, 0);
}
