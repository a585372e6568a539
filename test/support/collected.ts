import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Whether what `make` returns becomes garbage once nobody but the code under test could hold it. `make` must keep no
 * reference of its own.
 */
export async function isCollected(make: () => object): Promise<boolean> {
	setFlagsFromString("--expose-gc");
	const collectGarbage = runInNewContext("gc") as () => void;
	const made = new WeakRef(make());
	// A `WeakRef` holds its target until the task that made it is over.
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
	return made.deref() === undefined;
}
