import { defer, EMPTY, finalize, ignoreElements, merge, type Observable, Subject, startWith } from "rxjs";
import { claimOf, foregroundOf, reportStop, steerRun } from "./agent-handles.ts";
import { type AgentRun, createAgentRun } from "./agent-run.ts";
import type { AgentRunContext } from "./agent-run-context.ts";
import {
	type AgentsOwner,
	type Publishable,
	type ResumeRequest,
	SpawnRefused,
	type SpawnRequest,
	type StopReport,
} from "./agents.ts";
import type { AgentsOptions } from "./agents-options.ts";
import { createBudget } from "./budget.ts";
import { createLines } from "./create-lines.ts";
import { createStops } from "./create-stops.ts";
import { leftOf } from "./ended-run.ts";
import { createFamily } from "./family.ts";
import { type FollowedRun, followRun } from "./follow-run.ts";
import type { AgentId, RunKey } from "./ids.ts";
import { isStirredBy } from "./is-stirred-by.ts";
import type { JointRequest, JointRun, JointRuns } from "./joint-runs.ts";
import { keptConfig } from "./kept-config.ts";
import type { LedgerGroup } from "./ledger-line.ts";
import { newAgent } from "./new-agent.ts";
import type { StopRequest } from "./outcome.ts";
import { type AgentRecord, isTerminal, newRecord, type QueuedRecord, resumedRecord } from "./record.ts";
import { refuseNesting } from "./refuse-nesting.ts";
import { refuseSpawn } from "./refuse-spawn.ts";
import { takeIn } from "./take-in.ts";
import { toPublish } from "./to-publish.ts";

/** What few runs have. */
interface Extra {
	readonly unheard?: readonly string[];
	readonly group?: LedgerGroup;
}

/** The agents of one parent session. The caller owns them and ends them with `shutdown()`. */
export function createAgents(options: AgentsOptions): AgentsOwner {
	/** Each agent's current run; earlier ones may still be closing, or be in line for publication. */
	const runs = new Map<AgentId, AgentRun>();
	/** Every run that is not over, in the order in which they joined the line or started. */
	const opened = new Set<AgentRun>();
	/** What those have who keep hold of an opened run. */
	const followed = new Map<AgentRun, FollowedRun>();
	const changes$ = new Subject<AgentRecord>();
	const publishable$ = new Subject<Publishable>();
	const lines = createLines(options.maxConcurrent$);
	const family = createFamily();
	const stops = createStops({ opened, family, current: (agentId) => runs.get(agentId) });
	let ending = false;
	const budget = createBudget({
		maxCost: options.maxCost ?? (() => undefined),
		opened: () => opened,
		stop: (these, request) => stops.all(these, request),
	});
	const left = takeIn(options.restored ?? [], runs, budget.note);

	const records = (): AgentRecord[] => [...runs.values()].map((run) => run.record);
	const recordOf = (agentId: AgentId): AgentRecord | undefined => runs.get(agentId)?.record;
	const runOf = (agentId: AgentId): AgentRun => {
		const run = runs.get(agentId);
		if (!run) throw new Error(`There is no agent ${agentId}`);
		return run;
	};

	// Here and not where it is used: made in `retire`, it would keep hold of the run that is let go there.
	const tell = (snapshot: AgentRecord): void => {
		changes$.next(snapshot);
		budget.note(snapshot);
		stops.followEnd(snapshot.agentId);
		const parent = snapshot.parent && runs.get(snapshot.parent);
		if (parent && isStirredBy(snapshot, parent.record, options.scheduler.now())) parent.stir();
	};
	const create = (record: QueuedRecord, prompt: string, how: Partial<AgentRunContext>, more: Extra = {}): AgentRun => {
		const { agentId, correlationId, config, parent } = record;
		const { unheard = [], group } = more;
		const resume = record.run === 1 ? {} : { unheard, mayBegin: record.sessionFile === undefined };
		const written$ = options.ledger?.open(record, prompt, group);
		const run = createAgentRun(
			{ ...record, config: keptConfig(config) },
			{
				agentId,
				correlationId,
				config,
				prompt,
				run: record.run,
				...resume,
				...(parent === undefined ? {} : { parent }),
			},
			{
				...(written$ === undefined ? {} : { written$ }),
				startRun: options.startRun,
				scheduler: options.scheduler,
				isMoneySpent: budget.isSpent,
				hasOthersAtWork: () => family.below([agentId]).length > 0,
				onSnapshot: tell,
				onLateSpend: (spend) => {
					const current = runs.get(agentId);
					if (current !== run) current?.inherit(spend);
				},
				onBegin: () => {
					opened.delete(run);
					opened.add(run);
				},
				...how,
			},
		);
		return run;
	};
	const follow = (run: AgentRun): JointRun => {
		const follower = followed.get(run) ?? followRun(run);
		followed.set(run, follower);
		return follower.joint;
	};
	/** All can be reached before the first is told of, and all are told of before the first starts. */
	const open = (these: readonly AgentRun[], publish: (run: JointRun, index: number) => Publishable): void => {
		for (const run of these) {
			runs.set(run.record.agentId, run);
			opened.add(run);
			family.add(run);
		}
		for (const run of these) changes$.next(run.record);
		// Before the start: a run that settles synchronously is publishable all the same.
		these.forEach((run, index) => {
			if (!run.record.background) return;
			publishable$.next(publish(follow(run), index));
		});
		// All stand in line, or wait for others, before the first starts: it may end at once, and who waits for that must not
		// get ahead of the rest.
		lines.of(these[0]?.record.parent).together(() => {
			for (const run of these) run.start();
		});
	};
	/** Nothing is kept of a run that is over but its record and its claim. */
	const retire = (run: AgentRun): void => {
		const left = leftOf(run, tell);
		opened.delete(run);
		if (family.remove(run)) lines.drop(left.record.parent);
		if (runs.get(left.record.agentId) === run) runs.set(left.record.agentId, left);
		followed.get(run)?.replace(left);
		followed.delete(run);
	};
	const refuseUnlessRoom = (count: number, parent: AgentId | undefined): void => {
		for (const run of opened) if (run.isOver) retire(run);
		const refusal =
			refuseNesting(parent, recordOf, options.maxDepth?.()) ??
			refuseSpawn({ runs: opened, ending }, count, options) ??
			budget.refusal(count);
		if (refusal) throw new SpawnRefused(refusal);
	};

	const spawnAll = (requests: readonly JointRequest[]): JointRuns => {
		refuseUnlessRoom(requests.length, requests[0]?.parent);
		const these: AgentRun[] = [];
		const siblings: JointRun[] = [];
		for (const request of requests) {
			const record = newRecord({ ...newAgent(request), ...options.newIds() }, options.scheduler.now());
			const how = {
				...(record.background || request.inLine ? { admission: lines.of(record.parent) } : {}),
				...(request.begin ? { begin$: defer(() => request.begin?.(siblings) ?? EMPTY) } : {}),
			};
			const run = create(record, request.prompt, how, request.group === undefined ? {} : { group: request.group });
			these.push(run);
			siblings.push(follow(run));
		}
		open(these, (run, index) => toPublish(run, requests[index], siblings));
		return { runs: siblings, stop: stopOf(new Set(siblings.map(({ key }) => key))) };
	};

	const spawn = (request: SpawnRequest): AgentRecord => {
		const [run] = spawnAll([request]).runs;
		if (!run) throw new Error("one request is one run");
		return run.record;
	};

	const resume = (agentId: AgentId, { prompt, ...by }: ResumeRequest): AgentRecord => {
		const { record, closed$, unheard } = runOf(agentId);
		if (!isTerminal(record)) {
			throw new SpawnRefused(`Agent ${agentId} is ${record.status}: send it a message with steer_subagent instead.`);
		}
		refuseUnlessRoom(1, record.parent);
		const how = { before$: closed$, ...(by.background ? { admission: lines.of(record.parent) } : {}) };
		const run = create(resumedRecord(record, by), prompt, how, { unheard });
		open([run], (one) => toPublish(one));
		return run.record;
	};

	/** Holds none of the runs: those that are not opened any more are over. */
	const stopOf = (keys: ReadonlySet<RunKey>): JointRuns["stop"] => {
		return (request) =>
			stops.all(
				[...opened].filter((run) => keys.has(run.key)),
				request,
			);
	};

	const stop = (agentIds: readonly AgentId[], request: StopRequest): Observable<StopReport> => {
		const asked = [...new Set(agentIds)].map(runOf);
		const reports = [...new Set([...asked, ...stops.below(asked)])].map(reportStop);
		stops.all(asked, request);
		return merge(...reports);
	};

	return {
		spawn,
		spawnAll,
		resume,
		stop,
		get: recordOf,
		list: records,
		placeInLine: (agentId) => {
			// In the order in which they joined it, and so in which they start.
			const parent = recordOf(agentId)?.parent;
			const line = [...opened].filter((run) => run.isInLine && run.record.parent === parent);
			const place = line.findIndex((run) => run.record.agentId === agentId);
			return place < 0 ? undefined : place + 1;
		},
		changes$: changes$.asObservable(),
		publishable$: publishable$.pipe(startWith(...left)),
		adopt: (these) => {
			for (const publishable of takeIn(these, runs, tell)) publishable$.next(publishable);
		},
		watch: (agentId) => runOf(agentId).watch$,
		foreground: (agentId) => foregroundOf(runOf(agentId)),
		completion: (agentId) => runOf(agentId).completion$,
		claim: (agentId) => claimOf(runOf(agentId)),
		steer: (agentId, message) => steerRun(runOf(agentId), message),
		shutdown: () => {
			ending = true;
			const request: StopRequest = { status: "stopped", reason: "parent_shutdown" };
			// Every run is told before anything is waited for; those that are still closing are waited for as well.
			stops.all([...runs.values()], request);
			return merge(...[...opened].map((run) => run.closed$)).pipe(
				ignoreElements(),
				finalize(() => {
					for (const run of opened) run.dispose();
					lines.close();
					changes$.complete();
					publishable$.complete();
				}),
			);
		},
	};
}
