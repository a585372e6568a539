import type { Observable } from "rxjs";
import type { AgentId, CorrelationId, GroupId, RunKey } from "./ids.ts";
import type { StopRequest } from "./outcome.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * The edges of the streams: `host/` implements them over Pi, tests and simulations fake them. Nothing here imports Pi.
 */

/** Everything a run needs to know that was decided before it started. */
export interface RunSpec {
	readonly agentId: AgentId;
	/** Counted from 1; a resume is the next one. */
	readonly run: number;
	readonly correlationId: CorrelationId;
	/** The agent that started this one; absent where the session itself did. */
	readonly parent?: AgentId;
	readonly prompt: string;
	readonly config: RunConfig;
	/** Tasks of earlier runs that the conversation may not have: what it has not goes before the prompt. For a resume. */
	readonly unheard?: readonly string[];
	/** For a resume: whether no earlier run has had a session, so that there need be no conversation yet. */
	readonly mayBegin?: boolean;
}

/** The effective configuration of a run: no defaults are left to fill in. */
export interface RunConfig {
	/** The profile's name. */
	readonly subagentType: string;
	/** The profile's own words, in place of the host's default prompt; the host adds skills and the working directory. */
	readonly systemPrompt: string;
	/** The system prompt of whoever starts it, word for word: its own comes after it. */
	readonly parentPrompt?: string;
	/** What the project and the user have written for every session of theirs (`AGENTS.md`) comes after its own. */
	readonly projectContext?: true;
	/** It starts from a copy of the conversation of whoever starts it. */
	readonly inheritContext?: true;
	/** That conversation as it was when the agent was asked for: entries of the host, into which nobody looks here. */
	readonly inherited?: readonly unknown[];
	/** `provider/id`. */
	readonly model: string;
	readonly thinking: string;
	/** Names of the tools that the child may call: never more than the parent's active ones. */
	readonly tools: readonly string[];
	/** Skills by name; all that its parent has where it is absent. */
	readonly skills?: readonly string[];
	readonly limits: RunLimits;
	/** Built-in tools only and no skills; hooks of other extensions stay. */
	readonly isolated: boolean;
	/** `worktree`: the agent works in a git worktree of its own, and leaves its work on a branch. */
	readonly isolation?: "worktree";
	/** Names of the profiles to which it may delegate; absent where it may not. */
	readonly subagents?: readonly string[];
	/** What it belongs to: of profiles that name any, it sees only those that share one. */
	readonly partitions?: readonly string[];
}

export interface RunLimits {
	/** Turns after which the agent is asked to wrap up. */
	readonly maxTurns?: number;
	/** Tool calls, counted at their start, after which it is asked to. */
	readonly maxTools?: number;
	/** Turns it has to do so, once it has reached its turns or tools. */
	readonly graceTurns: number;
	/** Input and output tokens; at them it is stopped, and shortly before asked to wrap up. */
	readonly maxTokens?: number;
	/** Seconds that the run may take from its start; the same. */
	readonly runTimeout?: number;
	/** Seconds without any event after which it is stopped. */
	readonly idleTimeout?: number;
}

/** What reaches a run while it lives. */
export interface RunInputs {
	/** The first emission stops the run; it settles with that verdict and what there was of a text. Never errors. */
	readonly stop$: Observable<StopRequest>;
	/** Messages for the agent, one batch per boundary; the run asks for them with `steering.deliver(boundary$)`. */
	readonly steering: SteeringSource;
	/** Whether another turn, for a message or a result, would be within the run's limits; it would where it is left out. */
	mayGoOn?(): boolean;
}

/** A message for an agent that is under way. */
export interface SteeringMessage {
	readonly text: string;
	/** `limit`: our own request to wrap up, which nobody is told about when it goes unread. */
	readonly from: "parent" | "limit";
}

/** The receiving side of a steering mailbox. */
export interface SteeringSource {
	/** Emits a non-empty batch at a boundary while subscribed; what is not handed over stays where it is. */
	deliver(boundary$: Observable<unknown>): Observable<readonly SteeringMessage[]>;
	/** How many messages have not been handed over; 0 where it is left out. */
	readonly size?: number;
	/** Emits when one has come; nothing where it is left out. */
	readonly posted$?: Observable<unknown>;
	/** Takes what was never handed over, for the outcome's `unread`. */
	drain(): readonly SteeringMessage[];
}

/**
 * Starts runs. Subscribing creates the child session and prompts it; see `RunEvent` for what comes out and in which
 * order. Unsubscribing before completion is disposal: it aborts and frees, and nothing more is said.
 */
export type StartRun = (spec: RunSpec, inputs: RunInputs) => Observable<RunEvent>;

/** Results that go to the parent's conversation in one message. */
export interface Note {
	readonly text: string;
	/** What the message delivers; `details.delivery` of the session entry names the same keys. */
	readonly deliveries: readonly RunKey[];
	readonly details: NoteDetails;
}

export interface NoteDetails {
	readonly delivery: readonly RunKey[];
	readonly agents: readonly NoteAgent[];
	/** The groups that any of them belong to; absent where none does. */
	readonly groups?: readonly NoteGroup[];
}

/** A group of which a note tells members. */
export interface NoteGroup {
	readonly groupId: GroupId;
	readonly kind: string;
	readonly description: string;
}

/** One agent's line in a rendered note. */
export interface NoteAgent {
	readonly agentId: AgentId;
	readonly status: string;
	readonly description: string;
	/** Its name in its group. */
	readonly member?: string;
}

/** The parent's conversation, as somewhere to put notes. */
export interface ParentPort {
	/**
	 * Sends a note as a message that starts a turn. Called only while the parent is idle. `false` when the host would not
	 * take it at this instant (busy after all, messages pending, or replaced): nothing was sent then. Never throws.
	 */
	wake(note: Note): boolean;
	/** The keys whose notes stand in the session's current branch: the only proof of a delivery. */
	committed(): ReadonlySet<RunKey>;
	/** Shows the person a line that costs no turn. */
	notify(text: string): void;
}
