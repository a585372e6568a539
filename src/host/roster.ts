import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type AgentId, type AgentRecord, type Agents, type Groups, inTree, isTerminal } from "../streams/index.ts";
import { oneLine } from "../tools/index.ts";

/** The type of the message that stands behind a compaction's summary. It is in requests alone, and in no session. */
const rosterMessageType = "subagent-roster";

/** How many agents are named; the others are counted. */
const named = 20;

/** Whose agents are told of. */
export interface RosterSession {
	readonly agents: Pick<Agents, "list">;
	readonly groups: Pick<Groups, "of">;
}

/** What a compaction's summary does not know of agents. */
interface Roster {
	/** The summary that it stands behind. */
	readonly summary: string;
	readonly text: string;
}

/**
 * Tells the parent's model, once its conversation has been compacted, which agents are live: their receipts may be gone
 * with what was summed up. One message behind the summary, the same in each request for as long as the summary stands
 * there, so that a provider's cache holds. It is put into requests and not into the session: a message that is appended
 * there would be the session's last, for which print mode prints nothing, and older hosts would start a turn.
 */
export function keepRoster(pi: ExtensionAPI, session: () => RosterSession | undefined): void {
	let roster: Roster | undefined;
	pi.on("session_compact", ({ compactionEntry: { summary } }) => {
		const text = describe(session());
		roster = text === undefined ? undefined : { summary, text };
	});
	pi.on("context", ({ messages }) => {
		if (roster === undefined) return undefined;
		const { summary, text } = roster;
		const place = messages.findLastIndex((message) => message.role === "compactionSummary");
		const compaction = messages[place];
		// Another branch of the session has another summary, or none.
		if (compaction?.role !== "compactionSummary" || compaction.summary !== summary) return undefined;
		const { timestamp } = compaction;
		const told = { role: "custom" as const, customType: rosterMessageType, content: text, display: false, timestamp };
		return { messages: [...messages.slice(0, place + 1), told, ...messages.slice(place + 1)] };
	});
}

function describe(session: RosterSession | undefined): string | undefined {
	const live = session?.agents.list().filter((record) => !isTerminal(record)) ?? [];
	if (session === undefined || live.length === 0) return undefined;
	const group = (agentId: AgentId): string => {
		const of = session.groups.of(agentId);
		return of === undefined ? "" : `, of group ${of.groupId}`;
	};
	const lines = inTree(live)
		.slice(0, named)
		.map(
			({ record, level }) => `${"  ".repeat(level)}- ${line(record)}${group(record.agentId)}${below(record, level)}`,
		);
	const more = live.length > named ? [`- and ${live.length - named} more`] : [];
	return [intro, ...lines, ...more].join("\n");
}

const intro =
	"When this conversation was compacted, these subagents were live. Their results come by themselves as messages, before or after this; get_subagent_result reads them, and steer_subagent sends a message:";

/** What an agent has started is that agent's to read and to steer. */
function below({ parent }: AgentRecord, level: number): string {
	return level === 0 ? "" : `, started by ${parent}, which gets its result`;
}

function line({ agentId, status, config, description }: AgentRecord): string {
	return `${agentId} (${oneLine(config.subagentType, 100)}, ${status}): ${oneLine(description, 200)}`;
}
