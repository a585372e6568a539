import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects what nothing refers to any more, and lets finalizers and the ends of connections have their turn. */
export async function collectGarbage(): Promise<void> {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	for (let round = 0; round < 3; round++) {
		collect();
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}
