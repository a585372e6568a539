import type { AssistantMessage } from "@earendil-works/pi-ai";
import { answeredCalls, type Conversation, callTools, say, userTexts } from "./conversation.ts";

/** So often a worker looks before it gives up waiting to be told to stop. */
const patience = 1_000;

/**
 * What a worker says next: it reads the file that its task names, with Pi's own tool, and reports the last line. Told
 * to keep reading, it goes on until a message steers it, and reports that message as well.
 */
export function worker(conversation: Conversation): AssistantMessage {
	const [task = "", ...later] = userTexts(conversation);
	const path = /notes\/[\w.-]+/.exec(task)?.[0];
	if (path === undefined) {
		return say("My task names no file below notes/.");
	}
	const looks = answeredCalls(conversation);
	const order = later.find((text) => text.includes("codeword"));
	const mustWait = task.includes("until you are told") && order === undefined;
	if (looks.length === 0 || (mustWait && looks.length < patience)) {
		return callTools({ tool: "read", args: { path } });
	}
	const found = lastLine(looks.at(-1)?.text ?? "");
	if (mustWait) {
		return say(`Report on ${path}: ${found} (I looked ${looks.length} times, and nobody told me to stop.)`);
	}
	return say(`Report on ${path}: ${found}${order === undefined ? "" : ` I was told: "${lastLine(order)}"`}`);
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}
