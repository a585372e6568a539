import { BehaviorSubject, noop, type Observable, Subject, Subscription, startWith, tap } from "rxjs";
import {
	type AgentId,
	type Agents,
	addSpend,
	agentsOf,
	createAgents,
	createGroups,
	createOutbox,
	createSpendWatermark,
	type Group,
	type GroupId,
	type Groups,
	groupsOf,
	isTerminal,
	keepPublishable,
	type Note,
	noSpend,
	type Outbox,
	type ParentEvent,
	type ParentPort,
	parentActivity$,
	parseAgentId,
	type Reading,
	type RunKey,
	runKey,
	type Spend,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { composeNote } from "../../src/tools/index.ts";
import type { CallFacts } from "./call-book.ts";
import { countSubscriptions } from "./counted.ts";
import { type ChildCalls, createDelegation, type Delegation } from "./delegation.ts";
import { type GroupFacts, watchGroup } from "./group-book.ts";
import type { Caller } from "./make-call.ts";
import type { Judge } from "./rules.ts";
import { createRunBook, type Membership, type RunBook, type RunFacts } from "./run-book.ts";
import type { ChildManners, HostManners } from "./script.ts";
import { simulatedRun } from "./simulated-child.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** One session of the parent: the real agents and the real outbox, watched. */
export interface SimulatedSession {
	readonly judge: Judge;
	/** All of its agents and groups, whoever has started them. */
	readonly agents: Agents;
	readonly groups: Groups;
	/** The session itself, as somebody who calls tools. */
	readonly caller: Caller;
	readonly outbox: Outbox;
	readonly book: RunBook;
	/** Children that may start agents, and are under way. */
	readonly delegations: ReadonlySet<Delegation>;
	readonly events$: Subject<ParentEvent>;
	readonly limit$: BehaviorSubject<number>;
	takeSpend(): Spend;
	/** What its children have spent. */
	readonly spent: Spend;
	/** What its results have carried. */
	carried: Spend;
	/** What stands in its conversation. */
	readonly branch: ReadonlySet<RunKey>;
	append(note: Note): void;
	/** A person stops these agents. */
	stop(agentIds: readonly AgentId[]): void;
	/** Ends it as the host does; `done` is called when all its runs are at rest. */
	end(done: () => void): void;
	/** Whether it is closed to everything new, and whether its end is over. */
	state: "open" | "ending" | "ended";
	/** Subscriptions on its runs. */
	readonly subscriptions: number;
}

/** A run that is about to be told of. */
interface Announced {
	readonly manners: ChildManners;
	readonly member?: Membership;
}

/** What a session needs of the world around it. */
export interface SessionWorld {
	readonly clock: VirtualClock;
	readonly judge: Judge;
	readonly host: HostManners;
	/** New in each session, never the same twice. */
	readonly newId: () => number;
	/** The child that a prompt stands for. */
	readonly mannersOf: (prompt: string) => ChildManners;
	/** The call that is being made at this instant. */
	readonly calling: () => CallFacts | undefined;
	/** How an agent calls tools. */
	readonly callsOf: (caller: Caller) => ChildCalls;
	/** A run's first snapshot. */
	readonly announced: (facts: RunFacts) => void;
	readonly port: Omit<ParentPort, "committed">;
	readonly muted: boolean;
	/** How many background runs there may be at once. */
	readonly limit: () => number;
}

export function openSession(world: SessionWorld): SimulatedSession {
	const { clock, judge, host } = world;
	const limit$ = new BehaviorSubject(world.limit());
	const events$ = new Subject<ParentEvent>();
	const branch = new Set<RunKey>();
	const counted = countSubscriptions();
	const book = createRunBook(judge, world.limit);
	const agents = createAgents({
		startRun: (spec, inputs) => {
			const facts = book.started(spec);
			const gone = () => book.left(facts);
			const { own } = facts.manners;
			const delegate = (): Delegation => {
				const caller = callerOf(session, facts.agentId);
				const calls = world.callsOf(caller);
				const { agents } = caller;
				const publishable$ = results.of(facts.agentId);
				const { append } = session;
				const giveUp = () => session.stop([facts.agentId]);
				const parts = { clock, judge, book, agents, calls, publishable$, inputs, branch, append, giveUp };
				const delegation = createDelegation(facts, parts);
				delegations.add(delegation);
				const close = (): void => {
					delegations.delete(delegation);
					delegation.close();
				};
				return { ...delegation, close };
			};
			try {
				return simulatedRun(
					facts.manners,
					inputs,
					clock,
					{
						spent: (spend) => {
							session.spent = addSpend(session.spent, spend);
						},
						read: (message) => facts.read.push(message),
						failed: (error) => judge.fail("throws", `an input of ${facts.key} errors: ${String(error)}`),
						left: gone,
					},
					own && delegate,
				);
			} catch (error) {
				gone();
				throw error;
			}
		},
		maxConcurrent$: limit$,
		maxAgents: () => host.maxAgents ?? 64,
		maxDepth: () => host.maxDepth ?? 3,
		maxZombies: () => host.maxZombies ?? 8,
		newIds: () => newIds(world.newId()),
		scheduler: clock.scheduler,
	});
	const results = keepPublishable(agents.publishable$);
	const delegations = new Set<Delegation>();
	/** The runs whose first snapshots are about to come, in that order. */
	let announcing: readonly Announced[] = [];
	const watching = new Subscription();
	const changes = agents.changes$.subscribe({
		next: (record) => {
			if (book.runs.has(runKey(record.agentId, record.run))) {
				book.snapshot(record, {});
				return;
			}
			const [{ manners = {}, member } = {}, ...rest] = announcing;
			announcing = rest;
			world.announced(book.snapshot(record, manners, member));
		},
		error: (error: unknown) => judge.fail("throws", `changes$ errors: ${String(error)}`),
	});
	watching.add(changes);
	const publishables = agents.publishable$.subscribe({
		next: (publishable) => {
			const facts = book.runs.get(publishable.key);
			if (facts === undefined) judge.fail("published_twice", `${publishable.key} is publishable and unknown`);
			else facts.publishable = publishable;
		},
		error: (error: unknown) => judge.fail("throws", `publishable$ errors: ${String(error)}`),
	});
	watching.add(publishables);
	const outbox = createOutbox({
		publishable$: agentsOf(agents, undefined).publishable$,
		activity$: parentActivity$(
			events$.pipe(startWith<ParentEvent>({ type: "session_started", muted: world.muted })),
			clock.scheduler,
		),
		port: { ...world.port, committed: () => branch },
		compose: (records) => composeNote(records, new Map()),
		scheduler: clock.scheduler,
	});

	const groups = createGroups({
		agents: {
			spawnAll: (requests) => {
				const call = world.calling()?.call;
				const crew = (call?.tool === "Agent" ? call.crew : undefined) ?? [];
				const group: GroupFacts = { join: host.join ?? "group", members: [], waits: 0 };
				announcing = crew.map(({ child = {}, after = [] }) => ({ manners: child, member: { group, after } }));
				const joint = agents.spawnAll(requests);
				// Only now: an agent that starts at once may have started a group of its own meanwhile.
				spawning = group;
				return joint;
			},
		},
		newGroupId: () => `group${++groupCount}` as GroupId,
	});
	let spawning: GroupFacts = { join: "group", members: [], waits: 0 };
	let groupCount = 0;
	const watchedGroups: Group[] = [];
	const session: SimulatedSession & { spent: Spend } = {
		judge,
		agents: {
			...agents,
			spawn: (request) => {
				announcing = [{ manners: world.mannersOf(request.prompt) }];
				return agents.spawn(request);
			},
			resume: (agentId, request) => {
				announcing = [{ manners: world.mannersOf(request.prompt) }];
				return agents.resume(agentId, request);
			},
			steer: (agentId, message) => {
				const receipt = agents.steer(agentId, message);
				book.current(agentId)?.accepted.push(message);
				return receipt;
			},
			foreground: (agentId) => counted.count(agents.foreground(agentId)),
			completion: (agentId) => counted.count(agents.completion(agentId)),
			watch: (agentId) => counted.count(agents.watch(agentId)),
			claim: (agentId) => counted.count(claimed(agents.claim(agentId), book.current(agentId), world.calling())),
		},
		groups: {
			...groups,
			spawn: (request) => {
				const group = watchGroup(groups.spawn(request), spawning, counted, world.calling);
				watchedGroups.push(group);
				return group;
			},
			list: () => watchedGroups,
		},
		get caller() {
			return own;
		},
		outbox,
		book,
		delegations,
		events$,
		limit$,
		takeSpend: createSpendWatermark(agents).take,
		spent: noSpend,
		carried: noSpend,
		branch,
		append: (note) => {
			for (const key of note.deliveries) {
				const facts = book.runs.get(key);
				if (facts === undefined) throw new Error(`${key} is published and unknown`);
				facts.appended++;
				judge.expect(facts.appended === 1, "published_twice", () => `${key} stands in the session twice`);
				branch.add(key);
			}
		},
		stop: (agentIds) => {
			for (const agentId of agentIds) book.current(agentId)?.causes.add("stopped_by_user");
			void agents.stop(agentIds, { status: "stopped", reason: "stopped_by_user" }).forEach(noop);
		},
		end: (done) => {
			session.state = "ending";
			for (const facts of book.live) facts.causes.add("parent_shutdown");
			outbox.close();
			const ending = agents.shutdown().subscribe({
				error: (error: unknown) => judge.fail("rest", `the shutdown errors: ${String(error)}`),
				complete: done,
			});
			watching.add(ending);
		},
		state: "open",
		get subscriptions() {
			return counted.open;
		},
	};
	const own = callerOf(session, undefined);
	return session;
}

function callerOf(session: SimulatedSession, by: AgentId | undefined): Caller {
	return { session, by, agents: agentsOf(session.agents, by), groups: groupsOf(session.groups, by) };
}

/** A claim that notes who made it and what it got. */
function claimed(
	source$: Observable<Reading>,
	facts: RunFacts | undefined,
	call: CallFacts | undefined,
): Observable<Reading> {
	if (call === undefined || facts === undefined) return source$;
	call.claimed = facts;
	call.claimedEarly = !isTerminal(facts.record);
	return source$.pipe(
		tap((reading) => {
			call.served = reading;
		}),
	);
}

function newIds(id: number) {
	const agentId = parseAgentId(`agent${id}`);
	if (agentId === undefined) throw new Error("an id that the protocol would not take");
	return { agentId, correlationId: toCorrelationId(`correlation${id}`) };
}
