import { fileURLToPath } from "node:url";
import { createPrng } from "../../simulation/prng.ts";
import { text } from "../../support/chat-reply.ts";
import { ownExtension } from "../../support/pi-cli.ts";
import { readEntries } from "../../support/pi-home.ts";
import { leftToTest, useDelegation } from "../extension-fixture.ts";
import { arrivals, judgeSchedule, type ScheduleTally, tallySchedule } from "./judge-schedule.ts";
import { playMove, sayAnswer, sendPrompt } from "./moves.ts";
import { createScheduleWorld, type ScheduleWorld } from "./schedule-world.ts";

/** What came of a schedule. */
export interface PlayedSchedule {
	/** What is wrong with it; nothing when all is well. */
	readonly complaints: readonly string[];
	readonly tally: ScheduleTally;
}

/** How often the person may have to say something until all results have come. */
const mostFlushes = 12;

/**
 * Starts a real `pi`, plays that many random steps on it, then lets everything come to an end and looks at what the
 * session has kept. `log` gets a line for each thing that is done. The same seed makes the same choices as long as the same things are possible.
 */
export async function playSchedule(seed: number, steps: number, log: string[]): Promise<PlayedSchedule> {
	const prng = createPrng(seed);
	const rival = fileURLToPath(new URL("../../support/fixtures/rival.ts", import.meta.url));
	const { server, pi } = await useDelegation(
		{ parent: leftToTest, child: leftToTest },
		{
			orchestrator: { maxConcurrent: 1 + prng.below(3), stopGrace: 3_600 },
			extensions: [ownExtension(), ...(prng.chance(0.5) ? [rival] : [])],
		},
	);
	const rpc = pi.startRpc();
	const world = createScheduleWorld(server, rpc, prng, log);
	for (let step = 0; step < steps; step += 1) {
		// Moves of one step come at the same time: these are the races.
		const together = prng.chance(0.3) ? 2 + prng.below(2) : 1;
		if (together > 1) world.log.push(`${together} at once:`);
		const taken = Array.from({ length: together }, (_, index) => playMove(world, index === 0));
		await Promise.all(taken);
		await world.quiet();
	}
	const entries = await flush(world, () => readEntries(pi.sessionFiles()[0] ?? ""));
	return { complaints: judgeSchedule(world, entries), tally: tallySchedule(world, entries) };
}

/** Lets all runs end and all turns finish, and has the person say something until every result has come. */
async function flush(world: ScheduleWorld, read: () => ReturnType<typeof readEntries>) {
	world.log.push("the end:");
	let complete = false;
	for (let flushes = 0; flushes < mostFlushes; ) {
		await world.quiet();
		for (const exchange of world.childrenAsk()) sayAnswer(world, exchange);
		const parent = world.parentAsks();
		if (parent) {
			parent.play(text(world.fresh("word")));
		} else if (world.idle()) {
			// One message more than it takes: what comes twice has the time to come.
			if (complete) break;
			flushes += 1;
			complete = flushes > 1 && allArrived(world, read());
			await sendPrompt(world);
			await world.server.until(() => world.parentAsks(), "the parent's model to be asked");
		} else {
			await nextEvent(world);
		}
	}
	await world.rpc.stop();
	return read();
}

function allArrived(world: ScheduleWorld, entries: ReturnType<typeof readEntries>): boolean {
	return world.runs().every(({ prompt, background }) => {
		if (!background) return true;
		const answer = world.answers.get(prompt);
		if (answer === undefined) return false;
		const { published, returned } = arrivals(entries, answer);
		return published + returned > 0;
	});
}

/** Calls of the parent wait for agents that have not asked their models yet. */
async function nextEvent({ server, rpc }: ScheduleWorld): Promise<void> {
	const [logged, recorded] = [server.log.length, rpc.events.length];
	const happened = () => server.log.length > logged || rpc.events.length > recorded;
	await Promise.race([server.until(happened), rpc.untilHolds(happened)]);
}
