import { join } from "node:path";
import { InMemoryCredentialStore, InMemoryModelsStore } from "@earendil-works/pi-ai";
import {
	type AgentSession,
	type AgentSessionEvent,
	type AgentSessionRuntime,
	type CreateAgentSessionRuntimeFactory,
	createAgentSessionFromServices,
	createAgentSessionRuntime,
	createAgentSessionServices,
	type ExtensionFactory,
	ModelRuntime,
	SessionManager,
	SettingsManager,
} from "@earendil-works/pi-coding-agent";
import { createFauxModel, type FauxScript, withoutCache } from "./faux-model.ts";
import { createPiHome, type PiHome, type PiHomeOptions } from "./pi-home.ts";
import { createWatcher } from "./watcher.ts";

export interface SdkParentOptions extends PiHomeOptions {
	/** The extensions under test, in load order. */
	readonly extensions: readonly ExtensionFactory[];
	/** The model: a script for Pi's faux provider. Without it `baseUrl` names a model server. */
	readonly script?: FauxScript;
	/** True keeps nothing of what the scripted model was asked. */
	readonly forgetful?: boolean;
	/** What the extensions see as `ctx.mode`; by default `rpc`, which stays alive between prompts. */
	readonly mode?: "tui" | "rpc" | "json" | "print";
	/** True stores the session in the home; by default it is kept in memory. */
	readonly stored?: boolean;
	/** The tools that are active; by default Pi's and all of the extensions'. */
	readonly tools?: string[];
	/** Whether the project is trusted; by default it is not. */
	readonly trust?: boolean;
}

/** A real parent session in this process: faster than a `pi`, and its objects can be looked at. */
export interface SdkParent extends PiHome {
	/** The session now: another one after `runtime.newSession()` and its like. */
	readonly session: AgentSession;
	readonly runtime: AgentSessionRuntime;
	/** The events of all its sessions, in order. */
	readonly events: readonly AgentSessionEvent[];
	/** What the host reported about extensions that threw. */
	readonly extensionErrors: readonly string[];
	/** The first truthy answer of `condition`, asked now and after each event. */
	until<T>(condition: () => T | undefined | null | false, what?: string): Promise<T>;
	/** Shuts the session down as Pi does when it quits, `session_shutdown` included. Harmless the second time. */
	shutdown(): Promise<void>;
	/** Shuts down and removes the home. */
	dispose(): Promise<void>;
}

/**
 * Creates the session and starts it. The caller disposes of it; in a test, use `useSdkParent`. While it lives,
 * `PI_CODING_AGENT_DIR` of this process names its agent directory: one at a time.
 */
export async function createSdkParent(options: SdkParentOptions): Promise<SdkParent> {
	const home = createPiHome(options);
	const outerAgentDir = process.env.PI_CODING_AGENT_DIR;
	process.env.PI_CODING_AGENT_DIR = home.agentDir;
	const watcher = createWatcher();
	const events: AgentSessionEvent[] = [];
	const extensionErrors: string[] = [];
	const { cwd, agentDir } = home;
	const runtime = await createAgentSessionRuntime(await runtimeFactory(options), {
		cwd,
		agentDir,
		sessionManager: options.stored
			? SessionManager.create(cwd, join(agentDir, "sessions"))
			: SessionManager.inMemory(cwd),
	});
	let stopping: Promise<void> | undefined;

	async function bind(session: AgentSession): Promise<void> {
		session.subscribe((event) => {
			events.push(event);
			watcher.notify();
		});
		await session.bindExtensions({
			mode: options.mode ?? "rpc",
			onError: ({ extensionPath, event, error }) => {
				extensionErrors.push(`${extensionPath} on ${event}: ${error}`);
				watcher.notify();
			},
		});
	}
	runtime.setRebindSession(bind);
	await bind(runtime.session);

	function shutdown(): Promise<void> {
		stopping ??= runtime.dispose();
		return stopping;
	}

	async function dispose(): Promise<void> {
		await shutdown();
		watcher.close("the parent session was disposed of");
		if (outerAgentDir === undefined) {
			delete process.env.PI_CODING_AGENT_DIR;
		} else {
			process.env.PI_CODING_AGENT_DIR = outerAgentDir;
		}
		home.remove();
	}

	return {
		...home,
		get session() {
			return runtime.session;
		},
		runtime,
		events,
		extensionErrors,
		until: watcher.until,
		shutdown,
		dispose,
	};
}

/** What creates the services of a session: asked again for each session that replaces another. */
async function runtimeFactory(options: SdkParentOptions): Promise<CreateAgentSessionRuntimeFactory> {
	const faux = options.script && createFauxModel(options.script);
	return async ({ cwd, agentDir, sessionManager, sessionStartEvent }) => {
		const modelRuntime = await ModelRuntime.create({
			credentials: new InMemoryCredentialStore(),
			modelsStore: new InMemoryModelsStore(),
			modelsPath: faux ? null : join(agentDir, "models.json"),
			refreshOnCreate: false,
		});
		if (faux) {
			modelRuntime.registerNativeProvider(options.forgetful ? withoutCache(faux.provider) : faux.provider);
		}
		const services = await createAgentSessionServices({
			cwd,
			agentDir,
			modelRuntime,
			settingsManager: SettingsManager.create(cwd, agentDir, { projectTrusted: options.trust === true }),
			resourceLoaderOptions: { extensionFactories: [...options.extensions] },
		});
		const model = modelRuntime.getModel("local", "parent");
		const created = await createAgentSessionFromServices({
			services,
			sessionManager,
			...(sessionStartEvent && { sessionStartEvent }),
			...(model && { model }),
			...(options.tools && { tools: options.tools }),
		});
		return { ...created, services, diagnostics: services.diagnostics };
	};
}
