import { type Agents, SpawnRefused } from "./agents.ts";
import { checkGraph } from "./check-graph.ts";
import { createGroup } from "./create-group.ts";
import type { Group, GroupsOwner } from "./groups.ts";
import type { AgentId, GroupId } from "./ids.ts";

/** What `createGroups` needs from outside. */
export interface GroupsOptions {
	/** The owner of the members' runs. */
	readonly agents: Pick<Agents, "spawnAll">;
	/** Fresh identities, none of which is an agent's: randomness comes from outside. */
	readonly newGroupId: () => GroupId;
	/** Groups of earlier lives of the session. */
	readonly restored?: readonly Group[];
}

/** The groups of one parent session. They end with the session's agents. */
export function createGroups({ agents, newGroupId, restored = [] }: GroupsOptions): GroupsOwner {
	const groups = new Map<GroupId, Group>();
	const byAgent = new Map<AgentId, Group>();
	const add = (group: Group): void => {
		groups.set(group.groupId, group);
		for (const { agentId } of group.members) byAgent.set(agentId, group);
	};
	const adopt = (these: readonly Group[]): void => {
		for (const group of these) if (!groups.has(group.groupId)) add(group);
	};
	adopt(restored);
	return {
		spawn: (request) => {
			const problems = checkGraph(request.members);
			if (problems.length > 0) throw new SpawnRefused(problems.join(" "));
			const group = createGroup(newGroupId(), request, agents);
			add(group);
			return group;
		},
		get: (groupId) => groups.get(groupId),
		list: () => [...groups.values()],
		of: (agentId) => byAgent.get(agentId),
		adopt,
	};
}
