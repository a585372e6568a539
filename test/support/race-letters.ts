import type { ClaimState } from "../../src/operators/index.ts";
import type { AgentRecord, Note, Reading, RunKey, TerminalRecord } from "../../src/streams/index.ts";

const verdicts: Readonly<Record<string, string>> = {
	done: "c",
	wrapped_up: "w",
	turn_limit: "a",
	stopped_by_user: "u",
	stopped_by_parent: "p",
	parent_shutdown: "x",
	dependency_failed: "d",
	provider_error: "e",
};

/** A status as a letter; `race.ts` says which. */
export function statusLetter(record: AgentRecord): string {
	if (record.status === "queued") return "q";
	if (record.status === "running") return record.stopping ? "S" : "r";
	return verdictLetter(record.outcome.verdict);
}

export function verdictLetter({ reason }: TerminalRecord["outcome"]["verdict"]): string {
	return verdicts[reason] ?? "?";
}

/** What a wait read: upper case when it had been published. */
export function readingLetter({ record, published }: Reading): string {
	return published ? statusLetter(record).toUpperCase() : statusLetter(record);
}

export function ownerLetter(state: ClaimState): string {
	switch (state.kind) {
		case "pending":
			return String(state.claims);
		case "held":
			return "h";
		case "handed":
			return "HIJ"[state.claims] ?? "?";
		case "delivered":
			return "d";
		case "committed":
			return "c";
	}
}

export function noteLetter(note: Pick<Note, "deliveries"> | undefined): string {
	const [first, second] = note?.deliveries ?? [];
	if (first === undefined) return "0";
	return second === undefined ? keyLetter(first) : "*";
}

/** `a` for the first run of agent A, `A` for any later one. */
function keyLetter(key: RunKey): string {
	const [name = "?", run] = key.replace(/^agent-/, "").split("#");
	return run === "1" ? name.toLowerCase() : name;
}
