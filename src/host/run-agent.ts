import { Observable } from "rxjs";
import type { StartRun } from "../streams/ports.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { resolveChildResources } from "./child-resources.ts";
import { conductRun } from "./child-run.ts";
import { createRunPlaces } from "./run-places.ts";

/**
 * Runs as Observables over Pi: subscribing creates a child session and prompts it. See `RunEvent` for what comes out,
 * and in which order. It never errors. Each subscription is a run of its own.
 *
 * - A stop reaches the child at every step, start-up included: no model call begins after it. The outcome has the stop's
 *   verdict and the text so far.
 * - `closed` comes when the session is idle, its extensions have shut down and it is disposed: `verified`. Where that
 *   takes longer than `stopGraceSeconds`, `settled` and `closed` with `grace_expired` come then, and the session is
 *   disposed whenever it does come to rest.
 * - Unsubscribing before the end aborts and disposes the session in the background; nothing more is said.
 *
 * What children share is looked up when this is called, so that it is what the parent started with. Call it once for each
 * parent session.
 *
 * ```ts
 * const startRun = createStartRun(env);
 * startRun(spec, { stop$: NEVER, steering: createMailbox() }).subscribe({ next: record, error: report });
 * ```
 */
export function createStartRun(env: ChildEnvironment): StartRun {
	const resources = keepUnlessFailed(() => resolveChildResources(env));
	resources().catch(() => {
		// The first run meets the failure again, and says it.
	});
	const places = createRunPlaces();
	return (spec, inputs) =>
		new Observable((subscriber) => conductRun({ env, resources, places, spec, inputs }, subscriber));
}

/** Makes a thing once. A failure is not kept: the next to ask makes another attempt. */
function keepUnlessFailed<T>(make: () => Promise<T>): () => Promise<T> {
	let kept: Promise<T> | undefined;
	return async () => {
		const promise = kept ?? make();
		kept = promise;
		try {
			return await promise;
		} catch (error) {
			kept = kept === promise ? undefined : kept;
			throw error;
		}
	};
}
