/** A message as events carry it. */
export interface PiMessage {
	readonly role: string;
	readonly content?: string | readonly PiContent[];
	readonly stopReason?: string;
	readonly errorMessage?: string;
	readonly customType?: string;
	readonly details?: unknown;
	readonly toolName?: string;
	readonly toolCallId?: string;
	readonly isError?: boolean;
	readonly [other: string]: unknown;
}

export interface PiContent {
	readonly type: string;
	readonly text?: string;
	readonly name?: string;
	readonly arguments?: unknown;
	readonly [other: string]: unknown;
}

/** What a tool gave back, or its update so far. */
export interface PiToolOutput {
	readonly content?: readonly PiContent[];
	readonly details?: unknown;
	readonly structuredContent?: unknown;
	readonly usage?: unknown;
}

/** One line that Pi writes in its json and rpc modes, with the fields that tests read. Hosts differ in the others. */
export interface PiRecord {
	readonly type: string;
	readonly id?: string;
	readonly command?: string;
	readonly success?: boolean;
	readonly data?: unknown;
	readonly error?: string;
	readonly message?: PiMessage;
	readonly messages?: readonly PiMessage[];
	readonly toolName?: string;
	readonly toolCallId?: string;
	readonly args?: unknown;
	readonly result?: PiToolOutput;
	readonly partialResult?: PiToolOutput;
	readonly isError?: boolean;
	readonly aborted?: boolean;
	readonly entry?: PiEntry;
	readonly [other: string]: unknown;
}

/** One line of a session file. */
export interface PiEntry {
	readonly type: string;
	readonly id?: string;
	readonly parentId?: string | null;
	readonly message?: PiMessage;
	readonly customType?: string;
	readonly content?: string | readonly PiContent[];
	readonly details?: unknown;
	readonly data?: unknown;
	readonly [other: string]: unknown;
}

/** The text of anything with content, its text parts joined. */
export function contentText(source: { readonly content?: string | readonly PiContent[] } | undefined): string {
	const content = source?.content ?? "";
	return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

/** The text of the last assistant message that ended, or "". */
export function lastAssistantText(records: readonly PiRecord[]): string {
	return contentText(
		records.findLast((record) => record.type === "message_end" && record.message?.role === "assistant")?.message,
	);
}

/** The `tool_execution_end` records, of all tools or of one. */
export function toolEnds(records: readonly PiRecord[], toolName?: string): PiRecord[] {
	return records.filter(
		(record) => record.type === "tool_execution_end" && (toolName === undefined || record.toolName === toolName),
	);
}

/** A custom message that entered the session, however it did. */
export interface PiCustomMessage {
	readonly customType: string;
	readonly text: string;
	readonly details: unknown;
}

/**
 * The custom messages of that type among the records. A message that was sent comes as `message_end`, one that was
 * returned at a boundary as `entry_appended`, and on some hosts a sent one comes as both: those are counted once.
 */
export function customMessages(records: readonly PiRecord[], customType: string): PiCustomMessage[] {
	const sent = records
		.filter((record) => record.type === "message_end" && record.message?.customType === customType)
		.map((record) => toCustomMessage(customType, record.message));
	const appended = records
		.filter((record) => record.type === "entry_appended" && record.entry?.customType === customType)
		.filter((record) => record.entry?.type === "custom_message")
		.map((record) => toCustomMessage(customType, record.entry));
	const unmatched = [...sent];
	const fromBoundary = appended.filter((message) => {
		const twin = unmatched.findIndex((other) => sameMessage(other, message));
		if (twin >= 0) {
			unmatched.splice(twin, 1);
		}
		return twin < 0;
	});
	return [...sent, ...fromBoundary];
}

function toCustomMessage(customType: string, source: PiMessage | PiEntry | undefined): PiCustomMessage {
	return { customType, text: contentText(source), details: source?.details };
}

function sameMessage(a: PiCustomMessage, b: PiCustomMessage): boolean {
	return a.text === b.text && JSON.stringify(a.details) === JSON.stringify(b.details);
}
