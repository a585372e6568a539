import { onTestFinished } from "vitest";
import type { Pi } from "./pi.ts";
import { startTmux, type Tmux, type TmuxOptions } from "./tmux.ts";

/** An interactive `pi` in a terminal for the running test. It is ended when the test is over. */
export async function useTmux(pi: Pi, options: TmuxOptions = {}): Promise<Tmux> {
	const terminal = await startTmux(pi, options);
	onTestFinished(() => terminal.stop());
	return terminal;
}
