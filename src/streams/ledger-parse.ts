import { parseAgentId } from "./ids.ts";
import { type LedgerLine, ledgerVersion } from "./ledger-line.ts";
import type { OutcomeReasons, TerminalStatus } from "./outcome.ts";

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
	const shape = { ...common, ...shapes[value.type as LedgerLine["type"]] };
	const fits = Object.entries(shape).every(([key, guard]) => guard(Object.hasOwn(value, key) ? value[key] : undefined));
	// Every field of the type has been looked at.
	return fits ? (value as unknown as LedgerLine) : "damaged";
}

type Guard = (value: unknown) => boolean;

/** Which reasons go with which status: a pair that is not here is not a verdict. */
const reasons: { readonly [S in TerminalStatus]: readonly OutcomeReasons[S][] } = {
	completed: ["done", "empty", "truncated"],
	steered: ["wrapped_up"],
	aborted: ["turn_limit", "tool_limit", "token_limit", "budget", "timeout", "idle_timeout"],
	stopped: ["stopped_by_user", "stopped_by_parent", "parent_shutdown", "dependency_failed"],
	error: ["provider_error", "startup_failure", "interrupted", "internal"],
};

const isString: Guard = (value) => typeof value === "string";
const isBoolean: Guard = (value) => typeof value === "boolean";
const isCount: Guard = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAmount: Guard = (value) => typeof value === "number" && Number.isFinite(value);
const isStrings: Guard = (value) => Array.isArray(value) && value.every(isString);
const isAgentId: Guard = (value) => typeof value === "string" && parseAgentId(value) !== undefined;
const isVerdict: Guard = (value) => {
	if (!isObject(value) || typeof value.status !== "string" || !Object.hasOwn(reasons, value.status)) return false;
	const known: readonly string[] = reasons[value.status as TerminalStatus];
	return typeof value.reason === "string" && known.includes(value.reason);
};
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
	agent: isAgentId,
	run: (value) => isCount(value) && Number(value) > 0,
};

const shapes: { readonly [T in LedgerLine["type"]]: Readonly<Record<string, Guard>> } = {
	opened: {
		correlation: isString,
		toolCall: optional(isString),
		description: isString,
		background: isBoolean,
		config: object({
			subagentType: isString,
			model: isString,
			thinking: isString,
			tools: isStrings,
			limits: object({ graceTurns: isCount, maxTurns: optional(isCount) }),
			isolated: isBoolean,
		}),
		created: isAmount,
		prompt: isString,
		group: optional(object({ id: isAgentId, member: isString })),
	},
	started: { model: isString, thinking: isString, tools: isStrings, file: optional(isString) },
	settled: {
		verdict: isVerdict,
		message: optional(isString),
		unread: isStrings,
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
