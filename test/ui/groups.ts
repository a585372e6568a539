import { EMPTY } from "rxjs";
import type { Group } from "../../src/streams/groups.ts";
import type { GroupId } from "../../src/streams/ids.ts";
import { type AgentRecord, isTerminal } from "../../src/streams/record.ts";

/** A crew of these records, which are named `m1`, `m2`, …; each waits for the one before it. */
export function crewOf(id: string, records: readonly AgentRecord[]): Group {
	return {
		groupId: id as GroupId,
		kind: "crew",
		description: `the task of ${id}`,
		background: true,
		join: "group",
		members: records.map((record, index) => ({
			name: `m${index + 1}`,
			agentId: record.agentId,
			after: index === 0 ? [] : [`m${index}`],
			record,
		})),
		isOver: records.every(isTerminal),
		watch$: EMPTY,
		foreground$: EMPTY,
		completion$: EMPTY,
		claim$: EMPTY,
	};
}
