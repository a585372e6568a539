import { afterAll, onTestFinished } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts";
import { createPi, type Pi, type PiOptions } from "../support/pi.ts";
import type { PlacedFiles } from "../support/pi-home.ts";
import type { PiRpc } from "../support/pi-rpc.ts";
import type { Say } from "./extension-fixture.ts";

export interface SharedSession {
	readonly server: OpenAiServer;
	readonly pi: Pi;
	/** Its records are those of this session alone. */
	readonly rpc: PiRpc;
	/** Replaces the session, as `/new` does: whatever it would still have done has been done then. */
	leave(): Promise<void>;
}

/** Begins a session in which the parent model and the child model say what the test wants. */
export type BeginSession = (
	says: { readonly parent: Say; readonly child: Say },
	/** The extension's settings, for this session. */
	orchestrator?: unknown,
	/** Other files than those of the options, for this session. What else is in the project is gone with it. */
	files?: PlacedFiles,
) => Promise<SharedSession>;

interface Running {
	readonly server: OpenAiServer;
	readonly pi: Pi;
	readonly rpc: PiRpc;
}

/**
 * One `pi --mode rpc` for the tests of a `describe`, each of which gets a new session in it: to start a Pi takes longer
 * than most of what is tested. The session is left when its test is over, and everything of it has to end then: a test
 * that leaves a request open, or whose scripted model threw, fails. After a test that failed there is a new Pi.
 *
 * For what a process or a home is asked for itself (files, exits, the start), and for other options in each test, there
 * is `useDelegation`.
 */
export function shareDelegation(options: PiOptions = {}): BeginSession {
	let idle: Running | undefined;

	async function start(orchestrator: unknown): Promise<Running> {
		const server = await startOpenAiServer(() => undefined);
		const pi = createPi({ baseUrl: server.baseUrl, ...options, orchestrator });
		return { server, pi, rpc: pi.startRpc() };
	}

	async function end({ server, pi }: Running): Promise<void> {
		await pi.dispose();
		await server.close();
	}

	async function anew(running: Running, orchestrator: unknown, files: PlacedFiles | undefined): Promise<void> {
		running.pi.configure(orchestrator);
		if (files !== undefined) running.pi.place({ ...options, ...files });
		await running.rpc.request({ type: "new_session" });
		await running.server.atRest();
	}

	afterAll(async () => {
		if (idle !== undefined) await end(idle);
		idle = undefined;
	});

	return async ({ parent, child }, orchestrator, files) => {
		const settings = orchestrator ?? options.orchestrator;
		const running = idle ?? (await start(settings));
		idle = undefined;
		let left: Promise<void> | undefined;
		const leave = () => (left ??= anew(running, options.orchestrator, files && options));
		onTestFinished(async ({ task }) => {
			try {
				if (task.result?.state === "fail") return await end(running);
				await leave();
				idle = running;
			} catch (error) {
				await end(running).catch(() => undefined);
				throw error;
			}
		});
		const { server, rpc } = running;
		server.forget();
		rpc.forget();
		// What the person is shown at its start belongs to this session.
		if (orchestrator !== undefined || files !== undefined) await anew(running, settings, files);
		server.answer((request, exchange) => {
			const say = request.model === "parent" ? parent : child;
			return typeof say === "function" ? say(request, exchange) : say;
		});
		return { ...running, leave };
	};
}
