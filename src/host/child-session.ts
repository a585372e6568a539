import {
	type AgentSession,
	createAgentSession,
	type ExtensionFactory,
	type ModelRuntime,
	type ResourceLoader,
	type ToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { listWords } from "../profiles/index.ts";
import type { RunConfig, RunSpec } from "../streams/ports.ts";
import type { ChildSessionInfo } from "../streams/run-event.ts";
import { type ChildEnvironment, reportProblem } from "./child-environment.ts";
import { lentTools, toolsOfExtensions, untilRegistered } from "./child-extension-tools.ts";
import { createChildLoader } from "./child-loader.ts";
import { readOnlyModelRuntime } from "./child-model-runtime.ts";
import { childPrompt, keepPromptAtHead, keepPromptInFront, knowsSkillsOfParent } from "./child-prompt.ts";
import type { ChildResources } from "./child-resources.ts";
import { openSessionManager } from "./child-session-file.ts";
import { childSettings } from "./child-settings.ts";
import { StartupFailure } from "./child-startup-failure.ts";
import { type HeldMail, noMail } from "./held-mail.ts";
import { hasInherited } from "./inherited-conversation.ts";
import { patientModelRuntime } from "./patient-model-runtime.ts";
import { boundedTools, type WriteBounds } from "./worktree-tools.ts";

/** A child's session, ready to be prompted. */
export interface ChildSession {
	readonly session: AgentSession;
	readonly info: ChildSessionInfo;
	/**
	 * Waits until the session is idle and its extensions have handled `session_shutdown`, then disposes it: the host's own
	 * `dispose` does neither. Closing twice is closing once. Never rejects; may take as long as a tool that ignores its signal.
	 */
	close(): Promise<void>;
}

/** What few sessions have. */
export interface ChildSessionHow {
	/** The host's own tools write only there. */
	readonly bounds?: WriteBounds | undefined;
	/** Called when a request begins to wait for its provider, and when it does not any more. Must not throw. */
	readonly onWait?: (waiting: boolean) => void;
	/** What is sent to the agent while it is held for its own agents. */
	readonly mail?: HeldMail;
}

/**
 * Makes the session of a run. Rejects with a `StartupFailure` where the run cannot be, with the host's own error where
 * the host cannot, and with the signal's reason once that has aborted; nothing is left open then.
 */
export async function openChildSession(
	env: ChildEnvironment,
	resources: ChildResources,
	spec: RunSpec,
	signal: AbortSignal,
	{ bounds, mail = noMail, onWait = () => undefined }: ChildSessionHow = {},
): Promise<ChildSession> {
	signal.throwIfAborted();
	// First, so that a run that fails to start leaves a conversation that can be resumed.
	const sessionManager = await openSessionManager(env, spec);
	const settingsManager = childSettings(env.settings?.() ?? resources.settings, env.projectTrusted);
	const shared = readOnlyModelRuntime(await env.modelRuntime());
	const { backoffs } = env;
	const modelRuntime = backoffs ? patientModelRuntime(shared, settingsManager, { backoffs, onWait }) : shared;
	const model = findModel(modelRuntime, spec.config.model);
	signal.throwIfAborted();
	const { isolated, tools, skills, thinking, projectContext = false } = spec.config;
	const resourceLoader = await createChildLoader({
		places: env,
		resources,
		settings: settingsManager,
		...promptParts(env, spec.config, {
			delegation: env.delegate?.(spec, signal, mail),
			inherited: hasInherited(sessionManager.getEntries()),
		}),
		projectContext,
		isolated,
		...(skills === undefined ? {} : { skills }),
	});
	const { session } = await createAgentSession({
		cwd: env.cwd,
		agentDir: env.agentDir,
		modelRuntime,
		model,
		thinkingLevel: thinking as AgentSession["thinkingLevel"],
		tools: [...tools],
		customTools: [
			...(bounds === undefined ? [] : hostToolsWithin(bounds, resourceLoader)),
			...lentTools(env, tools, resourceLoader),
		],
		resourceLoader,
		sessionManager,
		settingsManager,
	});
	const child = { session, close: closeOnce(session) };
	try {
		signal.throwIfAborted();
		const uiContext = env.questions?.uiOf(spec, signal);
		await session.bindExtensions({
			// What RPC mode is to extensions: dialogs are answered, and there is no terminal.
			...(uiContext === undefined ? { mode: "print" } : { mode: "rpc", uiContext }),
			onError: ({ extensionPath, event, error }) => {
				reportProblem(env, { agentId: spec.agentId, source: extensionPath, event, message: error });
			},
		});
		signal.throwIfAborted();
		await untilRegistered(session, tools, { seconds: env.toolWaitSeconds ?? 10, signal });
		// Now that every extension has brought its own.
		if (!isolated) checkSkills(skills, resourceLoader);
	} catch (error) {
		await child.close();
		throw error;
	}
	return { ...child, info: describe(session) };
}

/** The prompt for the loader, and our own extensions: what keeps the parent's in front where it stands there, for one. */
function promptParts(
	env: ChildEnvironment,
	config: RunConfig,
	{ delegation, inherited }: { readonly delegation: ExtensionFactory | undefined; readonly inherited: boolean },
) {
	const { cwd, parentCwd = cwd } = env;
	const systemPrompt = childPrompt(config, { own: cwd, parents: parentCwd });
	const { parentPrompt } = config;
	const whole = `${systemPrompt}\n\nCurrent working directory: ${cwd}`;
	return {
		systemPrompt,
		skillsKnown: knowsSkillsOfParent(config),
		inline: [
			...(delegation === undefined ? [] : [delegation]),
			...(parentPrompt === undefined ? [] : [keepPromptInFront(parentPrompt, whole)]),
			...(inherited ? [keepPromptAtHead()] : []),
		],
	};
}

/** In place of the host's own tools of these names; those that an extension has put in their place are its business. */
function hostToolsWithin(bounds: WriteBounds, loader: ResourceLoader): ToolDefinition[] {
	const taken = toolsOfExtensions(loader);
	return boundedTools(bounds).filter(({ name }) => !taken.has(name));
}

/** A skill that a profile names is one that its agent cannot do without. */
function checkSkills(wanted: readonly string[] = [], loader: ResourceLoader): void {
	const there = new Set(loader.getSkills().skills.map(({ name }) => name));
	const missing = wanted.filter((name) => !there.has(name));
	if (missing.length > 0) throw new StartupFailure(`This session does not have the skill ${listWords(missing)}.`);
}

function findModel(runtime: ModelRuntime, name: string) {
	const slash = name.indexOf("/");
	const model = slash === -1 ? undefined : runtime.getModel(name.slice(0, slash), name.slice(slash + 1));
	if (model === undefined) {
		throw new StartupFailure(`There is no model ${name}.`);
	}
	return model;
}

function describe(session: AgentSession): ChildSessionInfo {
	const { model, thinkingLevel, sessionFile } = session;
	return {
		model: model === undefined ? "none" : `${model.provider}/${model.id}`,
		thinking: thinkingLevel,
		tools: session.getActiveToolNames(),
		...(sessionFile === undefined ? {} : { sessionFile }),
	};
}

function closeOnce(session: AgentSession): () => Promise<void> {
	let closing: Promise<void> | undefined;
	return () => {
		closing ??= close(session);
		return closing;
	};
}

async function close(session: AgentSession): Promise<void> {
	try {
		await session.abort();
		await session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" });
	} catch {
		// A host that fails to wind down is disposed all the same.
	}
	try {
		session.dispose();
	} catch {
		// There is nobody left to tell.
	}
}
