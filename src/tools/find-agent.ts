import { closest } from "../profiles/closest.ts";
import type { Agents } from "../streams/agents.ts";
import { parseAgentId } from "../streams/ids.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { AgentRecord } from "../streams/record.ts";
import { statusWithReason } from "./header.ts";

/** How many agents a complaint names. */
const named = 10;

/** The agent of an id, or what to say when there is none: the ids that exist, the latest first. */
export function findAgent(
	agents: Agents,
	id: string,
): { readonly ok: true; readonly record: AgentRecord } | { readonly ok: false; readonly problem: string } {
	const agentId = parseAgentId(id);
	const record = agentId === undefined ? undefined : agents.get(agentId);
	if (record !== undefined) return { ok: true, record };
	return { ok: false, problem: `there is no agent "${oneLine(id, 64)}". ${whatThereIs(id, agents.list())}` };
}

function whatThereIs(id: string, records: readonly AgentRecord[]): string {
	if (records.length === 0) return "No agent has been started in this session; the Agent tool starts one.";
	const ids = records.map((record) => record.agentId);
	const meant = closest(id, ids);
	const latest = records.slice(-named).reverse();
	const list = latest.map(
		(record) => `${record.agentId} (${statusWithReason(record)}, ${oneLine(record.description, 60)})`,
	);
	const more = records.length - latest.length;
	const guess = meant === undefined ? "" : `Did you mean ${meant}? `;
	return `${guess}Known agents: ${list.join("; ")}${more > 0 ? `; and ${more} older` : ""}.`;
}
