import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Pi } from "./pi.ts";

/** A terminal of its own, in which an interactive `pi` runs. */
export interface Tmux {
	/** Types text, as it stands. */
	type(text: string): Promise<void>;
	/** Presses keys by tmux's names for them: `Enter`, `Escape`, `C-c`, `M-k`, `Up`. */
	press(...keys: string[]): Promise<void>;
	/** Types text and presses Enter. */
	enter(text: string): Promise<void>;
	/** What the terminal shows now, without colours. */
	screen(): Promise<string>;
	/** The same with everything that scrolled out at the top. */
	history(): Promise<string>;
	/**
	 * What the terminal shows once that satisfies the predicate. A screen has no event to wait for, so it is looked at
	 * ten times a second. Rejects, with the screen, when the terminal ends before.
	 */
	untilScreen(predicate: (screen: string) => boolean, what?: string): Promise<string>;
	resize(columns: number, rows: number): Promise<void>;
	/** Ends the terminal and what runs in it. Harmless the second time. */
	stop(): Promise<void>;
}

export interface TmuxOptions {
	readonly columns?: number;
	readonly rows?: number;
	readonly args?: readonly string[];
}

/** Whether tmux is installed. */
export function tmuxAvailable(): boolean {
	try {
		execFileSync("sh", ["-c", "command -v tmux"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

const run = promisify(execFile);

/**
 * Opens a terminal with the interactive mode of `pi` in it, under a tmux server of its own. When Pi has ended, the
 * screen says `pi ended: <code>` and stays. The caller stops it; in a test, use `useTmux`.
 */
export async function startTmux(pi: Pi, { columns = 110, rows = 40, args = [] }: TmuxOptions = {}): Promise<Tmux> {
	const socket = `pi-test-${randomUUID()}`;
	const { node, args: piArgs, env } = pi.command(args);
	const tmux = async (...words: string[]) => (await run("tmux", ["-L", socket, ...words])).stdout;
	let stopped = false;

	// Pi's environment is set in the command, whole: a tmux server would mix in its own.
	const assignments = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
	const pidFile = join(pi.root, `${socket}.pid`);
	const command = [
		`echo $$ > ${quote(pidFile)};`,
		...["exec env -i", "TERM=xterm-256color", ...assignments, quote(node), ...piArgs.map(quote)],
	].join(" ");
	await run("tmux", [
		...["-L", socket, "-f", "/dev/null", "new-session", "-d", "-s", "pi"],
		...["-x", String(columns), "-y", String(rows), "-c", pi.cwd],
		`sh -c ${quote(command)}; echo "pi ended: $?"; exec cat`,
	]);

	const screen = () => tmux("capture-pane", "-p", "-t", "pi");

	async function untilScreen(predicate: (screen: string) => boolean, what = `${predicate}`): Promise<string> {
		let last = "";
		while (!stopped) {
			try {
				last = await screen();
			} catch (error) {
				// A look that the end of the server has cut short.
				if (stopped) break;
				throw error;
			}
			if (predicate(last)) {
				return last;
			}
			await delay(100);
		}
		throw new Error(`the terminal was stopped while waiting for ${what}; it showed:\n${last}`);
	}

	async function type(text: string): Promise<void> {
		await tmux("send-keys", "-t", "pi", "-l", "--", text);
	}

	async function press(...keys: string[]): Promise<void> {
		await tmux("send-keys", "-t", "pi", ...keys);
	}

	async function stop(): Promise<void> {
		if (!stopped) {
			stopped = true;
			await tmux("kill-server");
			// The hangup reaches Pi as a signal, and Pi takes its time to shut down in order.
			await untilGone(Number(await readFile(pidFile, "utf8").catch(() => "")));
		}
	}

	return {
		type,
		press,
		async enter(text) {
			await type(text);
			await press("Enter");
		},
		screen,
		history: () => tmux("capture-pane", "-p", "-S", "-", "-t", "pi"),
		untilScreen,
		async resize(newColumns, newRows) {
			await tmux("resize-window", "-t", "pi", "-x", String(newColumns), "-y", String(newRows));
		},
		stop,
	};
}

/** Waits until a process has ended; kills it after five seconds. Looked at, since it is not a child of this process. */
async function untilGone(pid: number): Promise<void> {
	for (let looks = 0; pid > 0 && isAlive(pid); looks += 1) {
		if (looks === 100) {
			process.kill(pid, "SIGKILL");
		}
		await delay(50);
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** A word for `sh`. */
function quote(word: string): string {
	return `'${word.replaceAll("'", "'\\''")}'`;
}
