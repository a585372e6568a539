import { parseAgentId } from "./ids.ts";
import { type LedgerLine, ledgerVersion } from "./ledger-line.ts";
import { readVerdict } from "./verdicts.ts";

/**
 * A line of the ledger, or why it is none: `unknown` for a version or a kind that a later release has written, `damaged`
 * for what nobody has. Neither is an error of the others.
 */
export type ParsedLine = LedgerLine | "unknown" | "damaged";

/** Reads one line, without its end. Never throws. */
export function parseLedgerLine(text: string): ParsedLine {
	const value = parseJson(text);
	if (!isObject(value) || typeof value.v !== "number") return "damaged";
	if (value.v !== ledgerVersion || typeof value.type !== "string" || !Object.hasOwn(shapes, value.type)) {
		return "unknown";
	}
	const fits = object({ ...common, ...shapes[value.type as LedgerLine["type"]] });
	// Every field of the type has been looked at.
	return fits(value) ? (value as unknown as LedgerLine) : "damaged";
}

type Guard = (value: unknown) => boolean;

const isString: Guard = (value) => typeof value === "string";
const isBoolean: Guard = (value) => typeof value === "boolean";
const isCount: Guard = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAmount: Guard = (value) => typeof value === "number" && Number.isFinite(value);
const isStrings: Guard = (value) => Array.isArray(value) && value.every(isString);
const isAgentId: Guard = (value) => typeof value === "string" && parseAgentId(value) !== undefined;
const isVerdict: Guard = (value) =>
	isObject(value) && isString(value.reason) && readVerdict(value.status, value.reason) !== undefined;
const optional =
	(guard: Guard): Guard =>
	(value) =>
		value === undefined || guard(value);
const object =
	(shape: Readonly<Record<string, Guard>>): Guard =>
	(value) =>
		isObject(value) &&
		Object.entries(shape).every(([key, guard]) => guard(Object.hasOwn(value, key) ? value[key] : undefined));

const common: Readonly<Record<string, Guard>> = {
	session: isString,
	writer: isString,
	at: isAmount,
};
const ofRun: Readonly<Record<string, Guard>> = {
	agent: isAgentId,
	run: (value) => isCount(value) && Number(value) > 0,
};
const isGroup = object({
	groupId: isAgentId,
	kind: (value) => value === "swarm" || value === "crew",
	description: isString,
	background: isBoolean,
	join: (value) => value === "group" || value === "each",
	member: isString,
	index: isCount,
	after: isStrings,
});

const shapes: { readonly [T in LedgerLine["type"]]: Readonly<Record<string, Guard>> } = {
	left: {},
	opened: {
		...ofRun,
		correlation: isString,
		parent: optional(isAgentId),
		toolCall: optional(isString),
		schedule: optional(isString),
		description: isString,
		background: isBoolean,
		config: object({
			subagentType: isString,
			model: isString,
			thinking: isString,
			tools: isStrings,
			limits: object({
				graceTurns: isCount,
				maxTurns: optional(isCount),
				maxTools: optional(isCount),
				maxTokens: optional(isCount),
				runTimeout: optional(isAmount),
				idleTimeout: optional(isAmount),
			}),
			isolated: isBoolean,
			subagents: optional(isStrings),
			partitions: optional(isStrings),
		}),
		created: isAmount,
		prompt: isString,
		group: optional(isGroup),
	},
	started: { ...ofRun, model: isString, thinking: isString, tools: isStrings, file: optional(isString) },
	settled: {
		...ofRun,
		verdict: isVerdict,
		message: optional(isString),
		unread: isStrings,
		notes: optional(isStrings),
		text: optional(isString),
		textFile: optional(isString),
		spend: object({ input: isAmount, output: isAmount, cacheRead: isAmount, cacheWrite: isAmount, cost: isAmount }),
		turns: isCount,
		toolsStarted: isCount,
		toolUses: isCount,
		started: optional(isAmount),
	},
};

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
