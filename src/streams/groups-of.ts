import type { Group, Groups } from "./groups.ts";
import type { AgentId } from "./ids.ts";

/** What one parent, the session itself or an agent, sees of all groups: those that it has started itself. */
export function groupsOf(groups: Groups, parent: AgentId | undefined): Groups {
	const own = (group: Group | undefined): Group | undefined => (group?.parent === parent ? group : undefined);
	return {
		spawn: (request) => groups.spawn(parent === undefined ? request : { ...request, parent }),
		get: (groupId) => own(groups.get(groupId)),
		list: () => groups.list().filter(own),
		of: (agentId) => own(groups.of(agentId)),
	};
}
