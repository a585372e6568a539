import type { AssistantMessage } from "@earendil-works/pi-ai";
import { type AnsweredCall, answeredCalls, type Conversation, callTools, say, userTexts } from "./conversation.ts";

/**
 * What the lead says next. It goes by what is in the conversation since it was last asked to delegate, never by how
 * often it was called, so that it behaves the same whenever and however a result arrives.
 */
export function lead(conversation: Conversation): AssistantMessage {
	const asked = conversation.findLastIndex(
		(message) => message.role === "user" && isRequest(userTexts([message]).join("")),
	);
	if (asked < 0) {
		return say("Ask me to delegate the harbour report, and I will.");
	}
	const story = conversation.slice(asked);
	const calls = answeredCalls(story);
	const failed = calls.find((call) => call.isError);
	return failed ? say(`I stop here, because ${failed.tool} failed: ${failed.text}`) : nextStep(story, calls);
}

function nextStep(story: Conversation, calls: readonly AnsweredCall[]): AssistantMessage {
	const agents = calls.filter((call) => call.tool === "Agent");
	const brief = agents.find((call) => call.args.run_in_background !== true);
	if (!brief) {
		return callTools(agentCall("Read the brief", "Read notes/brief.md and report what it says.", false));
	}
	const [watch, tide] = agents.filter((call) => call.args.run_in_background === true);
	if (!watch || !tide) {
		return callTools(
			agentCall("Watch the weather", "Keep reading notes/weather.md until you are told to stop, then report.", true),
			agentCall("Look up the tide", "Read notes/tide.md and report what it says.", true),
		);
	}
	const watchId = agentIdIn(watch.text);
	if (!calls.some((call) => call.tool === "steer_subagent")) {
		// The codeword comes out of the first child's answer: without that answer there is nothing to steer with.
		const codeword = /codeword: (\S+)/.exec(brief.text)?.[1] ?? "lost";
		const message = `Stop now and report. The codeword is ${codeword}.`;
		return callTools({ tool: "steer_subagent", args: { agent_id: watchId, message } });
	}
	const waited = calls.find((call) => call.tool === "get_subagent_result");
	if (!waited) {
		return callTools({ tool: "get_subagent_result", args: { agent_id: watchId, wait: true } });
	}
	const tideId = agentIdIn(tide.text);
	const header = `agent_id: ${tideId}`;
	const message = userTexts(story).find((text) => text.includes(header));
	if (message === undefined) {
		return say("Two reports are in. The third agent still works, and its report will come by itself.");
	}
	// Several results that are ready together come as one message.
	const published = message.slice(message.indexOf(header));
	return say(["All three reports are in.", ...[brief.text, waited.text, published].map(reportIn)].join("\n"));
}

function agentCall(description: string, prompt: string, background: boolean) {
	const args = { description, prompt, subagent_type: "explore", model: "scripted/worker" };
	return { tool: "Agent", args: background ? { ...args, run_in_background: true } : args };
}

/** A person's request. What an extension publishes is about an agent and names it. */
function isRequest(text: string): boolean {
	return /\bdelegate\b/i.test(text) && !text.includes("agent_id:");
}

function agentIdIn(text: string): string {
	return /^agent_id: (\S+)$/m.exec(text)?.[1] ?? "unknown";
}

function reportIn(text: string): string {
	return /^.*(Report on .*)$/m.exec(text)?.[1] ?? "(no report)";
}
