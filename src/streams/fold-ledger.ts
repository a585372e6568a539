import { type AgentId, type RunKey, runKey } from "./ids.ts";
import type { LedgerGroup, LedgerLine, OpenedLine, SettledLine, StartedLine } from "./ledger-line.ts";
import type { Outcome, Verdict } from "./outcome.ts";
import type { TerminalRecord } from "./record.ts";
import { noSpend, type Spend } from "./usage.ts";

/** What the session itself says of results. It is the only proof of a delivery, whatever the ledger says. */
export interface SessionFacts {
	/** Runs whose results stand in the session, on whatever branch. */
	readonly delivered: ReadonlyMap<RunKey, DeliveredResult>;
	/** Interrupted runs that the session has been told of. */
	readonly said: ReadonlySet<RunKey>;
}

export interface DeliveredResult {
	/** As a message of its own, or as the result of a call. */
	readonly by: "published" | "read";
	/** How the run ended, where the session tells: for a result that left before its line was written. */
	readonly verdict?: Verdict;
}

/** Whose ledger is read, and who else may be at work on it. */
export interface LedgerReader {
	readonly session: string;
	/** Other writers whose processes live: what they have begun is theirs, until they have left the session. */
	readonly alive: ReadonlySet<string>;
}

/**
 * What became of a run. `published` and `read`: its result stands in the session. `unpublished`: it has ended and nobody
 * has its result: to be published once. `interrupted`: it ended with its host; it can be resumed. `owned`: the process
 * that has it is at work on the session.
 */
export type RunFate = "published" | "read" | "unpublished" | "interrupted" | "owned";

/** One run as the ledger and the session tell it. */
export type FoldedRun = OwnedRun | EndedRun;

export interface OwnedRun {
	readonly fate: "owned";
	readonly key: RunKey;
	readonly agentId: AgentId;
}

export interface EndedRun {
	readonly fate: Exclude<RunFate, "owned">;
	readonly key: RunKey;
	readonly agentId: AgentId;
	/** Terminal. The text is "" where it has to be fetched: see `textFile`, and for an interrupted run its conversation. */
	readonly record: TerminalRecord;
	readonly textFile?: string;
	readonly group?: LedgerGroup;
	/** Whether it is the agent's newest run, which its record shows. */
	readonly current: boolean;
	/** Whether the session has been told of the interruption. */
	readonly said: boolean;
	/** Tasks of this run and those before it that the agent's conversation may not have, oldest first. */
	readonly unheard: readonly string[];
	/** When the run was opened, on the clock of the lines. */
	readonly openedAt: number;
}

/**
 * Folds the lines of a ledger and what the session says into runs, in the order in which their agents were created. Pure
 * and total: whatever the lines, it does not throw, and each run whose opening is known has exactly one fate. Repeated
 * lines change nothing, and neither does the order of lines about different runs.
 */
export function foldLedger(
	lines: readonly LedgerLine[],
	facts: SessionFacts,
	{ session, alive }: LedgerReader,
): FoldedRun[] {
	const agents = new Map<AgentId, Map<number, RunLines>>();
	const left = new Set(lines.filter(({ type }) => type === "left").map(({ writer }) => writer));
	const atWork = new Set([...alive].filter((writer) => !left.has(writer)));
	for (const line of lines) {
		if (line.session !== session || line.type === "left") continue;
		const runs = agents.get(line.agent) ?? new Map<number, RunLines>();
		agents.set(line.agent, runs);
		const run = runs.get(line.run) ?? {};
		// The first of a kind stands: what a run came to does not change.
		runs.set(line.run, { [line.type]: line, ...run });
	}
	return [...agents.values()]
		.flatMap((runs) => foldAgent(runs, facts, atWork))
		.sort(byCreation)
		.map(({ run }) => run);
}

/** The lines of one run. */
interface RunLines {
	readonly opened?: OpenedLine;
	readonly started?: StartedLine;
	readonly settled?: SettledLine;
}

interface Placed {
	readonly run: FoldedRun;
	readonly created: number;
	readonly number: number;
}

function byCreation(a: Placed, b: Placed): number {
	if (a.created !== b.created) return a.created - b.created;
	if (a.run.agentId !== b.run.agentId) return a.run.agentId < b.run.agentId ? -1 : 1;
	return a.number - b.number;
}

/** The runs of one agent: what an earlier one has spent, left unheard and written to belongs to the later ones too. */
function foldAgent(runs: ReadonlyMap<number, RunLines>, facts: SessionFacts, atWork: ReadonlySet<string>): Placed[] {
	const known = [...runs.values()].filter(hasOpening).sort((a, b) => a.opened.run - b.opened.run);
	const created = Math.min(...known.map(({ opened }) => opened.created));
	let spend: Spend = noSpend;
	let file: string | undefined;
	let unheard: readonly string[] = [];
	return known.map((lines, index) => {
		const { opened, started, settled } = lines;
		spend = settled?.spend ?? spend;
		file = started?.file ?? file;
		// More than one turn was begun: then the conversation has the task for sure.
		unheard = settled !== undefined && settled.turns > 1 ? [] : [...unheard, opened.prompt];
		const current = index === known.length - 1;
		const carried = { spend, file, unheard, current };
		return { run: foldRun(lines, facts, atWork, carried), created, number: opened.run };
	});
}

interface Carried {
	readonly spend: Spend;
	readonly file: string | undefined;
	readonly unheard: readonly string[];
	readonly current: boolean;
}

type OpenedRun = RunLines & { readonly opened: OpenedLine };

function hasOpening(lines: RunLines): lines is OpenedRun {
	return lines.opened !== undefined;
}

function foldRun(lines: OpenedRun, facts: SessionFacts, atWork: ReadonlySet<string>, carried: Carried): FoldedRun {
	const { opened, settled } = lines;
	const key = runKey(opened.agent, opened.run);
	const delivered = facts.delivered.get(key);
	if (delivered === undefined && atWork.has(opened.writer)) return { fate: "owned", key, agentId: opened.agent };
	return {
		fate: delivered?.by ?? fateOf(settled),
		key,
		agentId: opened.agent,
		record: recordOf(lines, carried, outcomeOf(lines, delivered)),
		...(settled?.textFile === undefined ? {} : { textFile: settled.textFile }),
		...(opened.group === undefined ? {} : { group: opened.group }),
		current: carried.current,
		said: facts.said.has(key),
		unheard: carried.unheard,
		openedAt: opened.at,
	};
}

/** What ended with its session is no result: it has been cut short, and whoever asked for it should know. */
function fateOf(settled: SettledLine | undefined): "unpublished" | "interrupted" {
	return settled === undefined || settled.verdict.reason === "parent_shutdown" ? "interrupted" : "unpublished";
}

function outcomeOf({ started, settled }: OpenedRun, delivered: DeliveredResult | undefined): Outcome {
	if (settled !== undefined) {
		const { verdict, text = "", message, unread, notes } = settled;
		return {
			verdict,
			text,
			unread,
			...(message === undefined ? {} : { message }),
			...(notes === undefined ? {} : { notes }),
		};
	}
	if (delivered?.verdict !== undefined) return { verdict: delivered.verdict, text: "", unread: [] };
	return {
		verdict: { status: "error", reason: "interrupted" },
		text: "",
		message: started === undefined ? "it had not started yet" : "it was at work",
		unread: [],
	};
}

function recordOf({ opened, started, settled }: OpenedRun, carried: Carried, outcome: Outcome): TerminalRecord {
	const { model, thinking, tools } = started ?? opened.config;
	const startedAt = settled?.started ?? started?.at;
	return {
		agentId: opened.agent,
		correlationId: opened.correlation,
		...(opened.parent === undefined ? {} : { parent: opened.parent }),
		...(opened.toolCall === undefined ? {} : { toolCallId: opened.toolCall }),
		...(opened.schedule === undefined ? {} : { schedule: opened.schedule }),
		run: opened.run,
		description: opened.description,
		config: { ...opened.config, model, thinking, tools, systemPrompt: "" },
		background: opened.background,
		createdAt: opened.created,
		spend: carried.spend,
		...(carried.file === undefined ? {} : { sessionFile: carried.file }),
		turns: settled?.turns ?? 0,
		toolsStarted: settled?.toolsStarted ?? 0,
		toolUses: settled?.toolUses ?? 0,
		status: outcome.verdict.status,
		outcome,
		...(startedAt === undefined ? {} : { startedAt }),
		endedAt: settled?.at ?? started?.at ?? opened.at,
		// Its session ended with its process.
		closed: "verified",
	};
}
