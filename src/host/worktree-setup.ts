import { oneLine, sanitizeText } from "../streams/plain-text.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { runProcess } from "./worktree-process.ts";

export interface SetupCall {
	/** A line for the shell, as the user has written it in the settings. */
	readonly command: string;
	/** The worktree. */
	readonly path: string;
	/** The working tree that it was made from, for what is to be copied or linked from there. */
	readonly source: string;
	readonly agentId: string;
	readonly signal: AbortSignal;
	readonly timeoutMs: number;
}

/** How much of a failed setup's output is passed on: the end of it, where the reason usually is. */
const longestOutput = 2_000;

/**
 * Makes a fresh worktree ready: runs the user's command there, with `PI_WORKTREE`, `PI_WORKTREE_SOURCE` and `PI_AGENT_ID`.
 * Rejects with a `StartupFailure` that has the end of the output, and with the signal's reason when that aborts.
 */
export async function runSetup(setup: SetupCall): Promise<void> {
	const timeout = AbortSignal.timeout(setup.timeoutMs);
	const env = {
		...process.env,
		PI_WORKTREE: setup.path,
		PI_WORKTREE_SOURCE: setup.source,
		PI_AGENT_ID: setup.agentId,
	};
	const call = { cwd: setup.path, env, shell: true, signal: AbortSignal.any([setup.signal, timeout]) };
	const shown = oneLine(setup.command, 200);
	try {
		const { code, stdout, stderr } = await runProcess(setup.command, [], call);
		if (code === 0) return;
		const said = sanitizeText(`${stdout}\n${stderr}`).trim().slice(-longestOutput);
		const ended = code === undefined ? "was killed" : `ended with ${code}`;
		throw new StartupFailure(`The setup of the worktree (${shown}) ${ended}${said === "" ? "." : `:\n${said}`}`);
	} catch (error) {
		if (!timeout.aborted || setup.signal.aborted) throw error;
		throw new StartupFailure(`The setup of the worktree (${shown}) took longer than ${setup.timeoutMs / 1000} s.`);
	}
}
