import { type SpawnOptions, spawn } from "node:child_process";

/** How a child process ended, and what it wrote. */
export interface ProcessEnd {
	/** `undefined` when a signal ended it. */
	readonly code: number | undefined;
	readonly stdout: string;
	readonly stderr: string;
}

export interface ProcessCall {
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** Ends the process and everything it has started; the promise then rejects with the signal's reason. */
	readonly signal: AbortSignal;
	/** `command` is a line for the shell. Only for what a person has configured as such. */
	readonly shell?: boolean;
}

/** What is kept of each output: the beginning of an answer is of no use without its end, so longer ones are an error. */
const longestOutput = 64 * 2 ** 20;

/** Output may be held open by a process that outlives the one that was started; nothing more is waited for then. */
const drainMs = 250;

/** Between asking a process to end, so that it takes its lock files along, and ending it. */
const killAfterMs = 3_000;

/**
 * Runs a process of its own process group: a Ctrl-C in the terminal, which reaches every process of the foreground group,
 * does not end a commit half-way. Resolves when the process has ended, whatever its code; rejects when it could not be
 * started, and with the signal's reason when that aborts: not before the process has ended.
 */
export function runProcess(command: string, args: readonly string[], call: ProcessCall): Promise<ProcessEnd> {
	const { signal } = call;
	return new Promise((resolve, reject) => {
		signal.throwIfAborted();
		const options: SpawnOptions = {
			cwd: call.cwd,
			env: call.env,
			shell: call.shell ?? false,
			detached: process.platform !== "win32",
			windowsHide: true,
			stdio: ["ignore", "pipe", "pipe"],
		};
		const child = spawn(command, [...args], options);
		const stdout: Buffer[] = [];
		const stderr: Buffer[] = [];
		let size = 0;
		let overflow = false;
		let timer: NodeJS.Timeout | undefined;
		const end = (name: NodeJS.Signals) => killGroup(child.pid, name);
		const stop = () => {
			end("SIGTERM");
			timer = setTimeout(() => end("SIGKILL"), killAfterMs);
		};
		const take = (chunks: Buffer[]) => (chunk: Buffer) => {
			size += chunk.length;
			if (size <= longestOutput) chunks.push(chunk);
			else if (!overflow) {
				overflow = true;
				stop();
			}
		};
		const settle = (act: () => void) => {
			clearTimeout(timer);
			signal.removeEventListener("abort", stop);
			child.stdout?.destroy();
			child.stderr?.destroy();
			act();
		};
		const finish = (code: number | null) =>
			settle(() => {
				if (signal.aborted) reject(signal.reason as Error);
				else if (overflow) reject(new Error(`${command} wrote more than ${longestOutput} bytes`));
				else resolve({ code: code ?? undefined, stdout: textOf(stdout), stderr: textOf(stderr) });
			});
		signal.addEventListener("abort", stop, { once: true });
		child.stdout?.on("data", take(stdout));
		child.stderr?.on("data", take(stderr));
		child.on("error", (error) => settle(() => reject(error)));
		child.on("close", finish);
		child.on("exit", (code) => {
			clearTimeout(timer);
			timer = setTimeout(() => finish(code), drainMs);
		});
	});
}

function killGroup(pid: number | undefined, name: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(process.platform === "win32" ? pid : -pid, name);
	} catch {
		// It has ended by itself.
	}
}

function textOf(chunks: readonly Buffer[]): string {
	return Buffer.concat(chunks).toString("utf8");
}
