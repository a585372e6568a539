import type { Command } from "fast-check";
import { doneOutcome, failedOutcome } from "../support/run-script.ts";
import * as deeds from "./deeds.ts";
import { checkStep, must } from "./rules.ts";
import { idOf, type Stage } from "./stage.ts";
import { currentRun, type Facts } from "./stage-facts.ts";

/** How many agents a story has, and how long it gets. */
export const agents = [1, 2, 3];
export const longestStory = 40;
const mostRuns = 4;

/** A stage and how far its story has got: what is known of it is all the model there is. */
export interface Story {
	readonly stage: Stage;
	steps: number;
}

/** One step of a story with several agents. */
export type Step = Command<Story, Stage>;

function step(word: string, may: (facts: Facts, stage: Stage) => boolean, act: (stage: Stage) => void): Step {
	return {
		check: ({ stage, steps }) => steps < longestStory && may(stage.facts, stage),
		run: (story, stage) => {
			story.steps++;
			act(stage);
			checkStep(stage);
			checkLine(stage);
			checkSlots(stage);
		},
		toString: () => word,
	};
}

/** Whoever stands in line is told the right place in it. */
function checkLine({ agents: { placeInLine }, facts }: Stage): void {
	facts.line.forEach((agent, index) => {
		const place = placeInLine(idOf(agent));
		must(place === index + 1, () => `the place in line: agent${agent} is number ${index + 1}, and is told ${place}`);
	});
}

/** A slot is not left free while somebody who could start waits; who waits for a session to close has a slot in hand. */
function checkSlots({ facts: { line, runs, slots } }: Stage): void {
	const closing = line.filter((agent) => runs.some((run) => run.agent === agent && !run.closed)).length;
	const taken = closing + runs.filter(({ live }) => live).length;
	must(
		line.length === closing || taken >= slots,
		() => `a free slot is taken: ${taken} of ${slots}, ${line.length} wait`,
	);
}

/** Every step that a story can have; which of them can happen is asked when it is their turn. */
export const steps: readonly Step[] = [...parentSteps(), ...agents.flatMap(agentSteps)];

function parentSteps(): Step[] {
	return [
		...agents.map((count) =>
			step("spawn", ({ runs }) => !runs.some(({ agent }) => agent === count) && isNext(runs, count), deeds.spawn),
		),
		...[0, 1, 2].map((slots) =>
			step(
				`slots ${slots}`,
				(facts) => facts.slots !== slots,
				(stage) => deeds.openSlots(stage, slots),
			),
		),
		step(
			"boundary",
			({ parent }) => parent.running,
			(stage) => deeds.take(stage, "boundary"),
		),
		step(
			"follow up",
			({ parent }) => parent.running,
			(stage) => deeds.take(stage, "follow_up"),
		),
		step("prompt", ({ parent }) => !parent.running && !parent.woken, deeds.prompt),
		step(
			"handover lost",
			({ inFlight }) => inFlight.length > 0,
			(stage) => deeds.arrive(stage, false),
		),
		step(
			"committed",
			({ inFlight }) => inFlight.length > 0,
			(stage) => deeds.arrive(stage, true),
		),
		step(
			"idle",
			({ parent }, { scheduler }) => !parent.woken && (parent.running || scheduler.actions.length > 0),
			deeds.idle,
		),
		step("mute", ({ parent }) => parent.running, deeds.mute),
		step(
			"a second passes",
			({ parent }, { scheduler }) => !parent.woken && scheduler.actions.length > 0,
			(stage) => deeds.pass(stage, 1000),
		),
		step(
			"the host refuses",
			(_facts, { takes }) => takes,
			(stage) => {
				stage.takes = false;
			},
		),
		step(
			"the host takes",
			(_facts, { takes }) => !takes,
			(stage) => {
				stage.takes = true;
			},
		),
	];
}

function isNext(runs: Facts["runs"], agent: number): boolean {
	return agent === 1 || runs.some((run) => run.agent === agent - 1);
}

function agentSteps(agent: number): Step[] {
	const isLive = (facts: Facts) => {
		const run = currentRun(facts, agent);
		return run?.live !== undefined && run.settledAt === undefined;
	};
	const isEnding = (facts: Facts) =>
		facts.runs.some((run) => run.agent === agent && run.live && run.settledAt !== undefined);
	const isOpen = (facts: Facts) =>
		currentRun(facts, agent) !== undefined && currentRun(facts, agent)?.settledAt === undefined;
	const mayResume = (facts: Facts) => {
		const run = currentRun(facts, agent);
		return run?.settledAt !== undefined && run.run < mostRuns;
	};
	return [
		step(`settle ok ${agent}`, isLive, (stage) => deeds.settle(stage, agent, doneOutcome)),
		step(`settle error ${agent}`, isLive, (stage) => deeds.settle(stage, agent, failedOutcome)),
		step(`close ${agent}`, isEnding, (stage) => deeds.close(stage, agent, "verified")),
		step(`grace over ${agent}`, isEnding, (stage) => deeds.close(stage, agent, "grace_expired")),
		step(`stop ${agent}`, isOpen, (stage) => deeds.stop(stage, agent)),
		step(`resume ${agent}`, mayResume, (stage) => deeds.resume(stage, agent)),
		...["A", "B"].flatMap((who) => [
			step(
				`claim ${who} ${agent}`,
				(facts) => currentRun(facts, agent) !== undefined && deeds.waitingReaders(facts, agent, who).length === 0,
				(stage) => deeds.claim(stage, agent, who),
			),
			step(
				`leave ${who} ${agent}`,
				(facts) => deeds.waitingReaders(facts, agent, who).length > 0,
				(stage) => deeds.leave(stage, agent, who),
			),
		]),
	];
}
