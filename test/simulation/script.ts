/**
 * A whole simulated life, as data: everything that happens is in here or follows from it, so a script runs the same way
 * each time, can be shortened step by step, and can be kept as a test. What a step asks for and cannot be had at that
 * moment (an agent that does not exist, an Esc while nothing runs) does nothing, so that any part of a script is one too.
 */
export interface Script {
	/** Where it came from; names it in messages. */
	readonly seed: number;
	readonly host?: HostManners;
	/** Which promises run between two steps at one instant; 0 or absent: all of them, always. */
	readonly interleave?: number;
	readonly steps: readonly Step[];
}

/** What is so from the beginning. */
export interface HostManners {
	readonly maxConcurrent?: number;
	readonly maxAgents?: number;
	/** How deep agents may start others; 3 when absent. */
	readonly maxDepth?: number;
	readonly maxZombies?: number;
	/** A host without the boundary event: results go as a follow-up. */
	readonly followUp?: true;
	/** What saving a full text or reading a conversation is like. */
	readonly texts?: "slow" | "never" | "fails";
	readonly muted?: true;
	/** Members of groups are published one by one. */
	readonly join?: "each";
}

/** One thing that happens, `after` milliseconds since the step before; 0 when absent. */
export type Step = { readonly after?: number } & Happening;

export type Happening =
	/** The parent's model asks for tools, when it comes to speak again. */
	| { readonly do: "calls"; readonly calls: readonly Call[] }
	/** The parent's model ends its turn. `dropped`: a rival handler drops our entries, and may end the run as well. */
	| { readonly do: "settle"; readonly dropped?: "entries" | "entries_and_run" }
	/** The parent's provider fails. */
	| { readonly do: "fail" }
	| { readonly do: "esc" }
	/** A person's message; its handlers take `handlers` milliseconds, and may swallow it; its prompt may be refused. */
	| { readonly do: "say"; readonly handlers?: number; readonly ends?: "swallowed" | "refused" | "note_dropped" }
	| { readonly do: "dialog"; readonly lasts: number }
	/** `silent`: a host that does not say that it is over. */
	| { readonly do: "compact"; readonly lasts: number; readonly silent?: true }
	/** A person stops agents; counted back from the newest. */
	| { readonly do: "stop"; readonly agents: readonly number[] }
	/** A person resumes an agent, in the background. */
	| { readonly do: "resume"; readonly agent: number; readonly child?: ChildManners }
	| { readonly do: "limit"; readonly to: number }
	/** What becomes of the next message that would start a turn. */
	| { readonly do: "next_wake"; readonly is: "refused" | "throws" | "lost" | "fails" }
	/** `/new` and the like: this session ends, and another one begins when it has. */
	| { readonly do: "replace"; readonly muted?: true; readonly aborts?: true; readonly pause?: number };

/** A call of one of the three tools. */
export type Call = AgentCall | ResultCall | SteerCall;

interface CallBase {
	/** When its signal aborts: before it begins, so many milliseconds later, or while it does something. */
	readonly abort?: "before" | "spawn" | "update" | number;
	/** Parameters that must be refused. */
	readonly bad?: true;
}

export interface AgentCall extends CallBase {
	readonly tool: "Agent";
	readonly background?: true;
	readonly maxTurns?: number;
	readonly child?: ChildManners;
	/** The host throws when it is shown an update. */
	readonly updates?: "throw";
	/** A crew, or a swarm of as many agents; `child` means nothing then. */
	readonly crew?: readonly CrewMember[];
	readonly swarm?: true;
}

export interface CrewMember {
	/** Which members it waits for, counted from 0. */
	readonly after?: readonly number[];
	readonly child?: ChildManners;
}

export interface ResultCall extends CallBase {
	readonly tool: "get_subagent_result";
	/** Counted back from the newest. */
	readonly agent: number;
	/** The group that the agent belongs to, if it does. */
	readonly group?: true;
	readonly wait?: true;
	readonly timeout?: number;
	readonly verbose?: true;
}

export interface SteerCall extends CallBase {
	readonly tool: "steer_subagent";
	readonly agent: number;
}

/** What a child is like. Times are milliseconds. */
export interface ChildManners {
	/** Until the session exists; 5 when absent. */
	readonly ready?: number | "never";
	/** Turns it takes; 1 when absent. */
	readonly turns?: number;
	/** Between two events; 10 when absent, and 0 makes everything happen while it is subscribed. */
	readonly pace?: number;
	/** How it ends when nobody stops it; an answer when absent. */
	readonly ends?: ChildEnd;
	/** From its end until its session is at rest. */
	readonly closing?: number;
	/** What it does when it is stopped; settles and closes at once when absent. */
	readonly stopped?: StopManners;
	/** Says more after it has settled, and after it has closed. */
	readonly talksOn?: true;
	/** What it calls itself, one batch in each of its first turns. It has the results before it settles. */
	readonly own?: readonly (readonly Call[])[];
	/** A text that has to be cut. */
	readonly long?: true;
}

export type ChildEnd =
	| "empty"
	| "truncated"
	| "provider_error"
	| "hangs"
	/** The stream itself errors, ends without an outcome, or is never made. */
	| "errors"
	| "vanishes"
	| "throws"
	/** It says what cannot come then: another outcome, or its session's rest before its outcome. */
	| "settles_twice"
	| "closes_first";

/** `deaf`: goes on until its grace is over; `late`: the same, but its session comes to rest some time after. */
export type StopManners = "deaf" | "late" | { readonly settle: number; readonly close: number };

/** How long a deaf child is borne, in milliseconds. */
export const stopGrace = 5_000;
