import { getEventListeners } from "node:events";
import {
	type AgentId,
	addSpend,
	isSuccess,
	isTerminal,
	type Reading,
	type RunKey,
	type Spend,
} from "../../src/streams/index.ts";
import { type AgentDetails, type ToolAnswer, ToolCallAborted } from "../../src/tools/index.ts";
import { type GroupFacts, keys } from "./group-book.ts";
import { judgeGroupAnswer } from "./judge-group-answer.ts";
import type { Judge } from "./rules.ts";
import type { RunFacts } from "./run-book.ts";
import type { Call } from "./script.ts";
import type { SimulatedSession } from "./simulated-session.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What is known of one call of a tool. */
export interface CallFacts {
	readonly id: string;
	readonly call: Call;
	readonly session: SimulatedSession;
	/** The agent that calls; absent where it is the session itself. */
	readonly by: AgentId | undefined;
	readonly controller: AbortController;
	readonly begunAt: number;
	/** The runs that it asked about and that were published when it began. */
	readonly publishedBefore: ReadonlySet<RunKey>;
	/** The runs that it started: one, or the members of a group. */
	readonly runs: RunFacts[];
	/** The run whose result it claimed, and what it got. */
	claimed?: RunFacts;
	served?: Reading;
	/** The same of a group. */
	claimedGroup?: GroupFacts;
	servedGroup?: readonly Reading[];
	/** Whether the claim was there before the result was. */
	claimedEarly: boolean;
	/** Whether its runs were over when its signal aborted. */
	abortedAfterEnd: boolean;
	lastUpdate: number;
	ended: boolean;
}

/** How long an answer may wait for texts that somebody saves or fetches, in milliseconds: several times the patience. */
const textTime = 20_000;

/** Judges calls of tools, while they last and at their end. */
export interface CallBook {
	readonly open: ReadonlySet<CallFacts>;
	begin(facts: CallFacts): void;
	abort(facts: CallFacts): void;
	update(facts: CallFacts): void;
	answered(facts: CallFacts, answer: ToolAnswer): void;
	rejected(facts: CallFacts, error: unknown): void;
	/** What must hold when every promise that can go on has done so. */
	check(): void;
}

export function createCallBook(judge: Judge, clock: VirtualClock): CallBook {
	const open = new Set<CallFacts>();
	const now = () => clock.scheduler.now();

	const end = (facts: CallFacts): void => {
		judge.expect(!facts.ended, "call_end", () => `${facts.id} ends twice`);
		facts.ended = true;
		open.delete(facts);
		const left = getEventListeners(facts.controller.signal, "abort").length;
		judge.expect(left === 0, "listeners", () => `${facts.id} (${facts.call.tool}) leaves ${left}`);
		if (facts.call.bad || facts.call.abort === "before") {
			const rule = facts.call.bad ? "validation" : "aborted_before";
			judge.expect(facts.runs.length === 0, rule, () => `${facts.id} has started ${keys(facts.runs)}`);
		}
	};

	const abort = (facts: CallFacts): void => {
		const { runs, controller, ended } = facts;
		if (controller.signal.aborted) return;
		facts.abortedAfterEnd = areOver(runs);
		// What has ended holds no signal any more: an abort that comes later must not matter.
		for (const run of runs) if (!run.background && !ended) run.causes.add("stopped_by_parent");
		for (const run of claimedRuns(facts)) run.waitAborted = true;
		controller.abort(reasonOf(facts));
	};

	const update = (facts: CallFacts): void => {
		const { runs } = facts;
		const over = facts.ended || runs.length === 0 || areOver(runs);
		judge.expect(!over, "updates", () => `${facts.id} is updated after its end`);
		const gap = now() - facts.lastUpdate;
		judge.expect(gap >= 250, "updates", () => `${facts.id} is updated twice in ${gap} ms`);
		facts.lastUpdate = now();
	};

	const check = (): void => {
		for (const facts of open) checkOpen(judge, facts, now());
	};

	return {
		open,
		begin: (facts) => open.add(facts),
		abort,
		update,
		check,
		answered: (facts, answer) => {
			end(facts);
			carry(judge, facts, answer.spend);
			checkAnswer(judge, facts, answer, now());
		},
		rejected: (facts, error) => {
			end(facts);
			checkRejection(judge, facts, error);
		},
	};
}

/** Reasons are anything at all: the host's own, an error, or no error. */
function reasonOf({ id, call }: CallFacts): unknown {
	if (call.abort === "update") return new DOMException("Esc", "AbortError");
	return id.endsWith("0") ? "a reason that is no error" : { reason: id };
}

/** Everything about a call that is still going although its time has come. */
function checkOpen(judge: Judge, facts: CallFacts, now: number): void {
	const { call, controller, runs } = facts;
	const { aborted } = controller.signal;
	if (call.tool === "Agent") {
		if (runs.length === 0) {
			judge.fail("call_end", `${facts.id} goes on, and has started nothing`);
			return;
		}
		for (const { key, record, background } of runs) {
			if (!aborted || background) continue;
			const told = isTerminal(record) || (record.status === "running" && record.stopping !== undefined);
			judge.expect(told, "foreground_abort", () => `${facts.id} is aborted, and ${key} is ${record.status}`);
		}
		const over = runs.every(({ record }) => isTerminal(record) && now > record.endedAt + textTime);
		const goesOn = !over && runs.every((run) => !run.background);
		judge.expect(goesOn, "call_end", () => `${facts.id} goes on, and ${keys(runs)} has ended`);
		return;
	}
	if (call.tool === "steer_subagent") {
		judge.fail("call_end", `${facts.id} (steer_subagent) does not return`);
		return;
	}
	const claimed = claimedRuns(facts);
	const slow = call.verbose === true || claimed.some(({ manners }) => manners.long === true);
	if (aborted && !slow) {
		judge.fail("deaf_call", `${facts.id} is aborted, and waits for ${keys(claimed)}`);
		return;
	}
	const late = facts.begunAt + (call.timeout ?? 60) * 1_000 + (slow ? textTime : 0);
	if (now > late) {
		judge.fail("wait_end", `${facts.id} waits for ${keys(claimed)} beyond its timeout`);
		return;
	}
	// One result is waited for until there is one; those of a group until all can be had at once.
	const kinds = claimed.map(({ publishable }) => publishable?.claim.state.kind);
	if (slow || !kinds.every((kind) => kind === "held" || kind === "delivered" || kind === "committed")) return;
	if (kinds.includes("held") && claimed.length > 0)
		judge.fail("read_or_published", `${facts.id} waits for ${keys(claimed)}, which is held all the same`);
	else if (claimed.length > 0) judge.fail("wait_end", `${facts.id} waits for ${keys(claimed)}, which is ${kinds}`);
}

function areOver(runs: readonly RunFacts[]): boolean {
	return runs.length > 0 && runs.every(({ record }) => isTerminal(record));
}

/** The runs whose results a call has claimed. */
function claimedRuns({ claimed, claimedGroup }: CallFacts): readonly RunFacts[] {
	return claimedGroup?.members ?? (claimed === undefined ? [] : [claimed]);
}

function carry(judge: Judge, { id, session }: CallFacts, spend: Spend | undefined): void {
	if (spend === undefined) return;
	for (const amount of Object.values(spend)) judge.expect(amount >= 0, "spend", () => `${id} carries ${amount}`);
	session.carried = addSpend(session.carried, spend);
	const { carried, spent } = session;
	judge.expect(carried.input <= spent.input, "spend", () => `${carried.input} tokens are carried of ${spent.input}`);
}

function checkAnswer(judge: Judge, facts: CallFacts, answer: ToolAnswer, now: number): void {
	const { call, id, controller } = facts;
	if (call.abort === "before") {
		judge.fail("aborted_before", `${id} answers`);
		return;
	}
	const { details } = answer;
	if (call.bad) {
		judge.expect(answer.isError && details.kind === "problem", "validation", () => `${id} is taken`);
		return;
	}
	if (details.kind === "problem") {
		judge.expect(answer.isError, "call_end", () => `${id} fails, and does not say so`);
		return;
	}
	if (details.kind === "group") {
		judgeGroupAnswer(judge, facts, answer, details, now);
		return;
	}
	if (details.kind !== "agent") {
		judge.fail("identifiers", `${id} answers with ${details.kind}`);
		return;
	}
	judge.expect(
		answer.text.startsWith(`agent_id: ${details.agent_id}\nstatus: `),
		"identifiers",
		() => `${id} answers "${answer.text.slice(0, 60)}"`,
	);
	if (call.tool === "get_subagent_result") {
		checkReading(judge, facts, details, now);
		return;
	}
	if (call.tool === "steer_subagent") return;
	const [run] = facts.runs;
	judge.expect(run?.agentId === details.agent_id, "identifiers", () => `${id} started ${run?.key}`);
	if (run === undefined || run.background) return;
	const early = controller.signal.aborted && !facts.abortedAfterEnd;
	judge.expect(!early, "abort_error", () => `${id} was aborted, and answers`);
	const { record } = run;
	if (!isTerminal(record)) {
		judge.fail("call_end", `${id} answers, and ${run.key} is ${record.status}`);
		return;
	}
	judge.expect(
		answer.isError !== isSuccess(record.outcome.verdict),
		"call_end",
		() => `${id} hides a ${record.status}`,
	);
}

function checkReading(judge: Judge, facts: CallFacts, details: AgentDetails, now: number): void {
	const { id, call, claimed, served } = facts;
	const { published } = details;
	if (claimed !== undefined && served !== undefined) {
		const what = () => `${id} got the result of ${claimed.key}, and says ${String(published)}`;
		judge.expect(published === served.published, "told", what);
		const robbed = facts.claimedEarly && served.published;
		judge.expect(!robbed, "read_or_published", () => `${id} waits for ${claimed.key}, and it is published`);
	}
	if (claimed?.publishable === undefined) return;
	if (published === false) {
		judge.expect(!facts.publishedBefore.has(claimed.key), "told", () => `${id} reads ${claimed.key} as if it were new`);
		claimed.readers++;
	} else if (published === true) {
		judge.expect(claimed.handed, "told", () => `${claimed.key} was never published, and ${id} says so`);
	} else if (call.tool === "get_subagent_result" && call.wait && !facts.controller.signal.aborted) {
		const waited = now - facts.begunAt;
		judge.expect(
			waited >= (call.timeout ?? 60) * 1_000,
			"wait_end",
			() => `${id} ends after ${waited} ms with nothing`,
		);
	}
}

function checkRejection(judge: Judge, facts: CallFacts, error: unknown): void {
	const { id, controller, session, claimed, served, call } = facts;
	const { signal } = controller;
	// There is nobody left to ask, and nobody to answer.
	if (session.state !== "open" && !(error instanceof ToolCallAborted)) return;
	if (!(error instanceof ToolCallAborted)) {
		judge.fail("call_end", `${id} (${call.tool}) rejects with ${String(error)}`);
		return;
	}
	const own = signal.aborted && error.name === "AbortError" && error.cause === signal.reason;
	judge.expect(own, "abort_error", () => `${id} rejects with ${error.name}, cause ${String(error.cause)}`);
	const lost = claimed?.publishable !== undefined && served?.published === false;
	judge.expect(!lost, "lost", () => `${id} has taken the result of ${claimed?.key} and thrown it away`);
	const members = facts.claimedGroup?.members ?? [];
	const taken = members.filter((run, index) => run.publishable && facts.servedGroup?.[index]?.published === false);
	judge.expect(taken.length === 0, "lost", () => `${id} has taken the results of ${keys(taken)} and thrown them away`);
}
