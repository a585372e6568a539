import { type AgentSession, createAgentSession, type ModelRuntime } from "@earendil-works/pi-coding-agent";
import type { RunSpec } from "../streams/ports.ts";
import type { ChildSessionInfo } from "../streams/run-event.ts";
import { type ChildEnvironment, reportProblem } from "./child-environment.ts";
import { createChildLoader } from "./child-loader.ts";
import { readOnlyModelRuntime } from "./child-model-runtime.ts";
import type { ChildResources } from "./child-resources.ts";
import { openSessionManager } from "./child-session-file.ts";
import { childSettings } from "./child-settings.ts";
import { StartupFailure } from "./child-startup-failure.ts";

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

/**
 * Makes the session of a run. Rejects with a `StartupFailure` where the run cannot be, with the host's own error where
 * the host cannot, and with the signal's reason once that has aborted; nothing is left open then.
 */
export async function openChildSession(
	env: ChildEnvironment,
	resources: ChildResources,
	spec: RunSpec,
	signal: AbortSignal,
): Promise<ChildSession> {
	signal.throwIfAborted();
	// First, so that a run that fails to start leaves a conversation that can be resumed.
	const sessionManager = await openSessionManager(env, spec);
	const modelRuntime = readOnlyModelRuntime(await env.modelRuntime());
	const model = findModel(modelRuntime, spec.config.model);
	const settingsManager = childSettings(env.settings?.() ?? resources.settings, env.projectTrusted);
	signal.throwIfAborted();
	const { systemPrompt, isolated, tools, thinking } = spec.config;
	const resourceLoader = await createChildLoader({
		places: env,
		resources,
		settings: settingsManager,
		systemPrompt,
		isolated,
	});
	const { session } = await createAgentSession({
		cwd: env.cwd,
		agentDir: env.agentDir,
		modelRuntime,
		model,
		thinkingLevel: thinking as AgentSession["thinkingLevel"],
		tools: [...tools],
		resourceLoader,
		sessionManager,
		settingsManager,
	});
	const child = { session, close: closeOnce(session) };
	try {
		signal.throwIfAborted();
		await session.bindExtensions({
			mode: "print",
			onError: ({ extensionPath, event, error }) => {
				reportProblem(env, { agentId: spec.agentId, source: extensionPath, event, message: error });
			},
		});
		signal.throwIfAborted();
	} catch (error) {
		await child.close();
		throw error;
	}
	return { ...child, info: describe(session) };
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
