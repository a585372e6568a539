import type { Observable } from "rxjs";
import type { Outcome } from "./outcome.ts";
import type { Spend } from "./usage.ts";

/**
 * What a run says while it lives. In order: at most one `session_ready`, then anything but the last two, then exactly
 * one `settled`, then exactly one `closed`, then the stream completes. It never errors: a failure is an outcome.
 */
export type RunEvent =
	| { readonly type: "session_ready"; readonly session: ChildSessionInfo }
	| { readonly type: "turn_started" }
	/** `continues` tells whether the agent asked for tools, so that another turn follows unless it is stopped. */
	| { readonly type: "turn_ended"; readonly continues: boolean }
	| { readonly type: "text_delta"; readonly delta: string }
	| { readonly type: "message_ended"; readonly text: string; readonly spend: Spend }
	| { readonly type: "tool_started"; readonly toolCallId: string; readonly toolName: string }
	/** `spend`: what the tool itself has spent, on a model of its own for one. An agent's agents are no part of it. */
	| {
			readonly type: "tool_ended";
			readonly toolCallId: string;
			readonly toolName: string;
			readonly isError: boolean;
			readonly spend?: Spend;
	  }
	/** Something else went on: thinking, a tool's output. At most once a second. */
	| { readonly type: "stirred" }
	/** The agent has read a message; `limit`: one that asks it to wrap up. */
	| { readonly type: "steering_read"; readonly message: string; readonly limit?: boolean }
	/** A request has failed, and is made again after the host's pause. */
	| { readonly type: "retrying"; readonly attempt: number; readonly message: string }
	/** A request waits because its provider takes no more for now, or does not wait any more. */
	| { readonly type: "provider_wait"; readonly waiting: boolean }
	| { readonly type: "compacted"; readonly spend: Spend }
	| { readonly type: "settled"; readonly outcome: Outcome }
	| { readonly type: "closed"; readonly how: "verified" }
	/**
	 * The session did not become idle in time; it is counted as a zombie until `atRest$` emits, which it may never do.
	 * Never errors; kept for whoever comes late.
	 */
	| { readonly type: "closed"; readonly how: "grace_expired"; readonly atRest$?: Observable<unknown> };

/** What a run's session turned out to be, once it exists. */
export interface ChildSessionInfo {
	/** `provider/id`. */
	readonly model: string;
	readonly thinking: string;
	readonly tools: readonly string[];
	/** Absent when the session is kept in memory. */
	readonly sessionFile?: string;
}
