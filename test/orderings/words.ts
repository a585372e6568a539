import { doneOutcome, failedOutcome } from "../support/run-script.ts";
import * as deeds from "./deeds.ts";
import { due, fates } from "./model.ts";
import type { Stage } from "./stage.ts";
import { currentRun, type Facts } from "./stage-facts.ts";

/** One thing that can happen, and when it can. */
export interface Word {
	readonly word: string;
	/** Whether it can happen now, and can make a difference. */
	may(facts: Facts, stage: Stage): boolean;
	play(stage: Stage): void;
	/** After it nothing can happen any more. */
	readonly last?: true;
}

const agent = 1;
const readers = ["A", "B", "C"] as const;

function current(facts: Facts) {
	return currentRun(facts, agent);
}

function isLive(facts: Facts): boolean {
	const run = current(facts);
	return run?.live !== undefined && run.settledAt === undefined;
}

/** Whether anything is still to come of what was spawned. */
export function isOpen(facts: Facts): boolean {
	return facts.runs.some((run) => !["delivered", "published"].includes(fates(facts, run)[0] ?? ""));
}

/** A claim by `who` is one by whoever has not claimed yet: they come in the order A, B, C, and each claims once. */
function mayClaim(facts: Facts, index: number): boolean {
	const claimed = new Set(facts.readers.map(({ who }) => who));
	return current(facts) !== undefined && claimed.size === index;
}

function settles(word: string, outcome: typeof doneOutcome): Word {
	return {
		word,
		may: isLive,
		play: (stage) => {
			deeds.settle(stage, agent, outcome);
			deeds.close(stage, agent, "verified");
		},
	};
}

/** The words of one agent's orderings. `boundary` to `prompt` are the parent's. */
export const words: readonly Word[] = [
	{ word: "spawn", may: ({ runs }) => runs.length === 0, play: deeds.spawn },
	{
		word: "start",
		may: ({ runs, slots }) => runs.length > 0 && slots === 0,
		play: (stage) => deeds.openSlots(stage, 1),
	},
	settles("settle ok", doneOutcome),
	settles("settle error", failedOutcome),
	...readers.flatMap((who, index): Word[] => [
		{
			word: `claim ${who}`,
			may: (facts) => mayClaim(facts, index),
			play: (stage) => deeds.claim(stage, agent, who),
		},
		{
			word: `leave ${who}`,
			may: (facts) => deeds.waitingReaders(facts, agent, who).length > 0,
			play: (stage) => deeds.leave(stage, agent, who),
		},
	]),
	{
		word: "boundary",
		may: (facts) => alive(facts) && facts.parent.running && due(facts, "boundary").length > 0,
		play: (stage) => deeds.take(stage, "boundary"),
	},
	{ word: "handover lost", may: isOnItsWay, play: (stage) => deeds.arrive(stage, false) },
	{ word: "committed", may: isOnItsWay, play: (stage) => deeds.arrive(stage, true) },
	{
		word: "idle",
		may: (facts, { scheduler }) =>
			alive(facts) && isOpen(facts) && !facts.parent.woken && (facts.parent.running || scheduler.actions.length > 0),
		play: deeds.idle,
	},
	{ word: "mute", may: (facts) => alive(facts) && isOpen(facts) && facts.parent.running, play: deeds.mute },
	{
		word: "prompt",
		may: ({ parent, ...facts }) =>
			alive({ parent, ...facts }) && isOpen({ parent, ...facts }) && !parent.running && !parent.woken,
		play: deeds.prompt,
	},
	{
		word: "stop",
		may: (facts) => alive(facts) && current(facts) !== undefined && current(facts)?.settledAt === undefined,
		play: (stage) => {
			const wasLive = isLive(stage.facts);
			deeds.stop(stage, agent);
			if (!wasLive) return;
			deeds.settle(stage, agent, deeds.stoppedOutcome);
			deeds.close(stage, agent, "verified");
		},
	},
	{
		word: "resume",
		may: (facts) => alive(facts) && current(facts)?.run === 1 && current(facts)?.settledAt !== undefined,
		play: (stage) => deeds.resume(stage, agent),
	},
	{ word: "session replaced", may: (facts) => alive(facts) && isOpen(facts), play: deeds.replace },
	{ word: "killed", may: isOnItsWay, play: deeds.kill, last: true },
];

function alive({ parent }: Facts): boolean {
	return !parent.replaced;
}

function isOnItsWay(facts: Facts): boolean {
	return alive(facts) && facts.inFlight.length > 0;
}
