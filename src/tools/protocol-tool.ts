import type { Static, TSchema } from "@sinclair/typebox";
import type { ToolCallId } from "../streams/ids.ts";
import type { Spend } from "../streams/usage.ts";
import type { ToolDetails } from "./details.ts";
import type { StructuredAnswer } from "./structured.ts";

/** What a call came to, before a host makes its own result of it. */
export interface ToolAnswer {
	/** What the model reads. */
	readonly text: string;
	/** For rendering; plain JSON. */
	readonly details: ToolDetails;
	readonly structured?: StructuredAnswer;
	/** What no result has carried yet; absent when that is nothing. */
	readonly spend?: Spend;
	readonly isError: boolean;
}

/** One call of a tool. */
export interface ToolCall<P> {
	readonly toolCallId: ToolCallId;
	/** Validated by the host, and checked again: hooks may have changed it since. */
	readonly params: P;
	readonly signal: AbortSignal | undefined;
	/** Shows what there is so far. A host may drop it or throw: neither changes what the call comes to. */
	update(partial: ToolAnswer): void;
}

/** A tool of the protocol, without a host. */
export interface ProtocolTool<S extends TSchema> {
	readonly name: string;
	readonly label: string;
	readonly description: string;
	readonly promptSnippet?: string;
	readonly promptGuidelines?: readonly string[];
	readonly parameters: S;
	/** Folds looser forms of the arguments into the schema; never throws, and leaves what it does not know. */
	prepareArguments?(raw: unknown): Static<S>;
	readonly executionMode?: "sequential" | "parallel";
	readonly outputSchema?: TSchema;
	/**
	 * Resolves with an answer, errors that the model can act upon included (`isError`). Rejects with `ToolCallAborted`
	 * when the call's signal aborted, at once when it had been aborted before.
	 */
	run(call: ToolCall<Static<S>>): Promise<ToolAnswer>;
}
