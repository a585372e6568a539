import { Observable, Subject, type Subscriber, Subscription, VirtualTimeScheduler } from "rxjs";
import {
	type Agents,
	createAgents,
	createGroups,
	createOutbox,
	type Group,
	type GroupRequest,
	type Groups,
	type Outbox,
	type ParentActivity,
	parseGroupId,
	type RunEvent,
	type RunInputs,
	type RunKey,
	runKey,
	type StartRun,
	type StopRequest,
	toCorrelationId,
} from "../../src/streams/index.ts";
import { agentId, doneOutcome, failedOutcome, runEvents, testConfig } from "./run-script.ts";

/** A member of a group, in short. */
export interface MemberSketch {
	readonly name: string;
	readonly after: readonly string[];
}

interface Child {
	readonly subscriber: Subscriber<RunEvent>;
	readonly inputs: RunInputs;
	readonly told: StopRequest[];
	settled: boolean;
}

/** Groups whose children say what a test lets them say. Agents are called `agent-` and their member's name. */
export interface GroupsFixture {
	readonly agents: Agents;
	readonly groups: Groups;
	readonly outbox: Outbox;
	readonly scheduler: VirtualTimeScheduler;
	spawn(members: readonly MemberSketch[], over?: Partial<GroupRequest>): Group;
	/** A letter of `runEvents`, with what the child was told for `s`; `e` fails. `c` ends the run. */
	say(name: string, letter: string, text?: string): void;
	/** The members whose runs are subscribed, in the order of their starts. */
	live(): string[];
	/** All that ever started, in that order. */
	started(): string[];
	isSettled(name: string): boolean;
	/** The reasons of the stops that reached a child. */
	told(name: string): string[];
	/** The inputs of a member's run. */
	inputs(name: string): RunInputs;
	/** Says events of a member's run, also when another one of its agent has begun. */
	voice(name: string): (event: RunEvent) => void;
	/** The prompt that a child was last started with. */
	prompt(name: string): string;
	activity(next: ParentActivity): void;
	/** What is to be published, held or handed over. */
	published(): readonly RunKey[];
	/** The keys of each message that woke the parent. */
	readonly woken: RunKey[][];
	readonly committed: Set<RunKey>;
	own<T>(
		stream$: Observable<T>,
		next?: (value: T) => void,
		complete?: () => void,
		error?: (error: unknown) => void,
	): Subscription;
}

export function groupsFixture({ slots = 4, maxAgents = 64 } = {}): GroupsFixture {
	const scheduler = new VirtualTimeScheduler();
	const children = new Map<string, Child>();
	const started: string[] = [];
	const prompts = new Map<string, string>();
	const activity$ = new Subject<ParentActivity>();
	const slots$ = new Subject<number>();
	const owned = new Subscription();
	const woken: RunKey[][] = [];
	const committed = new Set<RunKey>();
	let names: string[] = [];

	const startRun: StartRun = (spec, inputs) =>
		new Observable((subscriber) => {
			const name = spec.agentId.replace(/^agent-/, "");
			const child: Child = { subscriber, inputs, told: [], settled: false };
			children.set(name, child);
			started.push(name);
			prompts.set(name, spec.prompt);
			subscriber.add(() => {
				if (children.get(name) === child) children.delete(name);
			});
			subscriber.add(inputs.stop$.subscribe({ next: (request) => child.told.push(request), error: raise }));
		});
	const agents = createAgents({
		startRun,
		scheduler,
		maxConcurrent$: slots$,
		maxAgents: () => maxAgents,
		maxZombies: () => 8,
		newIds: () => {
			const [name = "lone", ...rest] = names;
			names = rest;
			return { agentId: agentId(`agent-${name}`), correlationId: toCorrelationId(name) };
		},
	});
	slots$.next(slots);
	let count = 0;
	const groups = createGroups({
		agents,
		newGroupId: () => {
			const id = parseGroupId(`group${++count}`);
			if (id === undefined) throw new Error("not an id");
			return id;
		},
	});
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$,
		scheduler,
		port: {
			wake: (note) => {
				woken.push([...note.deliveries]);
				return true;
			},
			committed: () => committed,
			notify: () => undefined,
		},
		compose: (records) => {
			const delivery = records.map(({ agentId: id, run }) => runKey(id, run));
			return { text: "", deliveries: delivery, details: { delivery, agents: [] } };
		},
	});
	const childOf = (name: string): Child => {
		const child = children.get(name);
		if (!child) throw new Error(`${name} does not run`);
		return child;
	};

	return {
		agents,
		groups,
		outbox,
		scheduler,
		woken,
		committed,
		spawn: (members, over = {}) => {
			names = members.map(({ name }) => name);
			return groups.spawn({
				kind: "crew",
				description: "a crew",
				background: true,
				join: "group",
				members: members.map(({ name, after }) => ({
					name,
					after,
					spawn: { prompt: `do ${name}`, description: name, config: testConfig },
				})),
				...over,
			});
		},
		say: (name, letter, text = doneOutcome.text) => {
			const child = childOf(name);
			if (letter === "s" || letter === "e") {
				child.settled = true;
				const outcome = letter === "s" ? { ...doneOutcome, text } : failedOutcome;
				child.subscriber.next({ type: "settled", outcome: { ...outcome, verdict: child.told[0] ?? outcome.verdict } });
				return;
			}
			const event = runEvents[letter];
			if (!event) throw new Error(`a child cannot say "${letter}"`);
			child.subscriber.next(event);
			if (event.type === "closed") child.subscriber.complete();
		},
		live: () => [...children.keys()],
		started: () => [...started],
		isSettled: (name) => childOf(name).settled,
		told: (name) => childOf(name).told.map(({ reason }) => reason),
		inputs: (name) => childOf(name).inputs,
		voice: (name) => {
			const { subscriber } = childOf(name);
			return (event) => subscriber.next(event);
		},
		prompt: (name) => prompts.get(name) ?? "",
		activity: (next) => activity$.next(next),
		published: () => outbox.keys,
		own: (stream$, next, complete, error = raise) => {
			const subscription = stream$.subscribe({
				next: (value) => next?.(value),
				error,
				complete: () => complete?.(),
			});
			owned.add(subscription);
			return subscription;
		},
	};
}

function raise(error: unknown): never {
	throw error;
}
