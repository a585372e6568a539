import { cleanLine } from "./clean-text.ts";

/**
 * What a result's `details` tell about an agent. A stored session may hold details of an older version, of another
 * extension, or none, so every field is read for itself and nothing but the status must be there.
 */
export interface ShownAgent {
	readonly status: string;
	/** Of a group it is the group's. */
	readonly agentId?: string;
	/** Its name in its group. */
	readonly name?: string;
	readonly reason?: string;
	readonly turns?: number;
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cost?: number;
	readonly durationMs?: number;
	readonly placeInLine?: number;
	readonly currentTools: readonly string[];
	readonly silentMs?: number;
	readonly stopping?: string;
}

/** The agent that the details are about, or `undefined` when they are about none. */
export function readShownAgent(details: unknown): ShownAgent | undefined {
	if (!isObject(details)) return undefined;
	const status = word(details.status);
	if (status === undefined) return undefined;
	const tokens = isObject(details.tokens) ? details.tokens : {};
	return present({
		status,
		agentId: word(details.agent_id) ?? word(details.group_id),
		name: word(details.name),
		reason: word(details.reason),
		turns: count(details.turns),
		inputTokens: count(tokens.input),
		outputTokens: count(tokens.output),
		cost: count(details.cost_usd),
		durationMs: count(details.duration_ms),
		placeInLine: count(details.place_in_line),
		currentTools: list(details.current_tools).flatMap((tool) => word(tool) ?? []),
		silentMs: count(details.silent_ms),
		stopping: word(details.stopping),
	});
}

/** The agent of a text that begins with the protocol's header lines. An aborted call's error has no details. */
export function readShownHeader(text: string): ShownAgent | undefined {
	const header = /^agent_id: (\S+)\r?\nstatus: (\w+)(?: \((\w+)\))?(?:\r?\n([^\r\n]*))?/.exec(text);
	const status = word(header?.[2]);
	if (header === null || status === undefined) return undefined;
	const facts = header[4] ?? "";
	return present({
		status,
		agentId: word(header[1]),
		reason: word(header[3]),
		turns: number(/\bturns: (\d+)/.exec(facts)?.[1]),
		cost: number(/\bcost: \$([\d.]+)/.exec(facts)?.[1]),
		currentTools: [],
	});
}

/** The text without the header lines, or the whole of a text that has none. */
export function bodyOf(text: string): string {
	if (!/^(?:agent|group)_id: /.test(text)) return text;
	const end = /\r?\n\r?\n/.exec(text);
	return end === null ? "" : text.slice(end.index + end[0].length);
}

/** The text of a result's or a message's content, whatever that is. */
export function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	return list(content)
		.flatMap((part) => (isObject(part) && typeof part.text === "string" ? part.text : []))
		.join("\n");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A short string that can be drawn, or `undefined`. */
export function word(value: unknown, max = 80): string | undefined {
	if (typeof value !== "string") return undefined;
	const line = cleanLine(value, max);
	return line === "" ? undefined : line;
}

function count(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function number(digits: string | undefined): number | undefined {
	return digits === undefined ? undefined : count(Number(digits));
}

type Maybe = { readonly [K in keyof ShownAgent]?: ShownAgent[K] | undefined };

/** Leaves out what is not there: an optional field is absent, never `undefined`. */
function present(agent: Maybe & Pick<ShownAgent, "status" | "currentTools">): ShownAgent {
	return Object.fromEntries(Object.entries(agent).filter(([, value]) => value !== undefined)) as unknown as ShownAgent;
}
