/**
 * Runs `act` without real timers: whoever sets one has not taken its time from the scheduler. RxJS reports what an
 * observer throws with a timer of its own; that one is run at once, and its error is caught. (A test runner's own timers
 * are not concerned: it keeps its own reference to the functions.)
 */
export async function withoutRealTimers<T>(caught: (error: unknown) => void, act: () => Promise<T>): Promise<T> {
	const { setTimeout, setInterval } = globalThis;
	const report = (callback: () => void, delay?: number): void => {
		if (delay !== undefined) {
			caught(new Error(`a real timer of ${delay} ms is set`));
			return;
		}
		try {
			callback();
		} catch (error) {
			caught(error);
		}
	};
	Object.assign(globalThis, { setTimeout: report, setInterval: report });
	try {
		return await act();
	} finally {
		Object.assign(globalThis, { setTimeout, setInterval });
	}
}
