import type { Group } from "../streams/groups.ts";
import { formatCost, formatCount, formatSeconds } from "./format.ts";
import { groupFacts } from "./group-details.ts";

/**
 * The lines that every text about a group begins with: its id, how its members stand, and the sums over them. The
 * members' own headers come after it, so that each number stands in one place.
 */
export function composeGroupHeader(group: Group, now: number): string {
	const facts = groupFacts(group, now);
	const counts = new Map<string, number>();
	for (const { record } of group.members) counts.set(record.status, (counts.get(record.status) ?? 0) + 1);
	const stand = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
	const totals = [
		`turns: ${facts.turns}`,
		`tools: ${facts.tool_uses}`,
		`tokens: ${formatCount(facts.tokens.input)}/${formatCount(facts.tokens.output)}`,
		`cost: $${formatCost(facts.cost_usd)}`,
		`time: ${formatSeconds(facts.duration_ms)}`,
	];
	return [
		`group_id: ${group.groupId}`,
		`${group.kind}: ${group.members.length} members, ${stand}`,
		`total: ${totals.join(" · ")}`,
	].join("\n");
}
