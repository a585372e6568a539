import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * When a process was started, as a text that another process with the same id does not share; `undefined` when there is
 * no such process, or only what its parent has not collected yet. Where that cannot be found out it is `unknown` for
 * every process that is there.
 */
export async function processStart(pid: number): Promise<string | undefined> {
	if (process.platform === "linux") return linuxStart(pid);
	if (process.platform !== "win32") {
		try {
			const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)], {
				env: { ...process.env, LC_ALL: "C" },
			});
			return stdout.trim() === "" ? undefined : stdout.trim();
		} catch (error) {
			// It exits with 1 when there is none; where there is no `ps`, the process is asked for below.
			if (typeof error === "object" && error !== null && "code" in error && error.code === 1) return undefined;
		}
	}
	try {
		process.kill(pid, 0);
		return "unknown";
	} catch (error) {
		return isCode(error, "EPERM") ? "unknown" : undefined;
	}
}

/** Clock ticks since this boot, and which boot it was. */
async function linuxStart(pid: number): Promise<string | undefined> {
	try {
		const [stat, boot] = await Promise.all([
			readFile(`/proc/${pid}/stat`, "utf8"),
			readFile("/proc/sys/kernel/random/boot_id", "utf8"),
		]);
		// The name stands in parentheses and may hold any character: what follows the last one is in columns.
		const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state, ticks] = [columns[0], columns[19]];
		return state === "Z" || state === "X" ? undefined : `${boot.trim()} ${ticks}`;
	} catch {
		return undefined;
	}
}

/** Whether it is the system's error of that code. */
export function isCode(error: unknown, code: string): boolean {
	return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
