import {
	type AssistantMessage,
	type FauxProviderHandle,
	fauxAssistantMessage,
	fauxProvider,
	fauxToolCall,
	type TranscriptContext,
} from "@earendil-works/pi-ai";

/** One request to the scripted model. */
export interface FauxTurn {
	/** The model's id. */
	readonly model: string;
	readonly messages: TranscriptContext["messages"];
	/** The text of the last user-role message, or "". */
	readonly user: string;
	/** The texts of the tool results since the last assistant message, by tool. */
	readonly results: readonly { readonly tool: string; readonly text: string; readonly isError: boolean }[];
	readonly signal: AbortSignal | undefined;
}

/** Answers a request: with text, with a message, or with `call` or `fail` below. */
export type FauxScript = (turn: FauxTurn) => string | AssistantMessage | Promise<string | AssistantMessage>;

/**
 * Pi's own faux provider under the name `local`, with the models `parent` and `child`, which answers every request by
 * asking the script: there is no queue for sessions to race for.
 */
export function createFauxModel(script: FauxScript): FauxProviderHandle {
	const faux = fauxProvider({ provider: "local", models: [{ id: "parent" }, { id: "child" }] });
	async function answer(
		context: TranscriptContext,
		options: { signal?: AbortSignal } | undefined,
		_state: unknown,
		model: { id: string },
	): Promise<AssistantMessage> {
		faux.appendResponses([answer]);
		const reply = await script(readTurn(context, model.id, options?.signal));
		return typeof reply === "string" ? fauxAssistantMessage(reply) : reply;
	}
	// Each request takes a step as it starts and puts one back a little later: so many may start at the same moment.
	faux.setResponses(Array.from({ length: 256 }, () => answer));
	return faux;
}

/** A provider that keeps no prompt of any session, as Pi's faux one does for its counts of cached tokens. */
export function withoutCache(provider: FauxProviderHandle["provider"]): FauxProviderHandle["provider"] {
	return new Proxy(provider, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name, target);
			if (name !== "streamSimple" || typeof value !== "function") return value;
			return (...[model, context, options]: Parameters<typeof target.streamSimple>) =>
				Reflect.apply(value, target, [model, context, { ...options, cacheRetention: "none" }]);
		},
	});
}

/** A message that calls tools, one or several. */
export function call(
	...calls: readonly (readonly [name: string, args: Parameters<typeof fauxToolCall>[1]])[]
): AssistantMessage {
	return fauxAssistantMessage(
		calls.map(([name, args]) => fauxToolCall(name, args)),
		{ stopReason: "toolUse" },
	);
}

/** A message that says that the provider failed. */
export function fail(errorMessage: string): AssistantMessage {
	return fauxAssistantMessage("", { stopReason: "error", errorMessage });
}

/** Resolves when the signal aborts. What a script returns after it is never seen: the host says "aborted". */
export function untilAborted(signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		if (signal?.aborted) {
			resolve();
		}
		signal?.addEventListener("abort", () => resolve(), { once: true });
	});
}

function readTurn(context: TranscriptContext, model: string, signal: AbortSignal | undefined): FauxTurn {
	const { messages } = context;
	const fresh = messages.slice(messages.findLastIndex((message) => message.role === "assistant") + 1);
	return {
		model,
		messages,
		user: textOf(messages.findLast((message) => message.role === "user")?.content),
		results: fresh.flatMap((message) =>
			message.role === "toolResult"
				? [{ tool: message.toolName, text: textOf(message.content), isError: message.isError }]
				: [],
		),
		signal,
	};
}

function textOf(content: string | readonly { type: string; text?: string }[] | undefined): string {
	return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}
