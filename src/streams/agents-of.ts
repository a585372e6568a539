import { filter } from "rxjs";
import type { Agents } from "./agents.ts";
import type { AgentId } from "./ids.ts";
import type { AgentRecord } from "./record.ts";

/** The agents of one parent: the session itself, or an agent. Their owner is `Agents`. */
export type OwnAgents = Omit<Agents, "shutdown">;

/**
 * What one parent sees of all agents: those that it has started itself. Others are unknown here, their own agents
 * included; what it starts here is its own.
 */
export function agentsOf(agents: Agents, parent: AgentId | undefined): OwnAgents {
	const isOwn = (record: AgentRecord): boolean => record.parent === parent;
	const get = (agentId: AgentId): AgentRecord | undefined => {
		const record = agents.get(agentId);
		return record !== undefined && isOwn(record) ? record : undefined;
	};
	const own = (agentId: AgentId): AgentId => {
		if (get(agentId) === undefined) throw new Error(`There is no agent ${agentId}`);
		return agentId;
	};
	const asOwn = <T extends object>(request: T): T => (parent === undefined ? request : { ...request, parent });
	return {
		spawn: (request) => agents.spawn(asOwn(request)),
		spawnAll: (requests) => agents.spawnAll(requests.map(asOwn)),
		resume: (agentId, request) => agents.resume(own(agentId), request),
		get,
		list: () => agents.list().filter(isOwn),
		placeInLine: (agentId) => (get(agentId) === undefined ? undefined : agents.placeInLine(agentId)),
		changes$: agents.changes$.pipe(filter(isOwn)),
		watch: (agentId) => agents.watch(own(agentId)),
		foreground: (agentId) => agents.foreground(own(agentId)),
		completion: (agentId) => agents.completion(own(agentId)),
		claim: (agentId) => agents.claim(own(agentId)),
		stop: (agentIds, request) => agents.stop(agentIds.map(own), request),
		steer: (agentId, message) => agents.steer(own(agentId), message),
		publishable$: agents.publishable$.pipe(filter((publishable) => publishable.parent === parent)),
	};
}
