import type { Observable } from "rxjs";
import type { Reading, SpawnRequest } from "./agents.ts";
import type { AgentId, GroupId, ToolCallId } from "./ids.ts";
import type { AgentRecord, TerminalRecord } from "./record.ts";

/** How a group came to be: `swarm`, many agents on one task; `crew`, named members with tasks of their own. */
export type GroupKind = "swarm" | "crew";

/** One member that a group is to have. Everything in it has been validated. */
export interface MemberRequest {
	/** Unique within the group. */
	readonly name: string;
	readonly spawn: Omit<SpawnRequest, "background" | "toolCallId">;
	/** Names of the members whose results this one needs before it starts. No cycles: `checkGraph` refuses them. */
	readonly after: readonly string[];
}

/** What a call asks for when it wants several agents that belong together. */
export interface GroupRequest {
	readonly kind: GroupKind;
	readonly description: string;
	/** At least two, in the order in which results are told. */
	readonly members: readonly MemberRequest[];
	/** Members stand in line either way; a background group goes on after the call and is published. */
	readonly background: boolean;
	/** `group`: one publication when all members have ended. `each`: one for each member as it ends. */
	readonly join: "group" | "each";
	readonly toolCallId?: ToolCallId;
	/** The agent that asks; the session itself where it is absent. */
	readonly parent?: AgentId;
}

/** One member of a group, and its run in it: a later resume of the agent is a matter of its own. */
export interface GroupMember {
	readonly name: string;
	readonly agentId: AgentId;
	readonly after: readonly string[];
	/** The newest snapshot of the run that the group started, also after the agent has been resumed. */
	readonly record: AgentRecord;
}

/** Agents that were started together and whose results are told together. */
export interface Group {
	readonly groupId: GroupId;
	readonly kind: GroupKind;
	readonly description: string;
	readonly background: boolean;
	readonly join: "group" | "each";
	readonly toolCallId?: ToolCallId;
	/** The agent that started it; absent where the session itself did. */
	readonly parent?: AgentId;
	/** In the given order. */
	readonly members: readonly GroupMember[];
	/** Whether every member has ended. */
	readonly isOver: boolean;
	/** The members' snapshots in the given order: the current ones, then after each change; completes when all have ended. */
	readonly watch$: Observable<readonly AgentRecord[]>;
	/** Like `watch$`, but unsubscribing before the end stops every member: the handle of a foreground call. */
	readonly foreground$: Observable<readonly AgentRecord[]>;
	/** The members' terminal records in the given order, once and for ever the same. Leaving stops nothing. */
	readonly completion$: Observable<readonly TerminalRecord[]>;
	/**
	 * Like `completion$`, but each subscription holds back the group's publication until it has left or got all of them.
	 * Nothing is consumed before all are there: a wait that is given up has taken no result away.
	 */
	readonly claim$: Observable<readonly Reading[]>;
}

/** All groups of one parent session. Owns no run: their owner is `Agents`. */
export interface Groups {
	/**
	 * Creates the records of all members, then starts or queues those that wait for nobody. When this returns every id
	 * and completion exists. Throws `SpawnRefused`, and nothing has happened then: all members or none.
	 */
	spawn(request: GroupRequest): Group;
	get(groupId: GroupId): Group | undefined;
	/** In the order of their creation. */
	list(): readonly Group[];
	/** The group that an agent belongs to. */
	of(agentId: AgentId): Group | undefined;
}

/** All groups as their owner has them. */
export interface GroupsOwner extends Groups {
	/** Takes in groups of another life of the session, whose members `Agents` has adopted. */
	adopt(these: readonly Group[]): void;
}
