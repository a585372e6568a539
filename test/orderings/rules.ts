import { noop, type Observable } from "rxjs";
import { fates } from "./model.ts";
import { isObserved, type Stage } from "./stage.ts";
import { isWaiting, type RunFacts } from "./stage-facts.ts";

/** The rule that an ordering broke; its message names the rule. */
export class RuleBroken extends Error {
	override readonly name = "RuleBroken";
}

/** Throws the rule that does not hold. It is put into words only then: the rules are asked millions of times. */
export function must(holds: boolean, rule: () => string): void {
	if (!holds) throw new RuleBroken(rule());
}

/** The machine's word for each fate. */
const kinds = { pending: "pending", held: "held", handed: "handed", delivered: "delivered", published: "committed" };

/** What holds after every step. */
export function checkStep(stage: Stage): void {
	const { facts, outbox } = stage;
	must(facts.faults.length === 0, () => facts.faults[0] ?? "");
	let waitingInLine = 0;
	for (const run of facts.runs) {
		const [fate = "pending", ...others] = fates(facts, run);
		must(others.length === 0, () => `one owner, never two: ${run.key} is ${[fate, ...others].join(" and ")}`);
		const { state } = run.claim;
		must(state.kind === kinds[fate], () => `the state says what is true: ${run.key} is ${fate}, not ${state.kind}`);
		const waiting = facts.readers.filter((reader) => reader.key === run.key && isWaiting(reader)).length;
		must(
			waiting === 0 || fate === "pending" || fate === "handed",
			() => `explicit reading wins: ${waiting} wait for ${run.key}, which is ${fate}`,
		);
		must(waiting === ("claims" in state ? state.claims : 0), () => `the state of ${run.key} counts those who wait`);
		if (fate === "held" || fate === "handed") waitingInLine++;
	}
	for (const { who, key, got, ended } of facts.readers) {
		must(got.length === (ended ? 1 : 0), () => `a claim gets one result, whole: ${who} got ${got.length} of ${key}`);
	}
	if (facts.parent.replaced) return;
	must(
		outbox.keys.length === waitingInLine,
		() => `the outbox holds what is held: ${outbox.keys.length}, not ${waitingInLine}`,
	);
}

/** After a kill there is nobody left to tell anything: what was read and what the session holds is all there is. */
export function checkKilled({ facts }: Stage): void {
	for (const run of facts.runs) {
		const all = fates(facts, run);
		must(all.length === 1, () => `after a kill, at most one: ${run.key} is ${all.join(" and ")}`);
	}
}

/** What has become of everything once all has settled, and nobody waits. */
export function checkEnd(stage: Stage, mayBeHeld: boolean): string[] {
	const { facts } = stage;
	return facts.runs.map((run) => {
		const [fate = "pending"] = fates(facts, run);
		const final = fate === "delivered" || fate === "published" || (mayBeHeld && fate === "held");
		must(final, () => `one owner, never none: ${run.key} is ${fate} when all is over`);
		return fate;
	});
}

/** When the session has ended, nothing listens, waits or ticks. */
export function checkNothingLeft(stage: Stage): void {
	const { agents, facts, limit$, outbox, parent$, scheduler } = stage;
	must(outbox.take("prompt") === undefined, () => "a closed outbox hands over nothing");
	must(scheduler.actions.length === 0, () => `no timer is left: ${scheduler.actions.length}`);
	must(!limit$.observed, () => "nobody observes the limit any more");
	must(!parent$.observed, () => "nobody observes the parent any more");
	must(!isObserved(agents.changes$), () => "nobody observes the changes any more");
	must(hasEnded(agents.changes$) && hasEnded(agents.publishable$), () => "the streams of a session end with it");
	must(!isObserved(agents.publishable$), () => "nobody observes what is publishable any more");
	for (const run of facts.runs) must(isIdle(run), () => `nobody observes ${run.key} any more`);
}

function hasEnded(stream$: Observable<unknown>): boolean {
	let ended = false;
	const ending = stream$.subscribe({
		error: noop,
		complete: () => {
			ended = true;
		},
	});
	ending.unsubscribe();
	return ended;
}

function isIdle({ live, stateObservers, claim }: RunFacts): boolean {
	return live === undefined && stateObservers === 0 && !("claims" in claim.state && claim.state.claims > 0);
}
