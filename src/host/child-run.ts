import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import { AsyncSubject, asyncScheduler, Subject, type Subscriber, Subscription, take, timer } from "rxjs";
import { longestTimer } from "../operators/longest-timer.ts";
import type { StopRequest } from "../streams/outcome.ts";
import type { RunInputs, RunSpec } from "../streams/ports.ts";
import type { RunEvent } from "../streams/run-event.ts";
import { type ChildEnvironment, reportProblem } from "./child-environment.ts";
import { isBroken, toRunEvents } from "./child-events.ts";
import { quell } from "./child-quell.ts";
import type { ChildResources } from "./child-resources.ts";
import { type ChildSession, openChildSession } from "./child-session.ts";
import { type ChildSteering, createChildSteering } from "./child-steering.ts";
import { emptyTally, type RunTally, tallyEvent } from "./child-tally.ts";
import { withInherited } from "./inherited-conversation.ts";
import { judgeOutcome, type RunFailure } from "./judge-outcome.ts";
import { endLeftProcesses } from "./left-processes.ts";
import { withUnheard } from "./resumable-conversation.ts";
import { openSharedPlace, type RunPlaces } from "./run-places.ts";
import { createRunVoice, type RunVoice } from "./run-voice.ts";
import type { RunWorktree } from "./worktree-run.ts";

export interface RunContext {
	readonly env: ChildEnvironment;
	readonly resources: () => Promise<ChildResources>;
	readonly places: RunPlaces;
	readonly spec: RunSpec;
	readonly inputs: RunInputs;
}

/** One run under way. What changes in it changes here, in the functions below, and nowhere else. */
interface Run extends RunContext {
	readonly voice: RunVoice;
	readonly steering: ChildSteering;
	readonly boundary$: Subject<void>;
	/** Aborts with the first stop, and at the end: from then on nothing may begin. */
	readonly halt: AbortController;
	/** Everything that the run has subscribed to. */
	readonly life: Subscription;
	/** Emits when the session has come to rest, however late. */
	readonly atRest$: AsyncSubject<void>;
	tally: RunTally;
	stop: StopRequest | undefined;
	/** Set by a stop that came when the host had settled: what follows is not the run's work any more. */
	finished: boolean;
	child: ChildSession | undefined;
	grace: Subscription | undefined;
	/** Why it ended, where neither its messages nor a stop say so. */
	failure: RunFailure | undefined;
	/** Where the run works in one. Its outcome waits for what becomes of it. */
	worktree: RunWorktree | undefined;
	/** The session has come to rest, and what is left takes no longer than it may. */
	resting: boolean;
}

/** Starts a run and speaks to `subscriber`. Returns its disposal, which is safe at any time. */
export function conductRun(context: RunContext, subscriber: Subscriber<RunEvent>): () => void {
	const run: Run = {
		...context,
		voice: createRunVoice(subscriber, context.env.scheduler),
		steering: createChildSteering(context.inputs.steering),
		boundary$: new Subject(),
		halt: new AbortController(),
		life: new Subscription(),
		atRest$: new AsyncSubject(),
		tally: emptyTally,
		stop: undefined,
		finished: false,
		child: undefined,
		grace: undefined,
		failure: undefined,
		worktree: undefined,
		resting: false,
	};
	// Before anything starts: a stop that is there already leaves nothing to undo.
	run.life.add(
		context.inputs.stop$.pipe(take(1)).subscribe({
			next: (request) => requestStop(run, request),
			// A run that cannot be stopped any more is not one to keep.
			error: () => requestStop(run, { status: "stopped", reason: "stopped_by_parent" }),
		}),
	);
	run.life.add(() => {
		run.halt.abort();
		quell(run.child?.session);
	});
	live(run).catch(() => {
		// It has no way to fail; and if it had one, an unhandled rejection would end the parent.
	});
	return () => run.life.unsubscribe();
}

async function live(run: Run): Promise<void> {
	run.failure = await attempt(run);
	const left = await endLeft(run);
	// The outcome names the branch that has the work; so it comes when that is there, and no tool can change anything.
	if (run.worktree === undefined) {
		settle(run, left);
	}
	if (!run.voice.over) {
		startGrace(run);
	}
	await run.child?.close();
	await run.places.leave(run.spec.agentId);
	run.child = undefined;
	run.resting = true;
	if (run.worktree !== undefined) {
		settle(run, [...left, ...(await run.worktree.close())]);
	}
	run.voice.close("verified");
	run.atRest$.next();
	run.atRest$.complete();
}

/** Who is stopped leaves nothing running; who ends by itself may have meant to. */
async function endLeft({ stop, voice, tally, child }: Run): Promise<readonly string[]> {
	const isCut = stop !== undefined || voice.over;
	return isCut && tally.usedShell && child !== undefined ? endLeftProcesses(child.session) : [];
}

/** Opens the session and sees the prompt through. What comes out is a failure that the messages do not show. */
async function attempt(run: Run): Promise<RunFailure | undefined> {
	try {
		const { session, info, prompt } = await open(run);
		run.halt.signal.throwIfAborted();
		run.life.add(run.steering.attach(session, run.boundary$));
		session.subscribe((event) => hearGuarded(run, event));
		run.voice.say({ type: "session_ready", session: info });
		// What was sent before there was a session is in the first request, after the prompt.
		run.boundary$.next();
		run.halt.signal.throwIfAborted();
		const task = withUnheard(prompt, run.spec.unheard, session);
		await session.prompt(withInherited(task, session.sessionManager.getEntries()), {
			expandPromptTemplates: false,
			source: "extension",
		});
		return run.tally.started ? undefined : { reason: "startup_failure", message: promptTaken };
	} catch (error) {
		return { reason: run.tally.started ? "internal" : "startup_failure", message: messageOf(error) };
	}
}

async function open(run: Run): Promise<ChildSession & { readonly prompt: string }> {
	const { signal } = run.halt;
	signal.throwIfAborted();
	const { env, prompt, worktree, bounds } = await openSharedPlace(run, signal);
	run.worktree = worktree;
	if (bounds !== undefined) run.places.keep(run.spec.agentId, bounds);
	const resources = await run.resources();
	const seen = bounds === undefined ? resources : bounds.resourcesThere(resources);
	const onWait = (waiting: boolean) => run.voice.say({ type: "provider_wait", waiting });
	const mail = {
		waiting$: run.steering.waiting$,
		handOver: () => run.boundary$.next(),
		mayGoOn: () => mayGoOn(run),
	};
	const child = await openChildSession(env, seen, run.spec, signal, { bounds, onWait, mail });
	run.child = child;
	return { ...child, prompt };
}

const promptTaken = "An extension took the prompt in its input hook, so the agent never ran.";

/** The host calls subscribers in the middle of its work, and a throw would fail the prompt. */
function hearGuarded(run: Run, event: AgentSessionEvent): void {
	try {
		hear(run, event);
	} catch (error) {
		const { agentId } = run.spec;
		reportProblem(run.env, { agentId, source: "<run>", event: event.type, message: messageOf(error) });
	}
}

/** What begins work that an earlier abort has not seen. */
const beginnings: ReadonlySet<AgentSessionEvent["type"]> = new Set([
	"agent_start",
	"auto_retry_start",
	"compaction_start",
]);

function hear(run: Run, event: AgentSessionEvent): void {
	if (!run.finished) {
		run.tally = tallyEvent(run.tally, event);
	}
	if (run.halt.signal.aborted && beginnings.has(event.type)) {
		quell(run.child?.session);
	}
	const read = run.steering.readBy(event);
	if (read !== undefined) {
		run.voice.say({ type: "steering_read", message: read.text, limit: read.from === "limit" });
	}
	for (const said of toRunEvents(event)) {
		run.voice.say(said);
	}
	// After the event itself: who hears that a turn has ended may still put something into the mailbox for its boundary.
	if (event.type === "turn_end" && !run.halt.signal.aborted && !isBroken(event.message) && mayGoOn(run)) {
		run.boundary$.next();
	}
}

/** Whether there is a turn left in which a message could be read: to begin one for it would only end in a stop. */
function mayGoOn({ inputs }: Run): boolean {
	return inputs.mayGoOn?.() ?? true;
}

function requestStop(run: Run, request: StopRequest): void {
	run.finished = run.tally.settled;
	run.stop = run.finished ? undefined : request;
	run.halt.abort();
	quell(run.child?.session);
	startGrace(run);
}

/** One grace for a run, from its stop or from its end, whichever comes first. */
function startGrace(run: Run): void {
	const { stopGraceSeconds, scheduler = asyncScheduler } = run.env;
	run.grace ??= timer(Math.min(stopGraceSeconds * 1000, longestTimer), scheduler).subscribe({
		next() {
			// Only the worktree is left, which a stop does not hurry: it ends by itself, and has its own time to do so.
			if (run.resting) return;
			settle(run, run.worktree?.unfinished);
			run.voice.close("grace_expired", run.atRest$.asObservable());
		},
		error() {
			// A timer does not fail.
		},
	});
	run.life.add(run.grace);
}

function settle(run: Run, notes: readonly string[] = []): void {
	const { tally, stop, failure, steering } = run;
	run.voice.settle(() => {
		const outcome = judgeOutcome({ tally, stop, failure, unread: steering.unread() });
		return notes.length === 0 ? outcome : { ...outcome, notes };
	});
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
