import { type AssistantMessageEventStream, lazyStream } from "@earendil-works/pi-ai";
import type { ModelRuntime, SettingsManager } from "@earendil-works/pi-coding-agent";
import { NEVER, noop, Observable, takeUntil } from "rxjs";
import { fromAbortSignal } from "../operators/index.ts";
import type { ProviderBackoff, ProviderBackoffs } from "./provider-backoffs.ts";
import { limitOf } from "./provider-limit.ts";

/** What a session's requests need to wait together with those of its siblings. */
export interface Patience {
	readonly backoffs: ProviderBackoffs;
	/** Called when a request begins to wait, and when it does not any more. Must not throw. */
	readonly onWait: (waiting: boolean) => void;
}

type StreamSimple = ModelRuntime["streamSimple"];
type Options = Parameters<StreamSimple>[2];

/**
 * The runtime, whose requests wait while their provider takes no more: one of a sibling was told so. That is no failure,
 * and uses up none of the retries that the host makes. A request that waits goes on at once when its signal aborts: the
 * provider then sends nothing. Where the host does not retry, nothing waits.
 *
 * A request's own failure is the host's business, as ever, with its retries and the pauses between them.
 */
export function patientModelRuntime(
	runtime: ModelRuntime,
	settings: SettingsManager,
	{ backoffs, onWait }: Patience,
): ModelRuntime {
	const { enabled, ...delays } = settings.getRetrySettings();
	if (!enabled) return runtime;
	const policy = { ...delays, maxRetryDelayMs: settings.getProviderRetrySettings().maxRetryDelayMs };
	const streamSimple: StreamSimple = (model, context, options) => {
		const backoff = backoffs.of(model.provider, policy);
		const ask = (how: Options) => runtime.streamSimple(model, context, how);
		return whenMayAsk(backoff, { api: model.api, ask, options }, (begin) => {
			onWait(true);
			return lazyStream(model, async () => {
				const stream = await begin;
				onWait(false);
				return stream;
			});
		});
	};
	return new Proxy(runtime, {
		get: (target, name) => (name === "streamSimple" ? streamSimple : Reflect.get(target, name, target)),
	});
}

interface Request {
	/** The adapter that makes it. */
	readonly api: string;
	readonly ask: (options: Options) => AssistantMessageEventStream;
	readonly options: Options;
}

/** Asks at once, and returns the answer itself; or later, and returns what `late` makes of it. */
function whenMayAsk(
	backoff: ProviderBackoff,
	{ api, ask, options }: Request,
	late: (begin: Promise<AssistantMessageEventStream>) => AssistantMessageEventStream,
): AssistantMessageEventStream {
	let begun: AssistantMessageEventStream | undefined;
	let onBegin: (stream: AssistantMessageEventStream) => void = noop;
	const begin = (how: Options): AssistantMessageEventStream => {
		begun = ask(how);
		onBegin(begun);
		return begun;
	};
	const request$ = new Observable<void>((subscriber) => {
		const answered = (): void => subscriber.next();
		begin({ ...options, ...listening(backoff, api, options, answered) })
			.result()
			.then(
				(message) => {
					const failed = message.stopReason === "error" || message.stopReason === "aborted";
					if (failed) subscriber.error(limitOf(message) ?? message);
					else subscriber.complete();
				},
				(error: unknown) => subscriber.error(error),
			);
	});
	// It ends with the answer or the abort, and a host that makes requests sees to one of the two.
	request$.pipe(backoff.heed(), takeUntil(options?.signal ? fromAbortSignal(options.signal) : NEVER)).subscribe({
		error: noop,
		complete: () => {
			if (begun === undefined) begin(options);
		},
	});
	if (begun !== undefined) return begun;
	return late(
		new Promise((resolve) => {
			onBegin = resolve;
		}),
	);
}

/** Adapters through which a `fetch` can be given. Others may refuse a request that has one. */
const takeFetch: ReadonlySet<string> = new Set([
	"anthropic-messages",
	"azure-openai-responses",
	"mistral-conversations",
	"openai-codex-responses",
	"openai-completions",
	"openai-responses",
]);

/** What a request has to have so that it is heard when the provider takes it, and what it asks for when it does not. */
function listening(
	backoff: ProviderBackoff,
	api: string,
	options: Options,
	answered: () => void,
): NonNullable<Options> {
	return {
		...(takeFetch.has(api) ? { fetch: options?.fetch ?? backoff.fetch } : {}),
		onResponse: (response, model) => {
			// Some adapters tell of every response.
			if (response.status < 400) answered();
			return options?.onResponse?.(response, model);
		},
	};
}
