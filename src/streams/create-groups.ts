import { type Agents, SpawnRefused } from "./agents.ts";
import { checkGraph } from "./check-graph.ts";
import { createGroup } from "./create-group.ts";
import type { FormerGroup } from "./former-groups.ts";
import type { Group, Groups } from "./groups.ts";
import type { AgentId, GroupId } from "./ids.ts";

/** What `createGroups` needs from outside. */
export interface GroupsOptions {
	/** The owner of the members' runs. */
	readonly agents: Pick<Agents, "spawnAll">;
	/** Fresh identities, none of which is an agent's: randomness comes from outside. */
	readonly newGroupId: () => GroupId;
	/** What is known of groups of earlier lives of the session. */
	readonly former?: readonly FormerGroup[];
}

/** The groups of one parent session. They end with the session's agents. */
export function createGroups({ agents, newGroupId, former = [] }: GroupsOptions): Groups {
	const groups = new Map<GroupId, Group>();
	const byAgent = new Map<AgentId, Group>();
	return {
		spawn: (request) => {
			const problems = checkGraph(request.members);
			if (problems.length > 0) throw new SpawnRefused(problems.join(" "));
			const group = createGroup(newGroupId(), request, agents);
			groups.set(group.groupId, group);
			for (const { agentId } of group.members) byAgent.set(agentId, group);
			return group;
		},
		get: (groupId) => groups.get(groupId),
		list: () => [...groups.values()],
		of: (agentId) => byAgent.get(agentId),
		former,
	};
}
