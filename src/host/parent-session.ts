import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import {
	asyncScheduler,
	concatMap,
	defer,
	lastValueFrom,
	NEVER,
	type Observable,
	of,
	Subscription,
	startWith,
	takeUntil,
} from "rxjs";
import { delegationProblems, type ParentFacts, type Settings } from "../profiles/index.ts";
import {
	type Agents,
	agentsOf,
	createAgents,
	createGroups,
	createOutbox,
	createSpendWatermark,
	type Group,
	type Groups,
	groupsOf,
	type Note,
	type Outbox,
	type OwnAgents,
	type ParentEvent,
	parentActivity$,
	type RunKey,
	type Schedules,
	type Spend,
	type StartScheduled,
	type TerminalRecord,
	toCorrelationId,
} from "../streams/index.ts";
import type { ScheduledJob } from "../tools/index.ts";
import { adoptLeftBehind } from "./adopt-left-behind.ts";
import { childEnvironmentOf } from "./child-environment-of.ts";
import { createDelegate, type DelegatingSession } from "./delegation.ts";
import { createFullTexts } from "./full-texts.ts";
import type { LentTools } from "./lent-tools.ts";
import { openModelScope } from "./model-scope.ts";
import { newAgentId, newGroupId } from "./new-ids.ts";
import { extensionToolsOf, readParentFacts } from "./parent-facts.ts";
import { createParentPort } from "./parent-port.ts";
import { createProfileFiles, type ProfileFiles } from "./profile-files.ts";
import { createStartRun } from "./run-agent.ts";
import { schedulesOf } from "./schedules-of.ts";
import { createSessionLease, type SessionLease } from "./session-lease.ts";
import { openSessionLedger } from "./session-ledger.ts";
import { createSessionProblems, type SessionProblems } from "./session-problems.ts";
import { loadSettings } from "./settings-files.ts";
import { createTakeOver } from "./take-over.ts";
import { tell } from "./tell.ts";

/** Everything that lives as long as one session of the parent. Created at `session_start`, ended at `session_shutdown`. */
export interface ParentSession {
	readonly sessionId: string;
	/** All agents below the session, those that agents have started among them. */
	readonly agents: Agents;
	/** Agents below the session that were started together. */
	readonly groups: Groups;
	/** What the session has started itself, which is all that its model knows of. */
	readonly own: { readonly agents: OwnAgents; readonly groups: Groups };
	/** Jobs for later. Whoever opened the session opens them, once a job can be started. */
	readonly schedules: Schedules<ScheduledJob>;
	/** The right to publish and to keep schedules, of which several processes on one session have one. */
	readonly lease: SessionLease;
	readonly outbox: Outbox;
	readonly settings: Settings;
	readonly profiles: ProfileFiles;
	/** What is wrong with settings and profiles. */
	readonly problems: SessionProblems;
	/** Whether the host ends with the first answer, so that nothing comes by itself afterwards. */
	readonly oneShot: boolean;
	/** What the parent is like now: models and tools may change while the session lives. */
	facts(): ParentFacts;
	/** The path of a result's full text, once it is saved. */
	fullTextPath(record: TerminalRecord): Promise<string | undefined>;
	/** Resolves once all that has happened to agents so far is on record. Never rejects. */
	recorded(): Promise<void>;
	/** Takes what has been spent and has not been on any result yet. */
	takeSpend(): Spend;
	/**
	 * Takes over what another process that had the session open has left, if one has ended since. It is looked for all the
	 * while such a process is known. Never rejects.
	 */
	lookAround(): Promise<void>;
	/** Ends something together with the session, before its runs are stopped. */
	attach(owned: Subscription): void;
	/**
	 * Ends it in order: every run is stopped and waited for within the grace, then publication, files and streams. After
	 * that nothing here touches `pi` or `ctx` again. An emission of `givingUp$` ends the waiting early.
	 */
	end(givingUp$?: Observable<unknown>): Promise<void>;
}

/** What a session is made of beside the host's own objects. */
export interface ParentSessionParts {
	readonly events$: Observable<ParentEvent>;
	/** Whether results wait for the person's next message before they start turns. */
	readonly muted: boolean;
	/** The message for results that go to the parent. */
	readonly composeNote: (
		records: readonly TerminalRecord[],
		paths: ReadonlyMap<RunKey, string>,
		groupOf: (record: TerminalRecord) => Group | undefined,
	) => Note;
	/** The session's own instances of tools, for agents that have none. */
	readonly lend: LentTools["find"];
	/** Starts what a schedule is about, in the session that is current then. */
	readonly startScheduled: StartScheduled<ScheduledJob>;
}

/** Opens the parent's session for agents. Resolves when its settings and profiles are read; what is wrong is shown. */
export async function openParentSession(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	parts: ParentSessionParts,
): Promise<ParentSession> {
	const agentDir = getAgentDir();
	const loaded = await loadSettings(agentDir, ctx.cwd, ctx.isProjectTrusted());
	const { settings } = loaded;
	const profiles = createProfileFiles({ agentDir, cwd: ctx.cwd, trusted: ctx.isProjectTrusted() });
	await profiles.refresh();
	const problems = createSessionProblems(() => [
		...loaded.diagnostics,
		...profiles.diagnostics(),
		...delegationProblems(profiles.profiles()),
	]);
	const complaint = problems.news();
	if (complaint !== undefined) tell(ctx, complaint, "warning");

	const sessionId = ctx.sessionManager.getSessionId();
	const kept = ctx.sessionManager.getSessionFile() !== undefined;
	const sessionsDir = kept ? join(agentDir, "orchestrator", sessionId) : undefined;
	const texts = createFullTexts(sessionsDir);
	const lifetime = new Subscription();
	const lease = createSessionLease(sessionsDir);
	const ledger = await openSessionLedger(pi, ctx, { sessionId, folder: sessionsDir, lease, texts });
	const env = childEnvironmentOf(pi, ctx, { settings, agentDir, sessionsDir });
	const modelScope = await openModelScope(ctx, env);
	const agents = createAgents({
		ledger,
		restored: ledger.left.runs,
		startRun: createStartRun({
			...env,
			delegate: (...run) => delegate(...run),
			lend: parts.lend,
		}),
		maxConcurrent$: of(settings.maxConcurrent),
		maxAgents: () => settings.maxAgents,
		maxDepth: () => settings.maxDepth,
		maxZombies: () => settings.maxZombies,
		maxCost: () => settings.maxCostUsd,
		newIds: () => ({ agentId: newAgentId(), correlationId: toCorrelationId(randomUUID()) }),
		scheduler: asyncScheduler,
	});
	const groups = createGroups({ agents, newGroupId, restored: ledger.left.groups });
	// A published body may be cut: its full text is on its way to the disk before the message is made.
	lifetime.add(ledger.follow(agents.changes$));
	// What an earlier life has left waits for the person, too: opening a session spends nothing.
	const muted = parts.muted || ledger.left.runs.some(({ publish, record }) => publish && record.parent === undefined);
	const compose: DelegatingSession["compose"] = (records, groupOf) => parts.composeNote(records, texts.paths, groupOf);
	const { recorded } = ledger;
	const fullTextPath = (record: TerminalRecord) => texts.save(record);
	const delegate = createDelegate({
		agents,
		groups,
		settings,
		profiles,
		compose,
		fullTextPath,
		recorded,
		modelScope,
		extensionTools: () => extensionToolsOf(pi),
	});
	const own = agentsOf(agents, undefined);
	const outbox = createOutbox({
		publishable$: own.publishable$,
		activity$: parentActivity$(
			parts.events$.pipe(startWith<ParentEvent>({ type: "session_started", muted })),
			asyncScheduler,
		),
		port: createParentPort(pi, ctx),
		compose: (records) => compose(records, ({ agentId }) => groups.of(agentId)),
		scheduler: asyncScheduler,
	});

	const oneShot = ctx.mode === "print" || ctx.mode === "json";
	const start: typeof parts.startScheduled = (job, fire) =>
		defer(() => profiles.refresh()).pipe(concatMap(() => parts.startScheduled(job, fire)));
	const schedules = schedulesOf(ctx, { settings, folder: sessionsDir, lease, start, oneShot });

	ledger.announce(ledger.left);
	const spend = createSpendWatermark(agents, ledger.carried);
	const takeOver = createTakeOver({
		others: ledger.others,
		look: async () => {
			const had = lease.held;
			const { left, others } = await ledger.lookAgain();
			const notify = (text: string): void => tell(ctx, text, "info");
			if (left) adoptLeftBehind(left, { agents, groups, spend, announce: ledger.announce, notify });
			// Who had them is gone, and has written down how they stand.
			if (!had && lease.held) schedules.open();
			return others;
		},
	});
	return {
		sessionId,
		agents,
		groups,
		own: { agents: own, groups: groupsOf(groups, undefined) },
		schedules,
		lease,
		outbox,
		settings,
		profiles,
		problems,
		oneShot,
		facts: () => readParentFacts(pi, ctx, modelScope),
		fullTextPath,
		recorded,
		takeSpend: spend.take,
		lookAround: takeOver.look,
		attach: (owned) => lifetime.add(owned),
		end: async (givingUp$ = NEVER) => {
			// Publication first: a run that is stopped now settles, and its result must not start a turn on the way out.
			outbox.close();
			await takeOver.close();
			// Beside it, nothing more is started; what is being written is waited for while runs are stopped.
			const written = lastValueFrom(schedules.close(), { defaultValue: undefined });
			await lastValueFrom(agents.shutdown().pipe(takeUntil(givingUp$)), { defaultValue: undefined });
			lifetime.unsubscribe();
			await texts.close();
			await ledger.close();
			await written;
			await lease.release();
		},
	};
}
