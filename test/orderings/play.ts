import { doneOutcome } from "../support/run-script.ts";
import * as deeds from "./deeds.ts";
import { due } from "./model.ts";
import { checkEnd, checkNothingLeft, checkStep, must } from "./rules.ts";
import type { Stage } from "./stage.ts";
import { isWaiting } from "./stage-facts.ts";

/** Does something on a stage, and holds the rules up to what is so afterwards. */
export function step(stage: Stage, act: () => void): void {
	act();
	checkStep(stage);
}

/**
 * Brings a story to its end in the way that leaves nobody to read a result: all who wait leave, all that runs settles,
 * and the parent comes to rest. Returns what has become of each run.
 */
export function finish(stage: Stage): string[] {
	const { facts } = stage;
	step(stage, () => leaveAll(stage));
	if (facts.parent.replaced) {
		const ends = endsOfReplaced(stage);
		checkNothingLeft(stage);
		return ends;
	}
	step(stage, () => settleAll(stage));
	const heldWhileMuted = comeToRest(stage);
	const ends = checkEnd(stage, heldWhileMuted);
	if (heldWhileMuted) {
		// What is held is not lost: it goes beside the person's next message.
		const held = due(facts, "prompt");
		step(stage, () => deeds.prompt(stage));
		step(stage, () => deeds.arrive(stage, true));
		must(
			held.every((key) => facts.session.includes(key)),
			() => "what was held while muted goes with the next message",
		);
	}
	must(stage.scheduler.actions.length === 0, () => "nothing ticks when nothing runs");
	step(stage, () => deeds.replace(stage));
	checkNothingLeft(stage);
	return ends;
}

function leaveAll(stage: Stage): void {
	for (const reader of stage.facts.readers.filter(isWaiting)) {
		reader.left = true;
		reader.subscription?.unsubscribe();
	}
}

/** What was on its way when the session was replaced is the session's, as is what was held. */
function endsOfReplaced(stage: Stage): string[] {
	const before = stage.facts.session.length;
	deeds.pass(stage, 10_000);
	checkStep(stage);
	must(stage.facts.session.length === before, () => "nothing is published after the session was replaced");
	stage.facts.inFlight = [];
	return checkEnd(stage, true);
}

function settleAll(stage: Stage): void {
	const { facts } = stage;
	deeds.openSlots(stage, 64);
	for (let round = 0; round < 8 && facts.runs.some(({ closed, live }) => live || !closed); round++) {
		for (const run of facts.runs) {
			if (!run.live) continue;
			if (run.settledAt === undefined) deeds.settle(stage, run.agent, doneOutcome);
			deeds.close(stage, run.agent, "verified");
		}
	}
}

/** The parent comes to rest with all that was on its way; tells whether it is muted and something is held. */
function comeToRest(stage: Stage): boolean {
	const { facts } = stage;
	stage.takes = true;
	for (let turn = 0; turn < 8; turn++) {
		if (facts.inFlight.length > 0) step(stage, () => deeds.arrive(stage, true));
		step(stage, () => deeds.idle(stage));
		step(stage, () => deeds.pass(stage, 2_000));
		if (facts.inFlight.length === 0) break;
	}
	const tired = facts.runs.some(({ losses }) => losses >= 6);
	return (facts.parent.muted || tired) && due(facts, "prompt").length > 0;
}
