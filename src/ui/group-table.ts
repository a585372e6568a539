import type { Group } from "../streams/groups.ts";
import { isTerminal } from "../streams/record.ts";
import { addSpend, noSpend } from "../streams/usage.ts";
import { statusWords, tableText, tokens } from "./agents-table.ts";
import { cleanLine } from "./clean-text.ts";
import { shortCost } from "./format.ts";

const columns = ["name", "id", "status", "type", "turns", "tokens", "cost", "after"] as const;

/** What `/agents show` says of a group: the group, then a line a member in the given order. */
export function showGroup(group: Group): string {
	const { groupId, kind, description, background, join, members } = group;
	const ended = members.filter(({ record }) => isTerminal(record)).length;
	const { cost } = members.reduce((sum, { record }) => addSpend(sum, record.spend), noSpend);
	const where = background
		? `in the background, published ${join === "group" ? "together" : "one by one"}`
		: "in the foreground";
	const rows = members.map(({ name, record, after }) => [
		cleanLine(name, 64),
		record.agentId,
		statusWords(record),
		cleanLine(record.config.subagentType, 24),
		String(record.turns),
		tokens(record),
		shortCost(record.spend.cost),
		cleanLine(after.join(", "), 60),
	]);
	return [
		`${kind} ${groupId}: ${cleanLine(description, 200)}`,
		`${ended} of ${members.length} members have ended, ${where}, ${shortCost(cost)} spent`,
		"",
		tableText([columns, ...rows]),
	].join("\n");
}
