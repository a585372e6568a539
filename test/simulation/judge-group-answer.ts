import { isSuccess, isTerminal } from "../../src/streams/index.ts";
import type { GroupDetails } from "../../src/tools/group-details.ts";
import type { ToolAnswer } from "../../src/tools/index.ts";
import type { CallFacts } from "./call-book.ts";
import { keys } from "./group-book.ts";
import type { Judge } from "./rules.ts";
import type { RunFacts } from "./run-book.ts";

/** What must hold of an answer that is about a group. `now` is the time of the answer. */
export function judgeGroupAnswer(
	judge: Judge,
	facts: CallFacts,
	answer: ToolAnswer,
	details: GroupDetails,
	now: number,
): void {
	const { call, id, runs } = facts;
	judge.expect(
		answer.text.startsWith(`group_id: ${details.group_id}\n`),
		"identifiers",
		() => `${id} answers "${answer.text.slice(0, 60)}"`,
	);
	if (call.tool === "get_subagent_result") {
		judgeReading(judge, facts, details, now);
		return;
	}
	const named = details.members.map((member) => member.agent_id);
	judge.expect(
		named.length === runs.length && runs.every(({ agentId }, index) => named[index] === agentId),
		"identifiers",
		() => `${id} started ${keys(runs)}, and names ${named}`,
	);
	const open = runs.filter(({ background, record }) => !background && !isTerminal(record));
	judge.expect(open.length === 0, "call_end", () => `${id} answers, and ${keys(open)} go on`);
	if (runs[0]?.background !== false) return;
	const early = facts.controller.signal.aborted && !facts.abortedAfterEnd;
	judge.expect(!early, "abort_error", () => `${id} was aborted, and answers`);
	const any = runs.some(({ record }) => isTerminal(record) && isSuccess(record.outcome.verdict));
	judge.expect(answer.isError !== any, "call_end", () => `${id} is ${answer.isError ? "" : "not "}an error`);
}

function judgeReading(judge: Judge, facts: CallFacts, details: GroupDetails, now: number): void {
	const { id, call, claimedGroup, servedGroup } = facts;
	if (claimedGroup === undefined) return;
	const { members } = claimedGroup;
	const told = details.members.map(({ published }) => published);
	if (servedGroup !== undefined) {
		const right = servedGroup.every((reading, index) => told[index] === reading.published);
		judge.expect(right, "told", () => `${id} got the results of ${keys(members)}, and says ${told}`);
	}
	members.forEach((member, index) => judgeMember(judge, facts, member, told[index]));
	if (told.every((published) => published === undefined) && call.tool === "get_subagent_result" && call.wait) {
		const waited = now - facts.begunAt;
		const over = waited >= (call.timeout ?? 60) * 1_000 || facts.controller.signal.aborted;
		judge.expect(over, "wait_end", () => `${id} ends after ${waited} ms with nothing`);
	}
}

function judgeMember(judge: Judge, facts: CallFacts, member: RunFacts, published: boolean | undefined): void {
	if (member.publishable === undefined) return;
	if (published === false) {
		const known = facts.publishedBefore.has(member.key);
		judge.expect(!known, "told", () => `${facts.id} reads ${member.key} as if it were new`);
		member.readers++;
	} else if (published === true && facts.servedGroup !== undefined) {
		judge.expect(member.handed, "told", () => `${member.key} was never published, and ${facts.id} says so`);
	}
}
