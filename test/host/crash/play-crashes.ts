import { account, deliveries } from "./crash-accounts.ts";
import { type Phase, reachMoment } from "./crash-moments.ts";
import { type CrashWorld, openCrashWorld } from "./crash-world.ts";

/** A moment at which a process is killed. */
export interface Moment {
	readonly phase: Phase;
	readonly variant: number;
}

/** What came of some crashes in one session. */
export interface CrashReport {
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	readonly runs: number;
	readonly moments: readonly Moment[];
}

/**
 * Kills a real Pi at these moments, one after the other in one session, which it reopens each time, and accounts for
 * every agent after each. Ends with the first moment after which something is wrong; then that is the last in the report.
 */
export async function playCrashes(moments: readonly Moment[]): Promise<CrashReport> {
	const world = await openCrashWorld();
	const done: Moment[] = [];
	try {
		for (const moment of moments) {
			done.push(moment);
			await reachMoment(world, moment.phase, moment.variant);
			await world.kill();
			await world.reopen();
			const accounts = await lookAfter(world);
			const last = moment === moments.at(-1);
			if (accounts.lost.length + accounts.doubled.length > 0 || last) return { ...accounts, moments: done };
		}
		return { lost: [], doubled: [], runs: 0, moments: done };
	} catch (error) {
		const where = done.at(-1);
		throw new Error(`${where?.phase}, variant ${where?.variant}: ${String(error)}`, { cause: error });
	} finally {
		await world.dispose();
	}
}

/** What a person would do: asks who is there, says something, which brings what was muted, and reads what has not come. */
async function lookAfter(world: CrashWorld) {
	const listed = world.rpc.untilNext((record) => record.method === "notify", "the list of agents");
	await world.rpc.request({ type: "prompt", message: "/agents list" });
	const { message } = (await listed) as { message?: unknown };
	await world.rpc.prompt("quiet");
	const ids = new Set(world.lines().flatMap((line) => (line.type === "opened" ? [line.agent] : [])));
	const had = new Set(deliveries(world.entries()).map((key) => key.replace(/#.*/, "")));
	const unread = [...ids].filter((id) => !had.has(id));
	if (unread.length > 0) await world.rpc.prompt(`read: ${unread.join(", ")}`);
	return account(world, new Set([...ids].filter((id) => String(message).includes(id))));
}
