import type { Observable } from "rxjs";
import type { RefCountClaim } from "../operators/index.ts";
import type { AgentId, RunKey, ToolCallId } from "./ids.ts";
import type { JointRequest, JointRuns } from "./joint-runs.ts";
import type { StopRequest } from "./outcome.ts";
import type { RunConfig } from "./ports.ts";
import type { AgentRecord, TerminalRecord } from "./record.ts";
import type { RevivedRun } from "./restored-run.ts";
import type { ScheduleId } from "./schedules.ts";

/** What a tool call or a command asks for when it wants a new agent. Everything in it has been validated. */
export interface SpawnRequest {
	readonly prompt: string;
	readonly description: string;
	readonly config: RunConfig;
	/** A background agent stands in line for a slot; a foreground one starts at once, outside the line. */
	readonly background: boolean;
	readonly toolCallId?: ToolCallId;
	/** The schedule that starts it. */
	readonly schedule?: ScheduleId;
	/** The agent that asks; the session itself where it is absent. It must be running. */
	readonly parent?: AgentId;
}

/** What a resume asks for: the agent goes on in its own conversation, as a new run with a completion of its own. */
export interface ResumeRequest {
	readonly prompt: string;
	readonly config: RunConfig;
	readonly background: boolean;
	readonly toolCallId?: ToolCallId;
}

/** Why nothing was started. */
export class SpawnRefused extends Error {
	override readonly name = "SpawnRefused";
}

/** A result that was read: the record, and whether it had been published before. */
export interface Reading {
	readonly record: TerminalRecord;
	readonly published: boolean;
}

/** A background run's result, and the machine that says whose it is. */
export interface Publishable {
	readonly key: RunKey;
	readonly claim: RefCountClaim<TerminalRecord>;
	/** The agent whose result to have it is; the session's where it is absent. */
	readonly parent?: AgentId;
	/**
	 * Whether the result, once there is one, is no reason to start a turn: what a person stopped is no news to them. It
	 * goes beside whatever reaches the parent next. Left out: it is a reason.
	 */
	readonly quiet?: () => boolean;
	/** While it says no, the result stays where it is: it belongs to a group that is not ready. Left out: it is ready. */
	readonly release?: Release;
}

/** Whether something may go now. */
export interface Release {
	readonly current: boolean;
	/** The current answer, then each change. Never errors. */
	readonly state$: Observable<boolean>;
}

/** What became of a steering message: `held` until the session exists, or `queued` for the next boundary. */
export type SteerReceipt = "held" | "queued";

/** Why a message could not be taken. */
export class SteerRefused extends Error {
	override readonly name = "SteerRefused";
}

/** What stopping one agent came to. */
export interface StopReport {
	readonly agentId: AgentId;
	/** `not_live`: it had ended before; `unverified`: told to stop, and not known to have come to rest in time. */
	readonly result: "stopped" | "unverified" | "not_live";
	readonly record: AgentRecord;
}

/** All agents of one parent session. The one owner of their runs. */
export interface Agents {
	/**
	 * Creates a record and starts it or puts it in line. When this returns, the record, its completion and its claim
	 * exist. Throws `SpawnRefused`, and nothing has happened then.
	 */
	spawn(request: SpawnRequest): AgentRecord;
	/**
	 * Like `spawn` for several agents at once: all of them or none, and every record, completion and claim exists before
	 * the first run starts. Throws `SpawnRefused` where there is no room for all, and nothing has happened then.
	 */
	spawnAll(requests: readonly JointRequest[]): JointRuns;
	/**
	 * Starts the next run of an agent that has ended, under the same id; its session is closed first where that is still
	 * going on. An earlier result that nobody has read stays in line. Throws `SpawnRefused`, and nothing has happened then.
	 */
	resume(agentId: AgentId, request: ResumeRequest): AgentRecord;
	get(agentId: AgentId): AgentRecord | undefined;
	/** In the order of their creation. */
	list(): readonly AgentRecord[];
	/** 1 for the next to start; `undefined` when the agent is not in line, or waits for others before it joins. */
	placeInLine(agentId: AgentId): number | undefined;
	/** Every new snapshot of every record, hot; completes at shutdown. */
	readonly changes$: Observable<AgentRecord>;
	/** The current snapshot, then each next one of the same run, the terminal one last; then it completes. Never errors. */
	watch(agentId: AgentId): Observable<AgentRecord>;
	/** Like `watch`, but unsubscribing before the end stops the run: the handle of a foreground call. */
	foreground(agentId: AgentId): Observable<AgentRecord>;
	/** The terminal record of the agent's current run, once and for ever the same. Leaving stops nothing. */
	completion(agentId: AgentId): Observable<TerminalRecord>;
	/** Like `completion`, but each subscription claims the result until it has left or got it. */
	claim(agentId: AgentId): Observable<Reading>;
	/**
	 * Stops agents, and with them (`stopped_by_parent`) those that they have started, before any of these may start. Emits
	 * one report for each that is stopped when it has come to rest or its grace is over, then completes. Starts at once.
	 */
	stop(agentIds: readonly AgentId[], request: StopRequest): Observable<StopReport>;
	/** Queues a message for the agent's next boundary. Throws `SteerRefused` unless the agent is running. */
	steer(agentId: AgentId, message: string): SteerReceipt;
	/**
	 * What earlier lives of the session have left to publish, and then the result of every background run from its spawn on;
	 * hot, completes at shutdown.
	 */
	readonly publishable$: Observable<Publishable>;
	/** Stops every run with `parent_shutdown`; completes when all have closed or their grace is over. Starts at once. */
	shutdown(): Observable<never>;
}

/** All agents as their owner has them. */
export interface AgentsOwner extends Agents {
	/** Takes in what another life of the session has left while this one was there: the life has ended meanwhile. */
	adopt(these: readonly RevivedRun[]): void;
}
