import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
	type AssistantMessage,
	type FauxProviderHandle,
	type FauxResponseStep,
	fauxProvider,
	InMemoryCredentialStore,
	InMemoryModelsStore,
	type TranscriptContext,
} from "@earendil-works/pi-ai";
import { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { NEVER, type Observable, type Subscription } from "rxjs";
import { onTestFinished } from "vitest";
import type { ChildEnvironment, ChildProblem } from "../../src/host/child-environment.ts";
import { createStartRun } from "../../src/host/run-agent.ts";
import { createMailbox } from "../../src/operators/index.ts";
import { parseAgentId, toCorrelationId } from "../../src/streams/ids.ts";
import type { Outcome } from "../../src/streams/outcome.ts";
import type { RunConfig, RunInputs, RunSpec } from "../../src/streams/ports.ts";
import type { RunEvent } from "../../src/streams/run-event.ts";
import { createPiHome, type PiHome, type PiHomeOptions } from "../support/pi-home.ts";
import { createWatcher } from "../support/watcher.ts";

/** A step of the scripted model. */
export type Step = FauxResponseStep;

export interface ChildFixture {
	readonly home: PiHome;
	readonly runtime: ModelRuntime;
	readonly faux: FauxProviderHandle;
	/** The messages of each request to the scripted model, as they were when it was made. */
	readonly requests: readonly TranscriptContext["messages"][];
	/**
	 * How many requests the scripted model got, those it had no answer for included. A call whose signal has aborted
	 * before is none: Pi 0.81.1 makes it, and no provider sends anything then.
	 */
	readonly calls: number;
	/** What the test's extensions wrote with `log(...)`, and what they find on `shared`. */
	readonly log: string[];
	readonly shared: Record<string, unknown>;
	readonly problems: ChildProblem[];
	env(changes?: Partial<ChildEnvironment>): ChildEnvironment;
	script(...steps: readonly Step[]): void;
	/** Writes an extension; `body` runs in its factory, with `pi`, `log` and `shared`. Returns its file. */
	extension(path: string, body: string): string;
	/** Starts a run and watches it. */
	run(changes?: RunChanges): WatchedRun;
}

export interface RunChanges {
	readonly env?: Partial<ChildEnvironment>;
	readonly config?: Partial<RunConfig>;
	readonly inputs?: Partial<RunInputs>;
	readonly spec?: Partial<Pick<RunSpec, "agentId" | "prompt" | "run" | "unheard" | "mayBegin">>;
	/** Called with each event, inside its emission. */
	readonly hear?: (event: RunEvent) => void;
}

export interface WatchedRun {
	readonly events: readonly RunEvent[];
	readonly types: readonly string[];
	readonly outcome: Outcome;
	readonly closed: string;
	readonly completed: boolean;
	readonly subscription: Subscription;
	/** The first event of that type, past or to come. */
	until<T extends RunEvent["type"]>(type: T): Promise<Extract<RunEvent, { type: T }>>;
	/** Resolves when there are that many events of the type. */
	untilCount(type: RunEvent["type"], count: number): Promise<unknown>;
	/** The completion of the stream. */
	readonly ended: Promise<void>;
}

let fixtures = 0;

/** A home, a model runtime with a scripted provider, and runs over real Pi sessions. Everything goes with the test. */
export async function useChildren(options: PiHomeOptions = {}): Promise<ChildFixture> {
	const home = createPiHome(options);
	onTestFinished(() => home.remove());
	const faux = fauxProvider({ provider: "faux", models: [{ id: "one", contextWindow: 20_000 }] });
	const runtime = await ModelRuntime.create({
		credentials: new InMemoryCredentialStore(),
		modelsStore: new InMemoryModelsStore(),
		modelsPath: options.baseUrl === undefined ? null : join(home.agentDir, "models.json"),
		refreshOnCreate: false,
	});
	let calls = 0;
	runtime.registerNativeProvider(
		new Proxy(faux.provider, {
			get(target, name) {
				const value: unknown = Reflect.get(target, name, target);
				if (name !== "streamSimple" || typeof value !== "function") {
					return value;
				}
				return (...args: Parameters<typeof target.streamSimple>) => {
					calls += args[2]?.signal?.aborted ? 0 : 1;
					return Reflect.apply(value, target, args);
				};
			},
		}),
	);
	const requests: TranscriptContext["messages"][] = [];
	const key = `child-fixture-${fixtures++}`;
	const extensionSide = { log: [] as string[], shared: {} as Record<string, unknown> };
	Object.assign(globalThis, { [key]: extensionSide });
	onTestFinished(() => {
		Reflect.deleteProperty(globalThis, key);
	});
	const problems: ChildProblem[] = [];

	function env(changes: Partial<ChildEnvironment> = {}): ChildEnvironment {
		return {
			cwd: home.cwd,
			agentDir: home.agentDir,
			projectTrusted: true,
			modelRuntime: async () => runtime,
			childExtensions: "inherit",
			argv: [],
			seenExtensionFiles: [],
			ownExtensionPaths: [],
			sessionsDir: join(home.agentDir, "orchestrator", "parent"),
			stopGraceSeconds: 60,
			onProblem: (problem) => problems.push(problem),
			...changes,
		};
	}

	function record(step: Step): Step {
		return async (context, ...rest) => {
			requests.push(structuredClone(withSystemPrompt(context)));
			return typeof step === "function" ? step(context, ...rest) : step;
		};
	}

	return {
		home,
		runtime,
		faux,
		requests,
		get calls() {
			return calls;
		},
		...extensionSide,
		problems,
		env,
		script: (...steps) => faux.appendResponses(steps.map(record)),
		extension(path, body) {
			const file = join(home.root, path);
			mkdirSync(dirname(file), { recursive: true });
			const opening = `const { log: lines, shared } = globalThis[${JSON.stringify(key)}];`;
			const logging = "const log = (...words) => void lines.push(words.join(' '));";
			writeFileSync(file, `${opening}\n${logging}\nexport default async function (pi) {\n${body}\n}\n`);
			return file;
		},
		run: (changes = {}) =>
			watchRun(
				createStartRun(env(changes.env))(makeSpec(changes), {
					stop$: NEVER,
					steering: createMailbox(),
					...changes.inputs,
				}),
				changes.hear,
			),
	};
}

/** The messages with the system prompt among them, which Pi 0.81.1 keeps apart. */
function withSystemPrompt(context: TranscriptContext & { systemPrompt?: string }): TranscriptContext["messages"] {
	const { systemPrompt, messages } = context;
	return systemPrompt === undefined ? messages : [{ role: "system", content: systemPrompt, timestamp: 0 }, ...messages];
}

let agents = 0;

export function makeSpec({ spec = {}, config = {} }: Pick<RunChanges, "spec" | "config"> = {}): RunSpec {
	const agentId = spec.agentId ?? parseAgentId(`agent-${agents++}`);
	if (agentId === undefined) {
		throw new Error("not an agent id");
	}
	return {
		run: 1,
		correlationId: toCorrelationId(`c-${agentId}`),
		prompt: "do it",
		...spec,
		agentId,
		config: {
			subagentType: "general-purpose",
			systemPrompt: "You are a child.",
			model: "faux/one",
			thinking: "off",
			tools: ["read", "bash", "edit", "write"],
			limits: { graceTurns: 3 },
			isolated: false,
			...config,
		},
	};
}

/** Subscribes to a run and keeps what it says. An error fails the test through `ended`. */
export function watchRun(run$: Observable<RunEvent>, hear: (event: RunEvent) => void = () => {}): WatchedRun {
	const events: RunEvent[] = [];
	const watcher = createWatcher();
	let completed = false;
	let failure: unknown;
	const subscription = run$.subscribe({
		next(event) {
			events.push(event);
			hear(event);
			watcher.notify();
		},
		error(error: unknown) {
			failure = error;
			watcher.notify();
		},
		complete() {
			completed = true;
			watcher.notify();
		},
	});
	onTestFinished(() => subscription.unsubscribe());
	const find = <T extends RunEvent["type"]>(type: T) =>
		events.find((event): event is Extract<RunEvent, { type: T }> => event.type === type);
	const must = <T extends RunEvent["type"]>(type: T) => {
		const event = find(type);
		if (event === undefined) {
			throw new Error(`no ${type} among ${events.map((each) => each.type).join(" ")}`);
		}
		return event;
	};
	return {
		events,
		get types() {
			return events.map(({ type }) => type);
		},
		get outcome() {
			return must("settled").outcome;
		},
		get closed() {
			return must("closed").how;
		},
		get completed() {
			return completed;
		},
		subscription,
		until: (type) => watcher.until(() => find(type), type),
		untilCount: (type, count) =>
			watcher.until(() => events.filter((event) => event.type === type).length >= count, `${count} times ${type}`),
		get ended() {
			return watcher
				.until(() => completed || failure !== undefined, "the end of the run")
				.then(() => {
					if (failure !== undefined) {
						throw failure;
					}
				});
		},
	};
}

/** The texts of the user's messages in a request. */
export function userTexts(messages: TranscriptContext["messages"]): string[] {
	return messages.filter(({ role }) => role === "user").map((message) => JSON.stringify(message.content));
}

/** A step that answers when the request is aborted, and says when it has begun. */
export function hangingStep(begun: () => void, message: AssistantMessage): Step {
	return async (_context, options) => {
		begun();
		await new Promise<void>((resolve) => options?.signal?.addEventListener("abort", () => resolve(), { once: true }));
		return message;
	};
}
