import type { EndedRun } from "./fold-ledger.ts";
import type { Group } from "./groups.ts";
import type { AgentId } from "./ids.ts";

/** What is known of a group of an earlier life of the session. It is none any more: its members are agents like others. */
export interface FormerGroup extends Pick<Group, "groupId" | "kind" | "description"> {
	/** The agent that started it; absent where the session itself did. */
	readonly parent?: AgentId;
	/** In the given order. */
	readonly members: readonly { readonly name: string; readonly agentId: AgentId }[];
}

/** The groups that these runs were started in, in the order in which they are met. */
export function formerGroups(runs: readonly EndedRun[]): readonly FormerGroup[] {
	const members = runs.flatMap(({ agentId, group, record: { parent } }) =>
		group === undefined ? [] : [{ agentId, group, parent }],
	);
	const ids = new Set(members.map(({ group }) => group.groupId));
	return [...ids].flatMap((groupId) => {
		const these = members
			.filter(({ group }) => group.groupId === groupId)
			.sort((a, b) => a.group.index - b.group.index);
		const [first] = these;
		if (first === undefined) return [];
		const { parent, group } = first;
		return [
			{
				groupId,
				kind: group.kind,
				description: group.description,
				...(parent === undefined ? {} : { parent }),
				members: these.map((one) => ({ name: one.group.member, agentId: one.agentId })),
			},
		];
	});
}
