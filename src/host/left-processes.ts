import { readdir, readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { hostFeatures } from "./host-features.ts";
import { isCode } from "./process-start.ts";

/** The session whose shell commands may have left processes. */
export interface ShellSession {
	readonly sessionId: string;
	/** `undefined` for a session that is kept in memory. */
	readonly sessionFile: string | undefined;
}

/** A process that was killed may be seen once more, and one that was being made has not been seen yet. */
const rounds = 20;

/**
 * Ends what the finished shell commands of a session have left running in the background, in whatever process group:
 * the host gives each command the session's id and file in its environment, and whatever it starts inherits them.
 * Resolves with what there is to say of that: nothing where there was nothing. Never rejects.
 *
 * Where processes cannot be told by that, it says so: on systems without `/proc`, and on hosts before 0.82.0. A process
 * that was started with another environment is not found.
 */
export async function endLeftProcesses(session: ShellSession): Promise<readonly string[]> {
	if (process.platform !== "linux" || !hostFeatures().shellKnowsSession) return [unknown];
	const ended = new Set<number>();
	for (let round = 0; round < rounds; round++) {
		const left = await processesOf(session);
		if (left.length === 0) return ended.size === 0 ? [] : [endedText(ended.size)];
		for (const pid of left) {
			if (!kill(pid)) return [unkillable];
			ended.add(pid);
		}
		await setImmediate();
	}
	return [unkillable];
}

const unknown = "Whether its shell commands have left processes in the background cannot be told here.";
const unkillable = "A process that its shell commands had left in the background could not be ended.";

function endedText(count: number): string {
	const what = count === 1 ? "A process" : `${count} processes`;
	return `${what} that its shell commands had left in the background ${count === 1 ? "was" : "were"} ended with it.`;
}

async function processesOf(session: ShellSession): Promise<readonly number[]> {
	const pids = (await readdir("/proc").catch(() => [])).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
	const marked = await Promise.all(pids.map(async (pid) => ((await isMarked(pid, session)) ? [pid] : [])));
	return marked.flat();
}

/** The environment of one that has ended is empty, and that of somebody else's cannot be read. */
async function isMarked(pid: number, { sessionId, sessionFile }: ShellSession): Promise<boolean> {
	const environment = (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).split("\0");
	if (!environment.includes(`PI_SESSION_ID=${sessionId}`)) return false;
	if (sessionFile !== undefined) return environment.includes(`PI_SESSION_FILE=${sessionFile}`);
	return !environment.some((entry) => entry.startsWith("PI_SESSION_FILE="));
}

/** `false` where it is there and may not be ended. */
function kill(pid: number): boolean {
	try {
		process.kill(pid, "SIGKILL");
		return true;
	} catch (error) {
		return isCode(error, "ESRCH");
	}
}
