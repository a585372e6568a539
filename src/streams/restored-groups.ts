import { defer, of } from "rxjs";
import type { AgentRun } from "./agent-run.ts";
import { claimAll } from "./claim-all.ts";
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
	const { groupId, kind, description, background, join } = first.group;
	const { toolCallId, parent } = first.run.record;
	const runs = all.map(({ run }) => run);
	const records$ = defer(() => of(runs.map((run) => run.record).filter(isTerminal)));
	return {
		groupId,
		kind,
		description,
		background,
		join,
		...(toolCallId === undefined ? {} : { toolCallId }),
		...(parent === undefined ? {} : { parent }),
		members: all.map(({ group, run }) => ({
			name: group.member,
			agentId: run.record.agentId,
			after: group.after,
			get record() {
				return run.record;
			},
		})),
		isOver: true,
		watch$: records$,
		foreground$: records$,
		completion$: records$,
		claim$: claimAll(runs, records$, gate),
	};
}
