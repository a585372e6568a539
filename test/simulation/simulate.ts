import { scatter } from "./prng.ts";
import { withoutRealTimers } from "./real-timers.ts";
import type { Violation } from "./rules.ts";
import type { Script } from "./script.ts";
import { createSimulation, type Simulation } from "./simulation.ts";

/** What a script came to. */
export interface Report {
	readonly agents: number;
	/** Virtual steps: after each of them everything was judged. */
	readonly steps: number;
	/** Virtual milliseconds. */
	readonly time: number;
	/** The first rule that was broken; `undefined` when none was. */
	readonly violation: Violation | undefined;
}

/** More steps than any script needs: who does not come to rest within them never does. */
const enough = 200_000;

const everyPromise = (): Promise<void> =>
	new Promise((resolve) => {
		setImmediate(resolve);
	});

/**
 * Runs a script from its first step until nothing is left of its last session. The world's steps are virtual, promises
 * are real: before time goes on all of them run, however long the chain, as they do between two timers of a real event
 * loop. Between two steps at the same instant the script's `interleave` says how many turns of the microtask queue
 * pass, none included: so a signal can abort between a settlement and the answer that is made of it.
 */
export async function simulate(script: Script): Promise<Report> {
	const simulation = createSimulation(script);
	return withoutRealTimers(
		(error) => simulation.judge.fail("throws", String(error)),
		async () => {
			const steps = await play(script, simulation);
			return {
				agents: simulation.agents,
				steps,
				time: simulation.clock.scheduler.now(),
				violation: simulation.judge.verdict,
			};
		},
	);
}

async function play({ interleave = 0 }: Script, simulation: Simulation): Promise<number> {
	const { clock, judge } = simulation;
	let steps = 0;
	for (;;) {
		const due = clock.nextDue;
		if (simulation.awaited) {
			const turns = due === clock.scheduler.now() ? turnsBefore(steps, interleave) : undefined;
			if (turns === undefined) {
				await everyPromise();
				simulation.checkStill();
			} else for (let turn = 0; turn < turns; turn++) await undefined;
		}
		if (judge.verdict !== undefined) return steps;
		if (clock.nextDue === undefined) {
			if (!simulation.proceed()) return steps;
			continue;
		}
		steps++;
		if (steps > enough) {
			judge.fail("rest", `${steps} steps, and no end`);
			return steps;
		}
		try {
			clock.step();
		} catch (error) {
			judge.fail("throws", error instanceof Error ? (error.stack ?? error.message) : String(error));
		}
		simulation.check();
	}
}

/** How many turns of the microtask queue come before a step; `undefined` for all there are. */
function turnsBefore(step: number, interleave: number): number | undefined {
	if (interleave === 0) return undefined;
	const choice = scatter(interleave ^ Math.imul(step, 0x9e3779b1)) % 8;
	return choice > 5 ? undefined : choice;
}
