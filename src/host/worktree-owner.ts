import { readFile } from "node:fs/promises";
import { runProcess } from "./worktree-process.ts";

/** A process, by its id and the time at which it began: an id alone is given to others after a while. */
export interface ProcessOwner {
	readonly pid: number;
	/** In whatever form the system tells it; `undefined` where it does not. */
	readonly started: string | undefined;
}

export async function thisProcess(): Promise<ProcessOwner> {
	return { pid: process.pid, started: await startOf(process.pid) };
}

/** Whether that very process still runs. */
export async function isRunning(owner: ProcessOwner): Promise<boolean> {
	try {
		process.kill(owner.pid, 0);
	} catch (error) {
		// Not ours to signal, and there.
		if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
	}
	const started = await startOf(owner.pid);
	return owner.started === undefined || started === undefined || owner.started === started;
}

async function startOf(pid: number): Promise<string | undefined> {
	try {
		if (process.platform === "linux") {
			const stat = await readFile(`/proc/${pid}/stat`, "utf8");
			// After the command in parentheses, which may have any character in it: the 20th field is the start.
			return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
		}
		const signal = AbortSignal.timeout(5_000);
		const call = { cwd: "/", env: { ...process.env, LC_ALL: "C" }, signal };
		const { stdout } = await runProcess("ps", ["-o", "lstart=", "-p", String(pid)], call);
		return stdout.trim() === "" ? undefined : stdout.trim();
	} catch {
		return undefined;
	}
}
