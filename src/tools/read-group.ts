import { takeUntil, timer } from "rxjs";
import type { Reading } from "../streams/agents.ts";
import type { Group } from "../streams/groups.ts";
import { withSpend } from "./answers.ts";
import { groupResult, groupSnapshot } from "./group-answers.ts";
import { oneShotLine } from "./one-shot-line.ts";
import type { ResultParams } from "./parameters.ts";
import type { ToolAnswer, ToolCall } from "./protocol-tool.ts";
import { ToolCallAborted } from "./tool-call-aborted.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { waitSeconds } from "./wait-seconds.ts";

/** Reads all of a group: its results when every member has ended or is waited for, and else how its members stand. */
export async function readGroup(deps: ToolDeps, call: ToolCall<ResultParams>, group: Group): Promise<ToolAnswer> {
	if (group.isOver || call.params.wait === true) return claimGroup(deps, call, group);
	return withSpend(deps, await snapshot(deps, call, group, []));
}

/**
 * Takes all results or none: a wait that is given up has consumed nothing. Nothing is awaited before the claim stands,
 * or results that come meanwhile would go out a second time.
 */
async function claimGroup(deps: ToolDeps, call: ToolCall<ResultParams>, group: Group): Promise<ToolAnswer> {
	const wasOver = group.isOver;
	const seconds = wasOver ? 0 : waitSeconds(deps, call.params);
	const reading$ = group.claim$.pipe(takeUntil(timer(seconds * 1_000, deps.scheduler)));
	const read = await unlessAborted(reading$, call.signal);
	if (!read.aborted && read.value !== undefined) return withSpend(deps, await readings(deps, call, group, read.value));
	if (read.aborted) {
		const line = "The wait was aborted. That stopped no member, and consumed no result.";
		const { text, details } = await snapshot(deps, call, group, [line]);
		throw new ToolCallAborted(read.reason, text, details);
	}
	// Results that were there and could not be had: they are just being published.
	if (wasOver) return withSpend(deps, await results(deps, call, group, () => true));
	// The last member ended in the instant in which the time was over: what is still there is read all the same.
	if (group.isOver) return claimGroup(deps, call, group);
	const over = `The wait was over after ${seconds}s. The ${group.kind} goes on, and no result was consumed.`;
	return withSpend(deps, await snapshot(deps, call, group, [over]));
}

function readings(
	deps: ToolDeps,
	call: ToolCall<ResultParams>,
	group: Group,
	read: readonly Reading[],
): Promise<ToolAnswer> {
	return results(deps, call, group, (index) => read[index]?.published ?? false);
}

/** Reading is a normal answer, whatever came of the members. */
function results(
	deps: ToolDeps,
	call: ToolCall<ResultParams>,
	group: Group,
	isPublished: (index: number) => boolean,
): Promise<ToolAnswer> {
	const published = group.members.map((_, index) => isPublished(index));
	return groupResult(deps, group, { isError: false, published, verbose: call.params.verbose === true });
}

function snapshot(
	deps: ToolDeps,
	call: ToolCall<ResultParams>,
	group: Group,
	lines: readonly string[],
): Promise<ToolAnswer> {
	return groupSnapshot(deps, group, [...lines, nextStep(deps, group)], { verbose: call.params.verbose === true });
}

function nextStep(deps: ToolDeps, group: Group): string {
	if (!group.background) return "Its results go to the call that started it.";
	if (group.isOver) return "All members have ended meanwhile, and no result is lost: read the group again.";
	return deps.oneShot?.()
		? oneShotLine
		: "Results come by themselves as messages; wait: true waits for all of them here.";
}
