import type { Group, GroupMember } from "../streams/groups.ts";
import { type RunKey, runKey } from "../streams/ids.ts";
import { oneLine } from "../streams/plain-text.ts";
import type { Note, NoteAgent, NoteGroup } from "../streams/ports.ts";
import { isTerminal, type TerminalRecord } from "../streams/record.ts";
import { composeGroupHeader } from "./group-header.ts";
import { composeHeader } from "./header.ts";
import { type SharedBody, sectionBody, shareBodies } from "./section.ts";

/** One result of a note. */
interface Item {
	readonly record: TerminalRecord;
	readonly body: SharedBody | undefined;
	/** Where the run belongs, when it was started together with others. */
	readonly group?: Group;
	readonly member?: GroupMember;
}

/**
 * One message for all these results, in the given order. Each has the header lines of a tool result; a child's words
 * stand in a fence that they cannot close, and are called data. All of them share one limit, in fair parts. `paths`
 * says where full texts are saved: give it for whatever may be cut. Members of a group are named, and those of one that
 * is told as a whole stand behind its header, which also names whose results were read before.
 */
export function composeNote(
	records: readonly TerminalRecord[],
	paths: ReadonlyMap<RunKey, string>,
	groupOf: (record: TerminalRecord) => Group | undefined = () => undefined,
): Note {
	const bodies = shareBodies(records);
	const items = records.map((record, index): Item => {
		const group = groupOf(record);
		const member = group?.members.find((one) => one.agentId === record.agentId && one.record.run === record.run);
		const body = bodies[index];
		return group === undefined || member === undefined ? { record, body } : { record, body, group, member };
	});
	const sections = items.map((item, index) => {
		const path = item.body !== undefined && item.body.capped.cut > 0 ? paths.get(keyOf(item.record)) : undefined;
		const section = [...groupLines(items, index), composeHeader(item.record, item.record.endedAt, path)].join("\n");
		return item.body === undefined ? section : `${section}\n\n${sectionBody(item.body)}`;
	});
	const deliveries = records.map(keyOf);
	const groups = groupsOf(items);
	return {
		text: sections.join("\n\n"),
		deliveries,
		details: { delivery: deliveries, agents: items.map(noteAgent), ...(groups.length === 0 ? {} : { groups }) },
	};
}

/** What stands before the header of a group's member. */
function groupLines(items: readonly Item[], index: number): readonly string[] {
	const { group, member } = items[index] ?? {};
	if (group === undefined || member === undefined) return [];
	const name = `member: ${oneLine(member.name, 64)}`;
	if (group.join === "each") return [`group_id: ${group.groupId}`, name];
	if (items[index - 1]?.group === group) return [name];
	const told = new Set(items.filter((item) => item.group === group).map((item) => item.member?.name));
	const rest = group.members.filter((one) => !told.has(one.name));
	return [
		composeGroupHeader(group, 0),
		...namesOf(
			"read before",
			rest.filter((one) => !wasInterrupted(one)),
		),
		...namesOf("interrupted", rest.filter(wasInterrupted)),
		"",
		name,
	];
}

function namesOf(what: string, members: readonly GroupMember[]): readonly string[] {
	return members.length === 0 ? [] : [`${what}: ${members.map(({ name }) => oneLine(name, 64)).join(", ")}`];
}

/** It has no result: it ended with its session, and the notice about that names it. */
function wasInterrupted({ record }: GroupMember): boolean {
	if (!isTerminal(record)) return false;
	const { reason } = record.outcome.verdict;
	return reason === "interrupted" || reason === "parent_shutdown";
}

function groupsOf(items: readonly Item[]): readonly NoteGroup[] {
	const groups = new Set(items.flatMap(({ group }) => group ?? []));
	return [...groups].map(({ groupId, kind, description }) => ({
		groupId,
		kind,
		description: oneLine(description, 200),
	}));
}

function noteAgent({ record, member }: Item): NoteAgent {
	const { agentId, status, description } = record;
	return {
		agentId,
		status,
		description: oneLine(description, 200),
		...(member === undefined ? {} : { member: member.name }),
	};
}

function keyOf({ agentId, run }: TerminalRecord): RunKey {
	return runKey(agentId, run);
}
