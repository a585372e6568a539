import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { DeliveredResult, SessionFacts } from "../streams/fold-ledger.ts";
import { parseAgentId, type RunKey, runKey } from "../streams/ids.ts";
import { noticeMessageType, resultMessageType } from "../streams/message-types.ts";
import { addSpend, noSpend, type Spend } from "../streams/usage.ts";
import { readVerdict } from "../streams/verdicts.ts";

/** What a session's entries say about the agents of it. */
export interface ToldBySession extends SessionFacts {
	/** The spend that results of calls have carried into the session. */
	readonly carried: Spend;
}

/**
 * Reads what a session says of results from all of its entries, those on abandoned branches included: a result that has
 * reached the conversation once is not sent into another branch of it by a restart. What does not look like ours is
 * passed over. Pure.
 */
export function readSessionFacts(entries: readonly SessionEntry[]): ToldBySession {
	const delivered = new Map<RunKey, DeliveredResult>();
	const said = new Set<RunKey>();
	let carried = noSpend;
	for (const entry of entries) {
		if (entry.type === "custom_message" && entry.customType === noticeMessageType) {
			for (const key of strings(entry.details, "interrupted")) said.add(key as RunKey);
		} else if (entry.type === "custom_message" && entry.customType === resultMessageType) {
			for (const [key, result] of publishedBy(entry.details)) delivered.set(key, result);
		} else if (entry.type === "message" && entry.message.role === "toolResult") {
			const { toolName, details } = entry.message;
			for (const [key, result] of readBy(toolName, details)) delivered.set(key, result);
			if (tools.has(toolName)) carried = addSpend(carried, spendOf(entry.message));
		}
	}
	return { delivered, said, carried };
}

const tools: ReadonlySet<string> = new Set(["Agent", "get_subagent_result", "steer_subagent"]);

type Delivery = readonly [RunKey, DeliveredResult];

function publishedBy(details: unknown): Delivery[] {
	const agents = objects(details, "agents");
	return strings(details, "delivery").map((key) => {
		const told = agents.find((agent) => key.startsWith(`${String(agent.agentId)}#`));
		return [key as RunKey, { by: "published", ...verdictOf(told?.status) }];
	});
}

/** The runs whose results a tool's result has handed over, by its details: alone, or as members of a group. */
function readBy(toolName: string, details: unknown): Delivery[] {
	if (!isObject(details)) return [];
	const told = details.kind === "agent" ? [details] : details.kind === "group" ? objects(details, "members") : [];
	return told.flatMap((agent): Delivery[] => {
		const agentId = typeof agent.agent_id === "string" ? parseAgentId(agent.agent_id) : undefined;
		const verdict = readVerdict(agent.status, agent.reason);
		if (agentId === undefined || verdict === undefined || !handsOver(toolName, agent)) return [];
		const run = typeof agent.run === "number" ? agent.run : 1;
		return [[runKey(agentId, run), { by: "read", verdict }]];
	});
}

/** A call in the foreground returns its agent's result, and a reading that found it unpublished has consumed it. */
function handsOver(toolName: string, agent: Readonly<Record<string, unknown>>): boolean {
	if (toolName === "Agent") return agent.background === false;
	return toolName === "get_subagent_result" && agent.published === false;
}

function verdictOf(status: unknown): Pick<DeliveredResult, "verdict"> {
	const verdict = readVerdict(status);
	return verdict === undefined ? {} : { verdict };
}

/** What a result has carried, on hosts that keep that. */
function spendOf(message: object): Spend {
	const usage = "usage" in message && isObject(message.usage) ? message.usage : {};
	const cost = isObject(usage.cost) ? usage.cost : {};
	return {
		input: amount(usage.input),
		output: amount(usage.output),
		cacheRead: amount(usage.cacheRead),
		cacheWrite: amount(usage.cacheWrite),
		cost: amount(cost.total),
	};
}

function amount(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function strings(details: unknown, key: string): string[] {
	return listOf(details, key).filter((value) => typeof value === "string");
}

function objects(details: unknown, key: string): Readonly<Record<string, unknown>>[] {
	return listOf(details, key).filter(isObject);
}

function listOf(details: unknown, key: string): readonly unknown[] {
	const value = isObject(details) ? details[key] : undefined;
	return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
