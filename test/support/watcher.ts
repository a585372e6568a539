/** Lets tests wait for a condition on things that happen, without asking again and again. */
export interface Watcher {
	/** Says that something happened: every pending condition is asked again, in the order they were made. */
	notify(): void;
	/**
	 * The first truthy answer of `condition`, asked now and after each `notify`. Rejects when `condition` throws and when
	 * the watcher is closed. `what` names the wait in that rejection.
	 */
	until<T>(condition: () => T | undefined | null | false, what?: string): Promise<T>;
	/** Rejects what is still pending, and every later `until` whose condition does not hold. */
	close(why: string): void;
}

/** A watcher with nothing pending. */
export function createWatcher(): Watcher {
	const pending = new Set<() => void>();
	let closed: string | undefined;

	function notify(): void {
		// A copy: a check that succeeds leaves the set, and a continuation may add a new one.
		for (const check of [...pending]) {
			check();
		}
	}

	function until<T>(condition: () => T | undefined | null | false, what = "a condition"): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			function check(): void {
				try {
					const answer = condition();
					if (answer) {
						pending.delete(check);
						resolve(answer);
					} else if (closed !== undefined) {
						pending.delete(check);
						reject(new Error(`${closed}, while waiting for ${what}`));
					}
				} catch (error) {
					pending.delete(check);
					reject(error);
				}
			}
			pending.add(check);
			check();
		});
	}

	function close(why: string): void {
		closed ??= why;
		notify();
	}

	return { notify, until, close };
}
