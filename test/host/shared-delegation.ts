import { afterAll, onTestFinished } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts";
import { createPi, type Pi, type PiOptions } from "../support/pi.ts";
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

	async function anew(running: Running, orchestrator: unknown): Promise<void> {
		running.pi.configure(orchestrator);
		await running.rpc.request({ type: "new_session" });
		await running.server.atRest();
	}

	afterAll(async () => {
		if (idle !== undefined) await end(idle);
		idle = undefined;
	});

	return async ({ parent, child }, orchestrator) => {
		const settings = orchestrator ?? options.orchestrator;
		const running = idle ?? (await start(settings));
		idle = undefined;
		let left: Promise<void> | undefined;
		const leave = () => (left ??= anew(running, options.orchestrator));
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
		if (orchestrator !== undefined) await anew(running, orchestrator);
		server.forget();
		rpc.forget();
		server.answer((request, exchange) => {
			const say = request.model === "parent" ? parent : child;
			return typeof say === "function" ? say(request, exchange) : say;
		});
		return { ...running, leave };
	};
}
