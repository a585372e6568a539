import { noop } from "rxjs";
import { builtInProfiles, defaultSettings, type ParentFacts, type Settings } from "../../src/profiles/index.ts";
import {
	type AgentId,
	isTerminal,
	noSpend,
	SpawnRefused,
	type Spend,
	type TerminalRecord,
} from "../../src/streams/index.ts";
import {
	createAgentTool,
	createGetSubagentResultTool,
	createSteerSubagentTool,
	type ToolDeps,
} from "../../src/tools/index.ts";
import { type CallFacts, createCallBook } from "./call-book.ts";
import { judgeEnd, judgeRest } from "./judge-session.ts";
import { type Caller, type CallingHost, makeCall, meantAgent } from "./make-call.ts";
import { createJudge, type Judge } from "./rules.ts";
import type { Call, ChildManners, HostManners, Script, Step } from "./script.ts";
import { createSimulatedParent, type SimulatedParent } from "./simulated-parent.ts";
import { openSession, type SimulatedSession } from "./simulated-session.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

/** A script's world, ready to be run step by step. */
export interface Simulation {
	readonly clock: VirtualClock;
	readonly judge: Judge;
	/** How many agents there have been. */
	readonly agents: number;
	/** Whether a promise may be about to go on. */
	readonly awaited: boolean;
	/** Judges what must hold after any step, */
	check(): void;
	/** and what must hold once every promise has gone on. */
	checkStill(): void;
	/** Called when nothing is due any more: begins the next part of the end. `false` when it was the last. */
	proceed(): boolean;
}

/** A running world. What changes in it changes here, in the functions below, and nowhere else. */
interface World {
	readonly script: Script;
	readonly host: HostManners;
	readonly clock: VirtualClock;
	readonly judge: Judge;
	readonly calls: ReturnType<typeof createCallBook>;
	readonly parent: SimulatedParent;
	/** The session's calls, and those of an agent. */
	readonly calling: CallingHost;
	readonly callingBy: (caller: () => Caller, takeSpend: () => Spend) => CallingHost;
	readonly children: Map<string, ChildManners>;
	session: SimulatedSession | undefined;
	ending: SimulatedSession[];
	limit: number;
	agents: number;
	callCount: number;
	current: CallFacts | undefined;
	part: number;
}

export function createSimulation(script: Script): Simulation {
	const world = createWorld(script);
	enterSession(world, script.host?.muted === true);
	let at = 0;
	for (const step of script.steps) {
		at += step.after ?? 0;
		world.clock.after(at, () => perform(world, step));
	}
	const { clock, judge, calls } = world;
	return {
		clock,
		judge,
		get agents() {
			return world.agents;
		},
		get awaited() {
			return calls.open.size > 0;
		},
		check: () => {
			const { session } = world;
			if (session !== undefined) checkSession(judge, session);
		},
		checkStill: calls.check,
		proceed: () => proceed(world),
	};
}

function createWorld(script: Script): World {
	const { host = {} } = script;
	const clock = createVirtualClock();
	const judge = createJudge();
	const calls = createCallBook(judge, clock);
	const calling = callingHost(calls, clock, (facts, act) => {
		const outer = world.current;
		world.current = facts;
		act();
		world.current = outer;
	});
	const world: World = {
		script,
		host,
		clock,
		judge,
		calls,
		children: new Map(),
		session: undefined,
		ending: [],
		limit: host.maxConcurrent ?? 4,
		agents: 0,
		callCount: 0,
		current: undefined,
		part: 0,
		callingBy: (caller, takeSpend) => calling(toolDeps(clock, host, caller, takeSpend)),
		calling: calling(
			toolDeps(
				clock,
				host,
				() => world.session?.caller,
				() => world.session?.takeSpend() ?? noSpend,
			),
		),
		parent: createSimulatedParent({
			clock,
			judge,
			followUp: host.followUp === true,
			callTools: (batch, isAborted, done) => {
				if (world.session !== undefined) callTools(world, world.session.caller, world.calling, batch, isAborted, done);
			},
			abortCalls: () => abortCalls(world, world.session, undefined),
		}),
	};
	return world;
}

function callingHost(
	calls: CallingHost["calls"],
	clock: VirtualClock,
	during: CallingHost["during"],
): (deps: ToolDeps) => CallingHost {
	return (deps) => ({
		clock,
		calls,
		tools: {
			Agent: createAgentTool(deps),
			get_subagent_result: createGetSubagentResultTool(deps),
			steer_subagent: createSteerSubagentTool(deps),
		},
		during,
	});
}

/** What the tools get: the current session's, and a throw between sessions, as the extension has it; or an agent's. */
function toolDeps(
	clock: VirtualClock,
	host: HostManners,
	caller: () => Caller | undefined,
	takeSpend: () => Spend,
): ToolDeps {
	const current = (): Caller => {
		const open = caller();
		if (open === undefined) throw new Error("The session has ended");
		return open;
	};
	const text = (): Promise<string | undefined> => textOf(clock, host.texts);
	return {
		get agents() {
			return current().agents;
		},
		get groups() {
			return current().groups;
		},
		settings: () => (host.join === undefined ? settings : { ...settings, join: host.join }),
		profiles: () => builtInProfiles,
		parent: () => parentFacts,
		fullTextPath: text,
		conversation: text,
		takeSpend,
		scheduler: clock.scheduler,
	};
}

const settings: Settings = { ...defaultSettings, graceTurns: 2, waitTimeoutSeconds: 60 };

const parentFacts: ParentFacts = {
	model: "local/parent",
	thinking: "medium",
	activeTools: ["read", "bash", "edit"],
	models: [{ id: "local/parent", thinkingLevels: ["off", "medium"] }],
};

function textOf(clock: VirtualClock, manner: HostManners["texts"]): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		if (manner === undefined) resolve("somewhere.md");
		else if (manner === "fails") reject(new Error("the disk is full"));
		else if (manner === "slow") clock.after(700, () => resolve("somewhere.md"));
	});
}

function enterSession(world: World, muted: boolean): void {
	const { clock, judge, host, parent } = world;
	const session = openSession({
		clock,
		judge,
		host,
		muted,
		limit: () => world.limit,
		port: parent.port,
		newId: () => ++world.agents,
		mannersOf: (prompt) => world.children.get(prompt) ?? {},
		calling: () => world.current,
		callsOf: (caller) => {
			// What it spends is on its own record, and carried by a result of the session.
			const calling = world.callingBy(
				() => caller,
				() => noSpend,
			);
			return {
				make: (batch, isAborted, done) => callTools(world, caller, calling, batch, isAborted, done),
				abort: () => abortCalls(world, caller.session, caller.by),
			};
		},
		announced: (facts) => {
			const { current } = world;
			if (current === undefined || facts.callId !== current.id) return;
			current.runs.push(facts);
			if (current.controller.signal.aborted && !facts.background) facts.causes.add("stopped_by_parent");
			if (current.call.abort === "spawn") world.calls.abort(current);
		},
	});
	world.session = session;
	parent.enter(session, muted);
}

/** The calls of one message: one after the other as soon as one of them asks for that, else together. */
function callTools(
	world: World,
	caller: Caller,
	calling: CallingHost,
	batch: readonly Call[],
	isAborted: () => boolean,
	done: () => void,
): void {
	const { session } = caller;
	const sequential = batch.some((call) => calling.tools[call.tool].executionMode === "sequential");
	let open = batch.length;
	const call = (index: number): void => {
		const next = batch[index];
		if (next === undefined) return;
		const number = ++world.callCount;
		if (next.tool === "Agent" && next.child !== undefined) world.children.set(`call${number}`, next.child);
		makeCall(calling, caller, next, number, isAborted(), () => {
			open--;
			if (open === 0) done();
			else if (sequential && world.session === session) call(index + 1);
		});
	};
	if (sequential) call(0);
	else batch.forEach((_, index) => call(index));
}

function abortCalls({ calls }: World, session: SimulatedSession | undefined, by: AgentId | undefined): void {
	for (const facts of calls.open) if (facts.session === session && facts.by === by) calls.abort(facts);
}

function perform(world: World, step: Step): void {
	const { parent, session } = world;
	switch (step.do) {
		case "calls":
		case "settle":
		case "fail":
			parent.plan(step);
			break;
		case "esc":
			parent.esc();
			break;
		case "say":
			parent.say(step);
			break;
		case "dialog":
			parent.dialog(step.lasts);
			break;
		case "compact":
			parent.compact(step.lasts, step.silent === true);
			break;
		case "next_wake":
			parent.nextWake(step.is);
			break;
		case "limit":
			world.limit = step.to;
			session?.limit$.next(step.to);
			break;
		case "replace":
			replace(world, step.muted === true, step.aborts === true, step.pause ?? 0);
			break;
		case "stop":
			if (session !== undefined) stopAgents(session, step.agents);
			break;
		case "resume":
			if (session !== undefined) resume(world, session, step.agent, step.child ?? {});
			break;
	}
}

function stopAgents(session: SimulatedSession, back: readonly number[]): void {
	const records = session.agents.list();
	session.stop(back.flatMap((index) => records.at(-1 - index)?.agentId ?? []));
}

function resume(world: World, session: SimulatedSession, back: number, child: ChildManners): void {
	const record = session.agents.get(meantAgent(session.agents, back) as TerminalRecord["agentId"]);
	if (record === undefined) return;
	const prompt = `resume${++world.callCount}`;
	world.children.set(prompt, child);
	try {
		session.agents.resume(record.agentId, { prompt, config: record.config, background: true });
	} catch (error) {
		if (!(error instanceof SpawnRefused)) throw error;
	}
}

function replace(world: World, muted: boolean, aborts: boolean, pause: number): void {
	const { session, clock } = world;
	if (session === undefined) return;
	endSession(world, session, () => clock.after(pause, () => enterSession(world, muted)), aborts);
}

function endSession(world: World, session: SimulatedSession, ended: () => void, aborts: boolean): void {
	world.parent.leave(aborts);
	world.session = undefined;
	world.ending.push(session);
	session.end(() => {
		session.state = "ended";
		// Whoever ends a session goes on when its promises have. Only a call that is still answering may have a timer then.
		world.clock.after(0, () => {
			const { calls, clock, judge } = world;
			if (calls.open.size === 0) judge.expect(clock.pending === 0, "cleanup", () => `${clock.pending} timers are left`);
			ended();
		});
	});
}

/** The parts of a script's end: what is planned is done, what goes on is stopped, what is held is told. */
function proceed(world: World): boolean {
	const { session, parent, judge, clock } = world;
	const part = world.part++;
	if (session === undefined) {
		judgeEnd(judge, world.ending, clock, world.calls.open);
		return false;
	}
	if (part === 0) {
		parent.heal();
		world.limit = 4;
		session.limit$.next(world.limit);
		stopAgents(
			session,
			session.agents.list().map((_, index) => index),
		);
	} else if (part <= 3) {
		parent.say({ do: "say" });
	} else {
		judgeRest(judge, session, parent, world.calls.open);
		endSession(world, session, noop, true);
	}
	return true;
}

/** Between any two steps. */
function checkSession(judge: Judge, session: SimulatedSession): void {
	session.book.check(session.agents.placeInLine);
	for (const delegation of session.delegations) delegation.check();
	for (const facts of session.book.live) {
		const kind = facts.publishable?.claim.state.kind;
		if (kind === undefined || kind === "pending" || kind === "held") continue;
		if (kind === "committed") {
			judge.expect(facts.appended === 1, "lost", () => `${facts.key} counts as published, and is not in the session`);
		} else if (kind === "delivered") {
			judge.expect(facts.appended === 0, "read_or_published", () => `${facts.key} is read, and stands in the session`);
		}
		judge.expect(isTerminal(facts.record), "transitions", () => `${facts.key} is ${kind}, and has not ended`);
	}
}
