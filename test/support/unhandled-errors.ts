import { config } from "rxjs";

/** Runs `act` and resolves to what RxJS reported as unhandled because of it; RxJS reports from a timer of 0 ms. */
export async function unhandledErrors(act: () => void): Promise<unknown[]> {
	const reported: unknown[] = [];
	const before = config.onUnhandledError;
	config.onUnhandledError = (error) => {
		reported.push(error);
	};
	try {
		act();
		// Timers of equal delay fire in the order they were set, so this one fires after every report of `act`.
		await new Promise((resolve) => setTimeout(resolve, 0));
	} finally {
		config.onUnhandledError = before;
	}
	return reported;
}
