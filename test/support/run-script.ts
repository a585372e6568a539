import { concat, map, merge, type Observable, of, switchMap, take, takeUntil, takeWhile, timer } from "rxjs";
import type { RunHelpers } from "rxjs/testing";
import {
	type AgentId,
	type Outcome,
	parseAgentId,
	type RunConfig,
	type RunEvent,
	type Spend,
	type StartRun,
} from "../../src/streams/index.ts";

/** An id for tests; throws for one that the protocol would not take. */
export function agentId(value: string): AgentId {
	const id = parseAgentId(value);
	if (id === undefined) throw new Error(`${value} is not an agent id`);
	return id;
}

export const spendOf = (input: number, output = 0): Spend => ({
	input,
	output,
	cacheRead: 0,
	cacheWrite: 0,
	cost: input / 1000,
});

export const doneOutcome: Outcome = { verdict: { status: "completed", reason: "done" }, text: "answer", unread: [] };
export const failedOutcome: Outcome = {
	verdict: { status: "error", reason: "provider_error" },
	text: "",
	message: "500",
	unread: [],
};

export const testConfig: RunConfig = {
	subagentType: "general-purpose",
	systemPrompt: "You are a test.",
	model: "local/child",
	thinking: "off",
	tools: ["read"],
	limits: { graceTurns: 1 },
	isolated: false,
};

/** What the letters of a run's script stand for. */
export const runEvents: Readonly<Record<string, RunEvent>> = {
	r: { type: "session_ready", session: { model: "local/child", thinking: "off", tools: ["read"] } },
	t: { type: "turn_started" },
	n: { type: "turn_ended", continues: true },
	l: { type: "turn_ended", continues: false },
	d: { type: "text_delta", delta: "par" },
	m: { type: "message_ended", text: "answer", spend: spendOf(10, 5) },
	b: { type: "tool_started", toolCallId: "x1", toolName: "bash" },
	B: { type: "tool_ended", toolCallId: "x1", toolName: "bash", isError: false },
	h: { type: "stirred" },
	y: { type: "retrying", attempt: 1, message: "429" },
	w: { type: "provider_wait", waiting: true },
	W: { type: "provider_wait", waiting: false },
	v: { type: "steering_read", message: "wrap up", limit: true },
	s: { type: "settled", outcome: doneOutcome },
	e: { type: "settled", outcome: failedOutcome },
	c: { type: "closed", how: "verified" },
	z: { type: "closed", how: "grace_expired" },
};

/** How long a scripted run takes to settle and to close once it has been told to stop, in frames. */
export interface StopManners {
	readonly settle: number;
	readonly close: number;
	readonly how?: "verified" | "grace_expired";
}

/**
 * Starts runs that follow marble scripts of `runEvents`, one script a run, the last one for all further runs. A stop ends
 * the script; the run then settles with the stop's verdict and closes, in its own time.
 */
export function scriptedRuns(
	{ cold }: Pick<RunHelpers, "cold">,
	scripts: readonly string[],
	manners: StopManners = { settle: 1, close: 1 },
): { readonly startRun: StartRun; readonly sources: readonly ReturnType<RunHelpers["cold"]>[] } {
	const sources = scripts.map((script) => cold(script, { ...runEvents }));
	let started = 0;
	const startRun: StartRun = (_spec, { stop$ }) => {
		const source$ = sources[Math.min(started++, sources.length - 1)];
		if (!source$) throw new Error("there is no script");
		return merge(
			(source$ as Observable<RunEvent>).pipe(takeUntil(stop$)),
			stop$.pipe(
				take(1),
				switchMap((verdict) => stopped({ verdict, text: "partial", unread: [] }, manners)),
			),
		).pipe(takeWhile((event) => event.type !== "closed", true));
	};
	return { startRun, sources };
}

function stopped(outcome: Outcome, { settle, close, how = "verified" }: StopManners): Observable<RunEvent> {
	return concat(
		timer(settle).pipe(map((): RunEvent => ({ type: "settled", outcome }))),
		timer(close).pipe(switchMap(() => of<RunEvent>({ type: "closed", how }))),
	);
}
