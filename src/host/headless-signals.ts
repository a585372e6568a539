/** What the one-shot modes do about signals while a session lives. */
export interface SignalHandling {
	/**
	 * SIGTERM or SIGHUP: the host ends the session by itself, but some hosts only once every handler of its events has
	 * returned. Called beside the host's own listener, at once.
	 */
	readonly onTerminate: () => void;
	/**
	 * SIGINT, of which the host does not know: the process dies of it when this has settled, and at once at the second.
	 * Called once. `undefined`: there is nothing to end, and it dies right away.
	 */
	readonly onInterrupt: () => Promise<void> | undefined;
}

const terminating = ["SIGTERM", "SIGHUP"] as const;

/** Listens for signals until the returned function is called. A listener keeps no process alive. */
export function handleSignals({ onTerminate, onInterrupt }: SignalHandling): () => void {
	const stop = (): void => {
		for (const signal of terminating) process.off(signal, onTerminate);
		process.off("SIGINT", interrupt);
	};
	// An own listener takes away the signal's default: when all is ended, the process gives itself what it was sent.
	const die = (): void => {
		stop();
		process.kill(process.pid, "SIGINT");
	};
	let interrupted = false;
	const interrupt = (): void => {
		const ending = interrupted ? undefined : onInterrupt();
		interrupted = true;
		if (ending === undefined) die();
		else ending.then(die, die);
	};
	for (const signal of terminating) process.on(signal, onTerminate);
	process.on("SIGINT", interrupt);
	return stop;
}
