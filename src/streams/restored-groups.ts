import { defer, of } from "rxjs";
import type { AgentRun } from "./agent-run.ts";
import { claimAll } from "./claim-all.ts";
import { groupFacts, groupMember } from "./group-facts.ts";
import { createGroupGate, type GroupGate } from "./group-gate.ts";
import type { Group } from "./groups.ts";
import type { GroupId } from "./ids.ts";
import type { LedgerGroup } from "./ledger-line.ts";
import { isTerminal } from "./record.ts";
import { type RestoredRun, type RevivedRun, restoreRun } from "./restored-run.ts";

/** What an earlier life of the session has left: its runs, and the groups that they were started in. */
export interface RestoredLife {
	readonly runs: readonly RevivedRun[];
	readonly groups: readonly Group[];
}

interface Member {
	readonly group: LedgerGroup;
	readonly run: AgentRun;
}

/**
 * Makes runs of an earlier life into runs of this one, and puts those together again that were started together. A group
 * has those of its members that are among `these`: all of them have ended, so it is read, and published, at once.
 */
export function restoreLife(these: readonly RestoredRun[]): RestoredLife {
	const gates = new Map<GroupId, GroupGate>();
	const members = new Map<GroupId, Member[]>();
	const runs = these.map((one): RevivedRun => {
		const run = restoreRun(one);
		const { group } = one;
		if (group === undefined) return { ...one, run };
		const gate = gates.get(group.groupId) ?? createGroupGate(group.join);
		gates.set(group.groupId, gate);
		members.set(group.groupId, [...(members.get(group.groupId) ?? []), { group, run }]);
		return { ...one, run, release: gate };
	});
	const groups = [...members].flatMap(([groupId, all]) => restoreGroup(all, gates.get(groupId)) ?? []);
	return { runs, groups };
}

function restoreGroup(unsorted: readonly Member[], gate: GroupGate | undefined): Group | undefined {
	const all = [...unsorted].sort((a, b) => a.group.index - b.group.index);
	const [first] = all;
	if (first === undefined || gate === undefined) return undefined;
	gate.settle();
	const { toolCallId, parent } = first.run.record;
	const runs = all.map(({ run }) => run);
	const records$ = defer(() => of(runs.map((run) => run.record).filter(isTerminal)));
	return {
		...groupFacts(first.group.groupId, {
			...first.group,
			...(toolCallId === undefined ? {} : { toolCallId }),
			...(parent === undefined ? {} : { parent }),
		}),
		members: all.map(({ group, run }) => groupMember(group.member, group.after, run)),
		isOver: true,
		watch$: records$,
		foreground$: records$,
		completion$: records$,
		claim$: claimAll(runs, records$, gate),
	};
}
