import { EMPTY, mergeMap, type Observable, of, take } from "rxjs";
import { type Completion, joinProgress } from "../operators/index.ts";
import { dependentPrompt, type MemberResult } from "./dependent-prompt.ts";
import type { Begin, JointRun } from "./joint-runs.ts";
import { isSuccess } from "./outcome.ts";
import { oneLine } from "./plain-text.ts";
import type { TerminalRecord } from "./record.ts";

/** A member that another one waits for, and its run. */
export interface NeededMember {
	readonly name: string;
	readonly run: JointRun;
}

/**
 * What becomes of a member that waits for others: it starts with their results in its prompt once all have succeeded, or
 * ends without a start as soon as one has not. Emits once, and leaves those it still waits for.
 */
export function memberBegin(prompt: string, needed: readonly NeededMember[]): Observable<Begin> {
	return joinProgress(needed.map(({ run }) => run.completion$)).pipe(
		mergeMap((ends) => {
			const failed = needed.filter((_, index) => hasFailed(ends[index]));
			if (failed.length > 0) return of(drop(failed.map(({ name }) => name)));
			const results = needed.flatMap(({ name }, index) => resultOf(name, ends[index]));
			if (results.length < needed.length) return EMPTY;
			return of<Begin>({ kind: "start", prompt: dependentPrompt(prompt, results) });
		}),
		take(1),
	);
}

function hasFailed(end: Completion<TerminalRecord> | undefined): boolean {
	return end !== undefined && !(end.kind === "value" && isSuccess(end.value.outcome.verdict));
}

function resultOf(name: string, end: Completion<TerminalRecord> | undefined): MemberResult[] {
	if (end?.kind !== "value") return [];
	const { text, notes = [] } = end.value.outcome;
	// Where its work is, for one: without that, a result may be of no use.
	return [{ name, text: [text, ...notes].join("\n") }];
}

function drop(names: readonly string[]): Begin {
	const who = names.map((name) => JSON.stringify(oneLine(name, 100))).join(", ");
	return {
		kind: "drop",
		request: { status: "stopped", reason: "dependency_failed" },
		message: `It needed the result of ${who}, which did not succeed`,
	};
}
