import { concat, defer, filter, from, type Observable } from "rxjs";
import type { Publishable } from "./agents.ts";
import type { AgentId } from "./ids.ts";

/** Results that agents are to have of agents that they have started. */
export interface KeptPublishable {
	/** What nobody has had yet, in the order of the spawns, and then each next one. Hot; completes with its source. */
	of(parent: AgentId): Observable<Publishable>;
}

/**
 * Keeps what agents leave unread: an agent that has ended may be resumed, and what its own agents came to is then still
 * its. Subscribes at once, until the source completes, which it does with the session.
 */
export function keepPublishable(publishable$: Observable<Publishable>): KeptPublishable {
	const kept = new Map<AgentId, Publishable[]>();
	const left = (parent: AgentId): Publishable[] => (kept.get(parent) ?? []).filter((one) => !isOver(one));
	// Owned by the session's agents, with whom it ends.
	void publishable$.subscribe({
		next: (publishable) => {
			const { parent } = publishable;
			if (parent !== undefined) kept.set(parent, [...left(parent), publishable]);
		},
		error: () => undefined,
	});
	return {
		of: (parent) =>
			concat(
				defer(() => from(left(parent))),
				publishable$.pipe(filter((publishable) => publishable.parent === parent)),
			),
	};
}

function isOver({ claim }: Publishable): boolean {
	return claim.state.kind === "delivered" || claim.state.kind === "committed";
}
