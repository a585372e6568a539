import type { Group, GroupMember } from "../streams/groups.ts";
import { isSuccess } from "../streams/outcome.ts";
import { oneLine } from "../streams/plain-text.ts";
import { type AgentRecord, isTerminal } from "../streams/record.ts";
import { addSpend, noSpend } from "../streams/usage.ts";
import { type AgentDetails, type AgentFacts, agentDetails, type DetailsExtra } from "./details.ts";

/** A member of a group, for rendering. */
export interface MemberDetails extends AgentDetails {
	readonly name: string;
	/** Names of the members whose results it needs first. */
	readonly after: readonly string[];
}

/** Agents that belong together, for rendering: the sums of the group, then each member in the given order. */
export interface GroupDetails extends Omit<AgentFacts, "agent_id"> {
	readonly kind: "group";
	readonly group_id: string;
	readonly group: Group["kind"];
	readonly description: string;
	readonly background: boolean;
	readonly toolCallId?: string;
	readonly members: readonly MemberDetails[];
}

/** The sums over a group's members; their status is that of the whole. */
export type GroupFacts = Omit<AgentFacts, "agent_id">;

/** What a group has come to: `completed` once all have ended and any has succeeded. */
export function groupFacts(group: Group, now: number): GroupFacts {
	const records = group.members.map(({ record }) => record);
	const spend = records.reduce((sum, record) => addSpend(sum, record.spend), noSpend);
	const models = [...new Set(records.map((record) => record.config.model))];
	return {
		...groupStatus(records),
		type: group.kind,
		model: models.join(", "),
		turns: sum(records, (record) => record.turns),
		tool_uses: sum(records, (record) => record.toolUses),
		tokens: { input: spend.input, output: spend.output, cache_read: spend.cacheRead, cache_write: spend.cacheWrite },
		cost_usd: spend.cost,
		duration_ms: wallTime(records, now),
	};
}

export function groupDetails(
	group: Group,
	now: number,
	extraOf: (member: GroupMember, index: number) => DetailsExtra = () => ({}),
): GroupDetails {
	return {
		kind: "group",
		group_id: group.groupId,
		group: group.kind,
		...groupFacts(group, now),
		description: oneLine(group.description, 200),
		background: group.background,
		...(group.toolCallId === undefined ? {} : { toolCallId: group.toolCallId }),
		members: group.members.map((member, index) => ({
			...agentDetails(member.record, now, extraOf(member, index)),
			name: member.name,
			after: member.after,
		})),
	};
}

/** Whether any member of a group has done what it was asked to. */
export function anySucceeded(records: readonly AgentRecord[]): boolean {
	return records.some((record) => isTerminal(record) && isSuccess(record.outcome.verdict));
}

function groupStatus(records: readonly AgentRecord[]): Pick<GroupFacts, "status" | "reason"> {
	const ended = records.filter(isTerminal);
	if (ended.length < records.length) {
		return { status: records.some((record) => record.status !== "queued") ? "running" : "queued", reason: null };
	}
	if (anySucceeded(records)) return { status: "completed", reason: "done" };
	const { status, reason } = ended[0]?.outcome.verdict ?? { status: "completed", reason: "done" };
	return { status, reason };
}

/** From the first start to the last end, or to `now`; 0 while none has started. */
function wallTime(records: readonly AgentRecord[], now: number): number {
	const starts = records.flatMap((record) => (record.status === "queued" ? [] : (record.startedAt ?? [])));
	if (starts.length === 0) return 0;
	const ends = records.map((record) => (isTerminal(record) ? record.endedAt : now));
	return Math.max(...ends) - Math.min(...starts);
}

function sum(records: readonly AgentRecord[], of: (record: AgentRecord) => number): number {
	return records.reduce((total, record) => total + of(record), 0);
}
