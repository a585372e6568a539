import {
	type AgentId,
	type AgentRecord,
	isTerminal,
	type Publishable,
	type RunKey,
	type RunSpec,
	runKey,
	type TerminalRecord,
} from "../../src/streams/index.ts";
import { type GroupFacts, needsOf } from "./group-book.ts";
import type { Judge } from "./rules.ts";
import type { ChildManners } from "./script.ts";

/** What is known of one run from what could be seen of it. */
export interface RunFacts {
	readonly key: RunKey;
	readonly agentId: AgentId;
	readonly background: boolean;
	/** Whether it stands in line for a slot: background runs, and all members of groups. */
	readonly inLine: boolean;
	readonly group: GroupFacts | undefined;
	/** The runs whose results it waits for before it joins the line. */
	needs(): readonly RunFacts[];
	/** Resumed while the session of the run before was still closing: it takes its place, and starts later. */
	readonly held: boolean;
	readonly manners: ChildManners;
	record: AgentRecord;
	/** The call that it belongs to. */
	readonly callId: string | undefined;
	/** Whether a session stands behind it now. */
	open: boolean;
	/** Who may have stopped it. */
	readonly causes: Set<string>;
	readonly accepted: string[];
	readonly read: string[];
	publishable?: Publishable;
	/** Calls that have answered with this result as one that was not published. */
	readers: number;
	appended: number;
	/** Whether it was ever handed over. */
	handed: boolean;
	/** Whether a wait for it was aborted: names the rule when it is stopped. */
	waitAborted: boolean;
}

/** Where a run stands in a group. */
export interface Membership {
	readonly group: GroupFacts;
	/** Which members it waits for. */
	readonly after: readonly number[];
}

/** Keeps book of a session's runs, and judges each of their snapshots. */
export interface RunBook {
	readonly runs: ReadonlyMap<RunKey, RunFacts>;
	/** An agent's current run. */
	current(agentId: string): RunFacts | undefined;
	/** Runs that are not known to be over in every respect. */
	readonly live: ReadonlySet<RunFacts>;
	snapshot(record: AgentRecord, manners: ChildManners, member?: Membership): RunFacts;
	started(spec: RunSpec): RunFacts;
	left(facts: RunFacts): void;
	/** What must hold between any two steps. */
	check(placeInLine: (agentId: AgentId) => number | undefined): void;
}

export function createRunBook(judge: Judge, limit: () => number): RunBook {
	const runs = new Map<RunKey, RunFacts>();
	const newest = new Map<string, RunFacts>();
	const live = new Set<RunFacts>();
	const lines = new Map<string, LineFacts>();
	/** Stopped with the agent that has started them: that one has to end. */
	const orphans = new Set<RunFacts>();
	/** Runs that wait for others, and have no place in line. */
	const waiting = new Set<RunFacts>();
	/** Whether the line is another one than at the last check. */
	let moved = false;

	const lineOf = ({ record }: Pick<RunFacts, "record">): LineFacts => {
		const name = record.parent ?? "the session";
		const line = lines.get(name) ?? { waiting: new Set(), active: new Set(), opened: 0 };
		lines.set(name, line);
		return line;
	};
	const parentOf = ({ record: { parent } }: RunFacts): AgentRecord | undefined =>
		parent === undefined ? undefined : newest.get(parent)?.record;

	const begin = (record: AgentRecord, manners: ChildManners, member?: Membership): RunFacts => {
		const before = newest.get(record.agentId);
		const key = runKey(record.agentId, record.run);
		judge.expect(record.status === "queued", "transitions", () => `${key} begins as ${record.status}`);
		if (before !== undefined) {
			judge.expect(
				record.run === before.record.run + 1 && isTerminal(before.record),
				"transitions",
				() => `${key} follows ${before.key}, which is ${before.record.status}`,
			);
		}
		const facts: RunFacts = {
			key,
			agentId: record.agentId,
			background: record.background,
			inLine: record.background || member !== undefined,
			group: member?.group,
			needs: () => (member?.after ?? []).flatMap((index) => member?.group.members[index] ?? []),
			held: before !== undefined && !(isTerminal(before.record) && before.record.closed !== undefined),
			manners,
			record,
			callId: record.toolCallId,
			open: false,
			causes: new Set(),
			accepted: [],
			read: [],
			readers: 0,
			appended: 0,
			handed: false,
			waitAborted: false,
		};
		runs.set(key, facts);
		newest.set(record.agentId, facts);
		live.add(facts);
		member?.group.members.push(facts);
		if (member !== undefined && member.after.length > 0) waiting.add(facts);
		else if (facts.inLine) lineOf(facts).waiting.add(facts);
		moved = true;
		return facts;
	};

	const admitted = (facts: RunFacts): void => {
		judge.expect(!isEnding(parentOf(facts)), "tree", () => `${facts.key} starts, and its parent has ended`);
		if (!facts.inLine) return;
		const { waiting: line, active } = lineOf(facts);
		judge.expect(!waiting.has(facts), "group", () => `${facts.key} starts without what it waits for`);
		for (const first of line) {
			if (first === facts) break;
			if (first.held || facts.held) continue;
			judge.fail("line", `${facts.key} starts before ${first.key}, which came first`);
			break;
		}
		line.delete(facts);
		moved = true;
		active.add(facts);
		// One that was held had taken its slot before, when the limit may have been another.
		judge.expect(
			facts.held || active.size <= limit(),
			"capacity",
			() => `${facts.key} makes ${active.size}, and the limit is ${limit()}`,
		);
	};

	/** What the end of one means for those that wait for it. */
	const ended = (facts: RunFacts): void => {
		for (const one of waiting) {
			if (!one.needs().includes(facts)) continue;
			const needs = needsOf(one);
			if (needs === "failed") one.causes.add("dependency_failed");
			if (needs !== "met") continue;
			waiting.delete(one);
			lineOf(one).waiting.add(one);
			moved = true;
		}
	};

	const snapshot = (record: AgentRecord, manners: ChildManners, member?: Membership): RunFacts => {
		const facts = runs.get(runKey(record.agentId, record.run));
		if (facts === undefined) return begin(record, manners, member);
		const { record: before } = facts;
		judge.expect(
			isLegal(before, record),
			"transitions",
			() => `${facts.key} goes from ${before.status} to ${record.status}`,
		);
		facts.record = record;
		// When it is told, and not when it has ended: the one that started it may have been resumed by then.
		if (record.parent !== undefined && stopReason(record) === byParent && !facts.causes.has(byParent)) {
			facts.causes.add(byParent);
			orphans.add(facts);
		}
		if (before.status === "queued" && record.status === "running") admitted(facts);
		if (isTerminal(before) && isTerminal(record)) {
			judge.expect(before.outcome === record.outcome, "settlement", () => `${facts.key} has another outcome`);
			const { closed } = before;
			// A zombie may come to rest after all.
			const legal = closed === undefined || closed === record.closed || closed === "grace_expired";
			judge.expect(legal, "settlement", () => `${facts.key} closes twice`);
		} else if (isTerminal(record)) {
			if (lineOf(facts).waiting.delete(facts)) moved = true;
			waiting.delete(facts);
			ended(facts);
			checkCause(judge, facts, record);
			checkSteering(judge, facts, record);
		}
		if (isTerminal(record) && record.closed !== undefined) lineOf(facts).active.delete(facts);
		return facts;
	};

	const started = (spec: RunSpec): RunFacts => {
		const key = runKey(spec.agentId, spec.run);
		const facts = runs.get(key);
		if (facts === undefined) throw new Error(`${key} starts and was never announced`);
		judge.expect(!facts.open, "settlement", () => `${key} is started twice`);
		facts.open = true;
		if (facts.inLine) lineOf(facts).opened++;
		return facts;
	};
	const left = (facts: RunFacts): void => {
		facts.open = false;
		// One that broke its contract was left before its rest was told.
		const line = lineOf(facts);
		line.active.delete(facts);
		if (facts.inLine) line.opened--;
	};

	const check = (placeInLine: (agentId: AgentId) => number | undefined): void => {
		for (const line of lines.values()) checkLine(judge, line, limit());
		for (const facts of waiting) {
			judge.expect(needsOf(facts) === "open", "group", () => `${facts.key} still waits, and need not`);
			if (!moved) continue;
			const place = placeInLine(facts.agentId);
			judge.expect(place === undefined, "place", () => `${facts.key} waits for others, and is number ${place}`);
		}
		if (moved) for (const line of lines.values()) checkPlaces(judge, line.waiting, placeInLine);
		moved = false;
		for (const facts of orphans) {
			judge.expect(isEnding(parentOf(facts)), "tree", () => `${facts.key} is stopped for its parent, which goes on`);
		}
		orphans.clear();
		for (const facts of live) {
			checkLive(judge, facts);
			if (isEnding(parentOf(facts)) && !isEnding(facts.record)) {
				judge.fail("tree", `${facts.key} is ${facts.record.status}, and its parent has ended`);
			}
			if (isOver(facts)) live.delete(facts);
		}
	};

	return { runs, live, snapshot, started, left, check, current: (agentId) => newest.get(agentId) };
}

/** A line, of the session or of an agent, and its slots. */
interface LineFacts {
	/** Runs in line for a slot, in the order in which they joined it. */
	readonly waiting: Set<RunFacts>;
	readonly active: Set<RunFacts>;
	/** Sessions in a slot that somebody is subscribed to. */
	opened: number;
}

function checkLine(judge: Judge, { waiting, active, opened }: LineFacts, limit: number): void {
	// A stream that lingers after `closed` keeps its slot until it completes.
	let free = limit - Math.max(active.size, opened);
	for (const facts of waiting) {
		if (!facts.held) judge.expect(free <= 0, "line", () => `${facts.key} waits, and a slot is free`);
		else free--;
	}
}

const byParent = "stopped_by_parent";

function stopReason(record: AgentRecord): string | undefined {
	if (isTerminal(record)) return record.outcome.verdict.reason;
	return record.status === "running" ? record.stopping?.reason : undefined;
}

function isEnding(record: AgentRecord | undefined): boolean {
	if (record === undefined) return false;
	return isTerminal(record) || (record.status === "running" && record.stopping !== undefined);
}

const successors: Readonly<Record<string, readonly string[]>> = {
	// To itself when the session of the run before spends more.
	queued: ["queued", "running", "stopped", "error"],
	running: ["running", "completed", "steered", "aborted", "stopped", "error"],
};

function isLegal(before: AgentRecord, after: AgentRecord): boolean {
	if (isTerminal(before)) return after.status === before.status;
	return successors[before.status]?.includes(after.status) === true;
}

/** A stop that nobody asked for is the worst of all: it looks like somebody's wish. */
function checkCause(judge: Judge, facts: RunFacts, { outcome, turns, config }: TerminalRecord): void {
	const { status, reason } = outcome.verdict;
	if (status === "stopped" && !facts.causes.has(reason)) {
		const rule = facts.waitAborted ? "wait_abort" : facts.background ? "background_life" : "stop_cause";
		judge.fail(rule, `${facts.key} is stopped (${reason}), and nobody did that`);
	}
	if (reason === "dependency_failed") {
		// What is stopped together ends by that stop. One that it needed may still have failed by itself just before: an
		// abort while a group is being spawned is heard when all of it has been.
		const stopped = [...facts.causes].filter((cause) => cause !== "dependency_failed");
		judge.expect(
			stopped.length === 0 || facts.needs().some((needed) => hasFailedByItself(needed.record)),
			"group",
			() => `${facts.key} is ${stopped}, and ends for want of a result`,
		);
	}
	if (status === "aborted") {
		const { maxTurns = Number.POSITIVE_INFINITY, graceTurns } = config.limits;
		judge.expect(turns >= maxTurns + graceTurns, "turn_limit", () => `${facts.key} is aborted after ${turns} turns`);
	}
}

function checkSteering(judge: Judge, facts: RunFacts, { outcome }: TerminalRecord): void {
	const known = [...facts.read, ...outcome.unread];
	judge.expect(
		known.length === facts.accepted.length && known.every((message, index) => message === facts.accepted[index]),
		"steering",
		() => `${facts.key} was sent [${facts.accepted}], read [${facts.read}] and left [${outcome.unread}]`,
	);
}

function checkPlaces(
	judge: Judge,
	line: ReadonlySet<RunFacts>,
	placeInLine: (agentId: AgentId) => number | undefined,
): void {
	let place = 0;
	for (const { key, agentId } of line) {
		place++;
		const [wanted, said] = [place, placeInLine(agentId)];
		judge.expect(said === wanted, "place", () => `${key} is number ${wanted}, and ${said} is said`);
	}
}

function checkLive(judge: Judge, facts: RunFacts): void {
	const { record } = facts;
	if (record.status !== "running" || record.stopping !== undefined) return;
	const { maxTurns, graceTurns } = record.config.limits;
	if (maxTurns === undefined) return;
	const most = maxTurns + graceTurns;
	judge.expect(record.turns <= most, "turn_limit", () => `${facts.key} is in turn ${record.turns} of ${most}`);
}

function isOver(facts: RunFacts): boolean {
	const { record, publishable, open } = facts;
	if (open || !isTerminal(record) || record.closed === undefined) return false;
	const kind = publishable?.claim.state.kind;
	return kind === undefined || kind === "delivered" || kind === "committed";
}

function hasFailedByItself(record: AgentRecord): boolean {
	if (!isTerminal(record)) return false;
	const { status, reason } = record.outcome.verdict;
	return status === "error" || status === "aborted" || reason === "dependency_failed";
}
