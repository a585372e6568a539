import type { Route, RunKey } from "../../src/streams/index.ts";
import { boundaryLosses, wakeLosses } from "../../src/streams/outbox.ts";
import type { Facts, RunFacts } from "./stage-facts.ts";

/** What has become of a run's result, from outside: there is no other. */
export type Fate = "pending" | "delivered" | "published" | "handed" | "held";

/** All that a run's result is at once. The rule of rules is that this has one element. */
export function fates({ readers, session, inFlight }: Facts, { key, settledAt }: RunFacts): readonly Fate[] {
	const is: Fate[] = [];
	if (readers.some((reader) => reader.key === key && reader.got.some(({ published }) => !published)))
		is.push("delivered");
	for (const entry of session) if (entry === key) is.push("published");
	for (const { keys } of inFlight) for (const entry of keys) if (entry === key) is.push("handed");
	if (is.length === 0) is.push(settledAt === undefined ? "pending" : "held");
	return is;
}

const losses: Readonly<Record<Route, number>> = {
	boundary: boundaryLosses,
	follow_up: boundaryLosses,
	wake: wakeLosses,
	prompt: Number.POSITIVE_INFINITY,
};

/** What a note must contain: all that is held, as it settled, less what was lost too often for that way. */
export function due(facts: Facts, route: Route): RunKey[] {
	return facts.runs
		.filter((run) => run.losses < losses[route] && fates(facts, run)[0] === "held")
		.sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0))
		.map(({ key }) => key);
}
