import { cleanLine } from "./clean-text.ts";
import { isObject, list, readShownAgent, readShownHeader, type ShownAgent, word } from "./shown-agent.ts";

/** How many members are read: no group has more. */
export const membersRead = 16;

/** What a result tells about agents that belong together. Every field is read for itself, as with one agent. */
export interface ShownGroup {
	readonly groupId?: string;
	/** `crew` or `swarm`, and what else is said of the whole. */
	readonly summary: string;
	/** The sums over the members; absent where only the text is there. */
	readonly whole?: ShownAgent;
	readonly members: readonly ShownAgent[];
}

/** The group that the details are about, or `undefined` when they are about none. */
export function readShownGroup(details: unknown): ShownGroup | undefined {
	if (!isObject(details) || details.kind !== "group") return undefined;
	const whole = readShownAgent(details);
	const groupId = word(details.group_id);
	const members = list(details.members)
		.slice(0, membersRead)
		.flatMap((member) => readShownAgent(member) ?? []);
	return {
		summary: `${word(details.group) ?? "group"} of ${members.length}`,
		members,
		...(whole === undefined ? {} : { whole }),
		...(groupId === undefined ? {} : { groupId }),
	};
}

/** The group of a text that begins with a group's header lines. An aborted call's error has no details. */
export function readGroupHeader(text: string): ShownGroup | undefined {
	const header = /^group_id: (\S+)\r?\n([^\r\n]*)/.exec(text);
	if (header === null) return undefined;
	const sections = text.split(/^member: /m).slice(1, membersRead + 1);
	const members = sections.flatMap((section) => {
		const end = section.indexOf("\n");
		const agent = readShownHeader(section.slice(end + 1));
		const name = word(section.slice(0, end));
		return agent === undefined ? [] : [name === undefined ? agent : { ...agent, name }];
	});
	const groupId = word(header[1]);
	return { summary: cleanLine(header[2] ?? ""), members, ...(groupId === undefined ? {} : { groupId }) };
}
