import type { AgentRun } from "./agent-run.ts";
import type { AgentId } from "./ids.ts";
import { type AgentRecord, isTerminal } from "./record.ts";

/** The runs that are not over of agents that agents have started. */
export interface Family {
	add(run: AgentRun): void;
	/** Whether it was the last one of its parent's. */
	remove(run: AgentRun): boolean;
	/** Those that have not ended of the agents below these, each once, the nearest first. */
	below(agentIds: Iterable<AgentId>): readonly AgentRun[];
}

export function createFamily(): Family {
	const children = new Map<AgentId, Set<AgentRun>>();
	return {
		add: (run) => {
			const { parent } = run.record;
			if (parent === undefined) return;
			const siblings = children.get(parent) ?? new Set();
			children.set(parent, siblings.add(run));
		},
		remove: (run) => {
			const { parent } = run.record;
			const siblings = parent === undefined ? undefined : children.get(parent);
			if (parent === undefined || siblings === undefined) return false;
			siblings.delete(run);
			return siblings.size === 0 && children.delete(parent);
		},
		below: (agentIds) => {
			const found = new Set<AgentRun>();
			const open = [...agentIds];
			// It grows while it is gone through: behind the children stand theirs.
			for (const agentId of open) {
				for (const run of children.get(agentId) ?? []) {
					if (isTerminal(run.record) || found.has(run)) continue;
					found.add(run);
					open.push(run.record.agentId);
				}
			}
			return [...found];
		},
	};
}

/** The agents above this one, the nearest first, up to one that the session itself has started. */
export function agentsAbove(
	record: AgentRecord,
	find: (agentId: AgentId) => AgentRecord | undefined,
): readonly AgentId[] {
	const above: AgentId[] = [];
	for (let { parent } = record; parent !== undefined; parent = find(parent)?.parent) above.push(parent);
	return above;
}

/** How deep an agent is: 1 for one that the session itself has started. */
export function depthOf(record: AgentRecord, find: (agentId: AgentId) => AgentRecord | undefined): number {
	return agentsAbove(record, find).length + 1;
}

/** Records with those below each behind it, one level deeper; those whose parent is not among them are at level 0. */
export function inTree(
	records: readonly AgentRecord[],
): readonly { readonly record: AgentRecord; readonly level: number }[] {
	const known = new Set(records.map(({ agentId }) => agentId));
	const children = new Map<AgentId | undefined, AgentRecord[]>();
	for (const record of records) {
		const parent = record.parent !== undefined && known.has(record.parent) ? record.parent : undefined;
		children.set(parent, [...(children.get(parent) ?? []), record]);
	}
	const from = (parent: AgentId | undefined, level: number): { record: AgentRecord; level: number }[] =>
		(children.get(parent) ?? []).flatMap((record) => [{ record, level }, ...from(record.agentId, level + 1)]);
	return from(undefined, 0);
}
