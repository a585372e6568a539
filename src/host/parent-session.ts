import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import { asyncScheduler, filter, lastValueFrom, type Observable, of, Subscription, startWith } from "rxjs";
import { formatDiagnostic, type ParentFacts, type Settings } from "../profiles/index.ts";
import {
	type AgentId,
	type Agents,
	createAgents,
	createOutbox,
	createSpendWatermark,
	isTerminal,
	type Note,
	type Outbox,
	type ParentEvent,
	parentActivity$,
	type RunKey,
	type Spend,
	type TerminalRecord,
	toCorrelationId,
} from "../streams/index.ts";
import { childEnvironmentOf } from "./child-environment-of.ts";
import { createFullTexts } from "./full-texts.ts";
import { readParentFacts } from "./parent-facts.ts";
import { createParentPort } from "./parent-port.ts";
import { createStartRun } from "./run-agent.ts";
import { loadSettings } from "./settings-files.ts";

/** Everything that lives as long as one session of the parent. Created at `session_start`, ended at `session_shutdown`. */
export interface ParentSession {
	readonly sessionId: string;
	readonly agents: Agents;
	readonly outbox: Outbox;
	readonly settings: Settings;
	/** Whether the host ends with the first answer, so that nothing comes by itself afterwards. */
	readonly oneShot: boolean;
	/** What the parent is like now: models and tools may change while the session lives. */
	facts(): ParentFacts;
	/** The path of a result's full text, once it is saved. */
	fullTextPath(record: TerminalRecord): Promise<string | undefined>;
	/** Takes what has been spent and has not been on any result yet. */
	takeSpend(): Spend;
	/** Ends something together with the session, before its runs are stopped. */
	attach(owned: Subscription): void;
	/**
	 * Ends it in order: every run is stopped and waited for within the grace, then publication, files and streams. After
	 * that nothing here touches `pi` or `ctx` again.
	 */
	end(): Promise<void>;
}

/** What a session is made of beside the host's own objects. */
export interface ParentSessionParts {
	readonly events$: Observable<ParentEvent>;
	/** Whether results wait for the person's next message before they start turns. */
	readonly muted: boolean;
	/** The message for results that go to the parent. */
	readonly composeNote: (records: readonly TerminalRecord[], paths: ReadonlyMap<RunKey, string>) => Note;
}

/** Texts shorter than this are never cut, however many results share a message: nobody needs them as files. */
const alwaysWhole = 1000;

/** Opens the parent's session for agents. Resolves when its settings are read; complaints about them are shown. */
export async function openParentSession(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	parts: ParentSessionParts,
): Promise<ParentSession> {
	const agentDir = getAgentDir();
	const loaded = await loadSettings(agentDir, ctx.cwd, ctx.isProjectTrusted());
	const { settings } = loaded;
	for (const diagnostic of loaded.diagnostics) ctx.ui.notify(formatDiagnostic(diagnostic), "warning");

	const sessionId = ctx.sessionManager.getSessionId();
	const kept = ctx.sessionManager.getSessionFile() !== undefined;
	const sessionsDir = kept ? join(agentDir, "orchestrator", sessionId) : undefined;
	const texts = createFullTexts(sessionsDir);
	const lifetime = new Subscription();
	const agents = createAgents({
		startRun: createStartRun(childEnvironmentOf(pi, ctx, { settings, agentDir, sessionsDir })),
		maxConcurrent$: of(settings.maxConcurrent),
		maxAgents: () => settings.maxAgents,
		maxZombies: () => settings.maxZombies,
		newIds: () => ({ agentId: newAgentId(), correlationId: toCorrelationId(randomUUID()) }),
		scheduler: asyncScheduler,
	});
	// A published body may be cut: its full text is on its way to the disk before the message is made.
	lifetime.add(
		agents.changes$.pipe(filter(isTerminal)).subscribe({
			next: (record) => {
				if (record.background && record.outcome.text.length >= alwaysWhole) void texts.save(record);
			},
			error: () => undefined,
		}),
	);
	const outbox = createOutbox({
		publishable$: agents.publishable$,
		activity$: parentActivity$(
			parts.events$.pipe(startWith<ParentEvent>({ type: "session_started", muted: parts.muted })),
			asyncScheduler,
		),
		port: createParentPort(pi, ctx),
		compose: (records) => parts.composeNote(records, texts.paths),
	});

	return {
		sessionId,
		agents,
		outbox,
		settings,
		oneShot: ctx.mode === "print" || ctx.mode === "json",
		facts: () => readParentFacts(pi, ctx),
		fullTextPath: (record) => texts.save(record),
		takeSpend: createSpendWatermark(() => agents.list()),
		attach: (owned) => lifetime.add(owned),
		end: async () => {
			// Publication first: a run that is stopped now settles, and its result must not start a turn on the way out.
			outbox.close();
			await lastValueFrom(agents.shutdown(), { defaultValue: undefined });
			lifetime.unsubscribe();
			await texts.close();
		},
	};
}

/** Eight hexadecimal digits: short enough for a model to copy, and good as a session id of the host. */
function newAgentId(): AgentId {
	return randomBytes(4).toString("hex") as AgentId;
}
