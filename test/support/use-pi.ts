import { onTestFinished } from "vitest";
import { createPi, type Pi, type PiOptions } from "./pi.ts";

/** A real `pi` for the running test. Whatever it started is ended, and its home removed, when the test is over. */
export function usePi(options: PiOptions = {}): Pi {
	const pi = createPi(options);
	onTestFinished(() => pi.dispose());
	return pi;
}
