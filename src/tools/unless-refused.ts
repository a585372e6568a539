import { SpawnRefused } from "../streams/agents.ts";

/** What was spawned, or why nothing was: a refusal is an answer, and no failure of the call. Other errors are thrown on. */
export function unlessRefused<T>(
	spawn: () => T,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string } {
	try {
		return { ok: true, value: spawn() };
	} catch (error) {
		if (error instanceof SpawnRefused) return { ok: false, problem: error.message };
		throw error;
	}
}
