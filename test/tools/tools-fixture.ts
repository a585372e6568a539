import { noop, Observable, of, Subscription, VirtualAction, VirtualTimeScheduler } from "rxjs";
import { builtInProfiles, defaultSettings, type ParentFacts, type Settings } from "../../src/profiles/index.ts";
import {
	type Agents,
	createAgents,
	createGroups,
	createSpendWatermark,
	type GroupId,
	type Outcome,
	type Publishable,
	parseAgentId,
	type RunEvent,
	type RunKey,
	type RunSpec,
	type SteeringSource,
	type StopRequest,
	toCorrelationId,
	toToolCallId,
} from "../../src/streams/index.ts";
import type { ToolAnswer, ToolCall, ToolDeps } from "../../src/tools/index.ts";

/** One run of an agent, driven by the test. */
export interface DrivenRun {
	readonly spec: RunSpec;
	readonly steering: SteeringSource;
	readonly stops: readonly StopRequest[];
	emit(...events: readonly RunEvent[]): void;
	/** Settles, closes and completes. */
	end(outcome?: Partial<Outcome>): void;
}

export interface ToolsFixture {
	readonly deps: ToolDeps;
	readonly agents: Agents;
	readonly scheduler: VirtualTimeScheduler;
	readonly runs: readonly DrivenRun[];
	/** The one run with this place in the order of starts. */
	run(index?: number): DrivenRun;
	/** Who owns each background result. */
	readonly published: ReadonlyMap<RunKey, Publishable>;
	/** Stops agents as a person would. */
	stopByUser(...names: readonly string[]): void;
	/** Lets virtual time pass, in milliseconds. */
	advance(milliseconds: number): void;
}

export interface FixtureOptions
	extends Partial<Pick<ToolDeps, "fullTextPath" | "conversation" | "takeSpend" | "oneShot">> {
	readonly maxConcurrent?: number;
	readonly maxAgents?: number;
	readonly settings?: Partial<Settings>;
	readonly parent?: Partial<ParentFacts>;
	/** How long a run that was told to stop takes, in milliseconds; 0 settles at once. */
	readonly stopTakes?: number;
}

export const parentFacts: ParentFacts = {
	model: "local/parent",
	thinking: "medium",
	activeTools: ["read", "bash", "edit", "write", "grep", "find", "ls"],
	models: [
		{ id: "local/parent", thinkingLevels: ["off", "low", "medium", "high"] },
		{ id: "local/small", thinkingLevels: ["off"] },
		{ id: "other/small", thinkingLevels: ["off"] },
	],
};

/** The real agents, with runs that the test drives and time that it lets pass. Ids are `agent1`, `agent2`, … */
export function toolsFixture(options: FixtureOptions = {}): ToolsFixture {
	const scheduler = new VirtualTimeScheduler(VirtualAction, 0);
	const runs: DrivenRun[] = [];
	let ids = 0;
	const agents = createAgents({
		startRun: (spec, { stop$, steering }) =>
			new Observable<RunEvent>((subscriber) => {
				const stops: StopRequest[] = [];
				const run: DrivenRun = {
					spec,
					steering,
					stops,
					emit: (...events) => {
						for (const event of events) subscriber.next(event);
					},
					end: (outcome = {}) => {
						run.emit({ type: "settled", outcome: { ...doneOutcome, ...outcome } }, { type: "closed", how: "verified" });
						subscriber.complete();
					},
				};
				const owned = new Subscription();
				const onStop = (verdict: StopRequest) => {
					stops.push(verdict);
					const stopped = () => run.end({ verdict, text: "partial work" });
					const { stopTakes = 0 } = options;
					if (stopTakes === 0) stopped();
					else owned.add(scheduler.schedule(stopped, stopTakes));
				};
				owned.add(stop$.subscribe({ next: onStop, error: raise }));
				runs.push(run);
				return owned;
			}),
		maxConcurrent$: of(options.maxConcurrent ?? 4),
		maxAgents: () => options.maxAgents ?? 64,
		maxZombies: () => 8,
		newIds: () => {
			const agentId = parseAgentId(`agent${++ids}`);
			if (agentId === undefined) throw new Error("a test id that the protocol would not take");
			return { agentId, correlationId: toCorrelationId(`correlation${ids}`) };
		},
		scheduler,
	});
	const published = new Map<RunKey, Publishable>();
	void agents.publishable$.forEach((publishable) => {
		published.set(publishable.key, publishable);
	});
	let groupIds = 0;
	const groups = createGroups({ agents, newGroupId: () => `group${++groupIds}` as GroupId });
	const deps: ToolDeps = {
		agents,
		groups,
		settings: () => ({ ...defaultSettings, ...options.settings }),
		profiles: () => builtInProfiles,
		parent: () => ({ ...parentFacts, ...options.parent }),
		fullTextPath: options.fullTextPath ?? (async (record) => `/texts/${record.agentId}.md`),
		takeSpend: options.takeSpend ?? createSpendWatermark(agents).take,
		scheduler,
		...(options.oneShot === undefined ? {} : { oneShot: options.oneShot }),
		...(options.conversation === undefined ? {} : { conversation: options.conversation }),
	};
	return {
		deps,
		agents,
		scheduler,
		runs,
		published,
		run: (index = 0) => {
			const run = runs[index];
			if (run === undefined) throw new Error(`no run ${index} was started`);
			return run;
		},
		stopByUser: (...names) => {
			const ids = names.flatMap((name) => parseAgentId(name) ?? []);
			void agents.stop(ids, { status: "stopped", reason: "stopped_by_user" }).forEach(noop);
		},
		advance: (milliseconds) => {
			scheduler.maxFrames = scheduler.frame + milliseconds;
			// Without an action at the very end the clock would stand where the last one was.
			scheduler.schedule(noop, milliseconds);
			scheduler.flush();
		},
	};
}

export const doneOutcome: Outcome = {
	verdict: { status: "completed", reason: "done" },
	text: "the answer",
	unread: [],
};

export const sessionReady: RunEvent = {
	type: "session_ready",
	session: { model: "local/parent", thinking: "medium", tools: ["read"], sessionFile: "/sessions/agent1.jsonl" },
};

/** A call with these parameters, and the updates that it was sent. */
export function callOf<P>(params: P, signal?: AbortSignal): ToolCall<P> & { readonly updates: readonly ToolAnswer[] } {
	const updates: ToolAnswer[] = [];
	return {
		toolCallId: toToolCallId("call-1"),
		params,
		signal,
		updates,
		update: (partial) => {
			updates.push(partial);
		},
	};
}

/** Parameters of a hostile or careless model: typed as what they pretend to be. */
export function pretend<P>(params: unknown): P {
	return params as P;
}

/** Lets every promise that can go on do so. Virtual time stands still meanwhile. */
export async function promisesRun(): Promise<void> {
	for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** What a promise rejects with; fails when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	throw new Error("the promise was not rejected");
}

function raise(error: unknown): never {
	throw error;
}
