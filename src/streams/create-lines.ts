import type { Observable } from "rxjs";
import { type Admission, createAdmission } from "../operators/index.ts";
import type { AgentId } from "./ids.ts";

/** The lines in which background agents stand: one for the session, and one for each agent that has started some. */
export interface Lines {
	/** The line of those that this agent starts, or the session where it is `undefined`. */
	of(parent: AgentId | undefined): Admission;
	/** Nobody stands in this agent's line any more. The session's line stays. */
	drop(parent: AgentId | undefined): void;
	/** Ends all lines. */
	close(): void;
}

/**
 * Each line has as many slots as `limit$` says. An agent does not need a slot of the session's line to get an agent of
 * its own started: it holds one while it waits, so that with few slots nobody would ever leave. What agents stand in an
 * agent's line only ever wait for slots that their siblings have, which end without them.
 */
export function createLines(limit$: Observable<number>): Lines {
	const session = createAdmission({ limit$ });
	const nested = new Map<AgentId, Admission>();
	return {
		of: (parent) => {
			if (parent === undefined) return session;
			const line = nested.get(parent) ?? createAdmission({ limit$ });
			nested.set(parent, line);
			return line;
		},
		drop: (parent) => {
			if (parent === undefined) return;
			nested.get(parent)?.close();
			nested.delete(parent);
		},
		close: () => {
			session.close();
			for (const line of nested.values()) line.close();
			nested.clear();
		},
	};
}
