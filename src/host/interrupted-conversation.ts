import { readFile } from "node:fs/promises";
import { parseSessionEntries } from "@earendil-works/pi-coding-agent";
import { addSpend, noSpend, type Spend } from "../streams/usage.ts";
import { ownEntries } from "./inherited-conversation.ts";

/** What the conversation of an agent shows of a run that ended with its host. */
export interface InterruptedRun {
	/** The last text that the agent wrote in this run; "" when it wrote none. */
	readonly text: string;
	/** Over the whole conversation. */
	readonly spend: Spend;
	/** Answers of the model in this run, and results of tools. */
	readonly turns: number;
	readonly toolUses: number;
}

/**
 * Reads an agent's conversation from its session file, for the run that was opened at `since`. `undefined` when the file
 * is not there or cannot be read.
 */
export async function readInterrupted(file: string, since: number): Promise<InterruptedRun | undefined> {
	const text = await readFile(file, "utf8").catch(() => undefined);
	if (text === undefined) return undefined;
	let run: InterruptedRun = { text: "", spend: noSpend, turns: 0, toolUses: 0 };
	for (const entry of ownEntries(parseSessionEntries(text))) {
		if (entry.type !== "message") continue;
		const { message } = entry;
		const ofRun = Date.parse(entry.timestamp) >= since;
		if (message.role === "toolResult" && ofRun) run = { ...run, toolUses: run.toolUses + 1 };
		if ((message.role === "assistant" || message.role === "toolResult") && message.usage !== undefined) {
			const { input, output, cacheRead, cacheWrite, cost } = message.usage;
			run = { ...run, spend: addSpend(run.spend, { input, output, cacheRead, cacheWrite, cost: cost.total }) };
		}
		if (message.role !== "assistant") continue;
		if (!ofRun) continue;
		const written = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
		run = { ...run, turns: run.turns + 1, text: written.trim() === "" ? run.text : written };
	}
	return run;
}
