import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AgentSettledEvent, ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type Observable, Subject } from "rxjs";
import type { ParentEvent } from "../streams/index.ts";

/**
 * What the host tells of the parent session, as one hot stream. Registered once per load of the extension, before any
 * session starts; it never completes, for the host has no word for that, and its observers come and go with sessions.
 */
export function parentEvents(pi: ExtensionAPI): Observable<ParentEvent> {
	const events$ = new Subject<ParentEvent>();
	let lastStop: string | undefined;

	pi.on("session_shutdown", () => events$.next({ type: "session_replaced" }));
	pi.on("input", (event) => {
		// A message that is queued into a run under way starts nothing.
		if (event.streamingBehavior === undefined) events$.next({ type: "input_received" });
	});
	pi.on("before_agent_start", (event) => {
		// Hosts before 1.2.0 fire this for a person's prompt only, and do not say so.
		const by = "messageType" in event && event.messageType === "custom" ? "message" : "user";
		events$.next({ type: "prompt_accepted", by });
	});
	pi.on("agent_start", () => events$.next({ type: "run_started" }));
	pi.on("agent_end", (event) => {
		lastStop = stopReason(event.messages);
	});
	onSettled(pi, (event) => {
		events$.next({ type: "run_settled", how: settledHow(event, lastStop) });
		lastStop = undefined;
	});
	pi.on("ui_prompt_start", () => events$.next({ type: "dialog_opened" }));
	pi.on("ui_prompt_end", () => events$.next({ type: "dialog_closed" }));
	pi.on("session_before_compact", () => events$.next({ type: "compaction_started" }));
	pi.on("session_compact", () => events$.next({ type: "compaction_ended" }));
	pi.on("session_compact_failed", () => events$.next({ type: "compaction_ended" }));

	return events$.asObservable();
}

/**
 * Calls `handler` when a run of the parent has settled. The host says `agent_settled` of a message, too, that it refuses
 * because another began its run at the same moment: that run goes on, and has its signal, which a settled one has not.
 */
export function onSettled(pi: ExtensionAPI, handler: (event: AgentSettledEvent) => void): void {
	pi.on("agent_settled", (event, ctx) => {
		if (ctx.signal === undefined) handler(event);
	});
}

/** After these a session is one that somebody has left and come back to: it starts no turn of its own. */
export function isRestart(reason: string): boolean {
	return reason === "reload" || reason === "resume" || reason === "fork";
}

/** How the last assistant message of a run ended. */
export function stopReason(messages: readonly AgentMessage[]): string | undefined {
	const last = messages.findLast((message) => message.role === "assistant");
	return last?.stopReason;
}

/** Hosts before 1.1.0 do not say whether a settled run was aborted; there the last message does. */
function settledHow(event: object, lastStop: string | undefined): "done" | "aborted" | "failed" {
	if ("aborted" in event && event.aborted === true) return "aborted";
	if (lastStop === "aborted") return "aborted";
	return lastStop === "error" ? "failed" : "done";
}
