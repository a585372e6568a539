import { combineLatest, defer, distinctUntilChanged, EMPTY, finalize, map, mergeMap, type Observable, of } from "rxjs";
import { type Completion, joinSettled, shareCompletion } from "../operators/index.ts";
import type { Agents } from "./agents.ts";
import { claimAll } from "./claim-all.ts";
import { groupFacts, groupMember } from "./group-facts.ts";
import { createGroupGate, type GroupGate } from "./group-gate.ts";
import type { Group, GroupRequest } from "./groups.ts";
import type { GroupId } from "./ids.ts";
import type { JointRequest, JointRun } from "./joint-runs.ts";
import { memberBegin } from "./member-begin.ts";
import { isSuccess } from "./outcome.ts";
import { type AgentRecord, isTerminal, type TerminalRecord } from "./record.ts";

/** Spawns the members of a group whose graph has been checked. Throws `SpawnRefused`, and nothing has happened then. */
export function createGroup(groupId: GroupId, request: GroupRequest, agents: Pick<Agents, "spawnAll">): Group {
	const gate = createGroupGate(request.join);
	const { runs, stop } = agents.spawnAll(jointRequests(groupId, request, gate));
	const ends$ = defer(() => joinSettled(runs.map((run) => run.completion$)));
	const completion$ = ends$.pipe(mergeMap(allValues), shareCompletion());
	// Owned by the runs: it ends with the last of them. The first to hear that all have ended, and still those who wait for all are served before anything is published:
	// each of them holds the gate.
	void completion$.subscribe({ next: () => gate.settle(), error: () => undefined });
	const watch$ = watchAll(runs);
	return {
		...groupFacts(groupId, request),
		members: request.members.flatMap(({ name, after }, index) => {
			const run = runs[index];
			return run ? [groupMember(name, after, run)] : [];
		}),
		get isOver() {
			return runs.every((run) => isTerminal(run.record));
		},
		watch$,
		foreground$: watch$.pipe(finalize(() => stop({ status: "stopped", reason: "stopped_by_parent" }))),
		completion$,
		claim$: claimAll(runs, completion$, gate),
	};
}

function jointRequests(groupId: GroupId, request: GroupRequest, gate: GroupGate): JointRequest[] {
	const { kind, description, join, members, background, toolCallId, parent } = request;
	const indexOf = (name: string): number => members.findIndex((other) => other.name === name);
	const quiet = (index: number, runs: readonly JointRun[]): boolean => {
		const record = runs[index]?.record;
		if (!record || !isTerminal(record)) return false;
		const { reason } = record.outcome.verdict;
		if (reason === "stopped_by_user") return true;
		// What a person has stopped, and what could not start for that alone.
		const failed = (members[index]?.after ?? []).map(indexOf).filter((other) => hasFailed(runs[other]));
		return reason === "dependency_failed" && failed.every((other) => quiet(other, runs));
	};
	return members.map(({ name, spawn, after }, index) => ({
		...spawn,
		group: { groupId, kind, description, background, join, member: name, index, after },
		...(toolCallId === undefined ? {} : { toolCallId }),
		...(parent === undefined ? {} : { parent }),
		background,
		inLine: true,
		release: gate,
		quiet: (runs) => quiet(index, runs),
		...(after.length === 0
			? {}
			: {
					begin: (runs) =>
						memberBegin(
							spawn.prompt,
							after.flatMap((name) => {
								const run = runs[indexOf(name)];
								return run ? [{ name, run }] : [];
							}),
						),
				}),
	}));
}

function hasFailed(run: JointRun | undefined): boolean {
	return run !== undefined && isTerminal(run.record) && !isSuccess(run.record.outcome.verdict);
}

/** The newest snapshots of all, whenever one changes. */
function watchAll(runs: readonly JointRun[]): Observable<readonly AgentRecord[]> {
	return defer(() => combineLatest(runs.map((run) => run.watch$))).pipe(
		map(() => runs.map((run) => run.record)),
		distinctUntilChanged((before, after) => before.every((record, index) => record === after[index])),
	);
}

/** The terminal records, or nothing where the session's end came before one of them. */
function allValues(ends: readonly Completion<TerminalRecord>[]): Observable<readonly TerminalRecord[]> {
	const records = ends.flatMap((end) => (end.kind === "value" ? [end.value] : []));
	return records.length === ends.length ? of(records) : EMPTY;
}
