import type { Group } from "./groups.ts";
import type { AgentId, CorrelationId, ToolCallId } from "./ids.ts";
import type { Verdict } from "./outcome.ts";
import type { RunConfig } from "./ports.ts";
import type { AgentRecord, TerminalRecord } from "./record.ts";
import type { ScheduleId } from "./schedules.ts";
import type { Spend } from "./usage.ts";

/** The version that is written. A line of another one is kept in the file and left out of account. */
export const ledgerVersion = 1;

/** What every line of the ledger says: whose it is. */
interface LineBase {
	readonly v: typeof ledgerVersion;
	/** The parent's session that owns the runs. A fork has another, and adopts nothing. */
	readonly session: string;
	/** Who had the session open and wrote the line: while that is so, its runs are its own. */
	readonly writer: string;
	/** Milliseconds of the clock. */
	readonly at: number;
}

/** What every line about a run says. */
interface RunLineBase extends LineBase {
	readonly agent: AgentId;
	/** From 1; a resume is the next one. */
	readonly run: number;
}

/** The group that a run was started in, and its place there. */
export interface LedgerGroup extends Pick<Group, "groupId" | "kind" | "description" | "background" | "join"> {
	/** The member's name. */
	readonly member: string;
	/** Its place among the members, from 0. */
	readonly index: number;
	readonly after: readonly string[];
}

/** What is found anew for a resume: the profile is read again, and whoever starts it is asked again. */
type FoundAnew = "systemPrompt" | "parentPrompt" | "projectContext" | "inherited";

/** What a run gets, as it is written down. */
export type LedgerConfig = Omit<RunConfig, FoundAnew>;

/** Written ahead, before the run may have a session. */
export interface OpenedLine extends RunLineBase {
	readonly type: "opened";
	readonly correlation: CorrelationId;
	/** The agent that started it; absent where the session itself did. */
	readonly parent?: AgentId;
	readonly toolCall?: ToolCallId;
	readonly schedule?: ScheduleId;
	readonly description: string;
	readonly background: boolean;
	readonly config: LedgerConfig;
	/** When the agent was created, which is earlier than `at` for a resume. */
	readonly created: number;
	/** The task: a run that never got as far as its session can only be begun again with it. */
	readonly prompt: string;
	readonly group?: LedgerGroup;
}

/** The run's session exists. */
export interface StartedLine extends RunLineBase {
	readonly type: "started";
	readonly model: string;
	readonly thinking: string;
	readonly tools: readonly string[];
	/** Absent where the session is kept in memory. */
	readonly file?: string;
}

/** The run has ended. */
export interface SettledLine extends RunLineBase {
	readonly type: "settled";
	readonly verdict: Verdict;
	readonly message?: string;
	readonly unread: readonly string[];
	readonly notes?: readonly string[];
	/** The result, where it is short or could not be saved in a file of its own. */
	readonly text?: string;
	/** The file that has the result. */
	readonly textFile?: string;
	readonly spend: Spend;
	readonly turns: number;
	readonly toolsStarted: number;
	readonly toolUses: number;
	/** Absent for a run that ended in line. */
	readonly started?: number;
}

/** Whoever wrote it has left the session in good order: what it leaves behind is nobody's. */
export interface LeftLine extends LineBase {
	readonly type: "left";
}

/** A line about a run. */
export type RunLine = OpenedLine | StartedLine | SettledLine;

/** One line of a session's ledger. */
export type LedgerLine = RunLine | LeftLine;

/** Where a line is written: the same for all lines between a session's start and its end. */
export interface LedgerPlace {
	readonly session: string;
	readonly writer: string;
}

/** The line that is written ahead of a run. */
export function openedLine(
	place: LedgerPlace,
	record: AgentRecord,
	at: number,
	extra: { readonly prompt: string; readonly group?: LedgerGroup | undefined },
): OpenedLine {
	const { systemPrompt: _1, parentPrompt: _2, projectContext: _3, inherited: _4, ...config } = record.config;
	return {
		...base(place, record, at),
		type: "opened",
		correlation: record.correlationId,
		...(record.parent === undefined ? {} : { parent: record.parent }),
		...(record.toolCallId === undefined ? {} : { toolCall: record.toolCallId }),
		...(record.schedule === undefined ? {} : { schedule: record.schedule }),
		description: record.description,
		background: record.background,
		config,
		created: record.createdAt,
		prompt: extra.prompt,
		...(extra.group === undefined ? {} : { group: extra.group }),
	};
}

/** The line that says that a run has its session. */
export function startedLine(place: LedgerPlace, record: AgentRecord, at: number): StartedLine {
	const { model, thinking, tools } = record.config;
	return {
		...base(place, record, at),
		type: "started",
		model,
		thinking,
		tools,
		...(record.sessionFile === undefined ? {} : { file: record.sessionFile }),
	};
}

/** The line that says what a run came to. `textFile` is given where the text is saved there. */
export function settledLine(place: LedgerPlace, record: TerminalRecord, textFile: string | undefined): SettledLine {
	const { outcome, spend, turns, toolsStarted, toolUses, startedAt } = record;
	return {
		...base(place, record, record.endedAt),
		type: "settled",
		verdict: outcome.verdict,
		...(outcome.message === undefined ? {} : { message: outcome.message }),
		unread: outcome.unread,
		...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
		...(textFile === undefined ? { text: outcome.text } : { textFile }),
		spend,
		turns,
		toolsStarted,
		toolUses,
		...(startedAt === undefined ? {} : { started: startedAt }),
	};
}

/** The last line of whoever had the session open. */
export function leftLine({ session, writer }: LedgerPlace, at: number): LeftLine {
	return { v: ledgerVersion, session, writer, at, type: "left" };
}

function base({ session, writer }: LedgerPlace, { agentId, run }: AgentRecord, at: number): RunLineBase {
	return { v: ledgerVersion, session, writer, at, agent: agentId, run };
}
