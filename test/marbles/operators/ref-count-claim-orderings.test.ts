import { noop, Subject, type Subscription } from "rxjs";
import { describe, expect, it } from "vitest";
import { type HandOver, type RefCountClaim, refCountClaim } from "../../../src/operators/index.ts";

type Step = "settle" | `claim ${Who}` | `leave ${Who}` | "hand over" | "decide" | "hand over again";
type Who = "A" | "B" | "C";
type Decision = "commit" | "lose";

/** Each row stays in its order; the rows are interleaved in every way. */
const rows: readonly (readonly Step[])[] = [
	["settle"],
	["claim A", "leave A"],
	["claim B", "leave B"],
	["claim C", "leave C"],
	["hand over", "decide", "hand over again"],
];

/** Calls `visit` with every interleaving of `rows`; the array is reused. */
function interleave(visit: (order: readonly Step[]) => void): void {
	const at = rows.map(() => 0);
	const length = rows.reduce((sum, row) => sum + row.length, 0);
	const order: Step[] = [];
	function extend(): void {
		if (order.length === length) {
			visit(order);
			return;
		}
		rows.forEach((row, index) => {
			const step = row[at[index] ?? 0];
			if (step === undefined) return;
			at[index] = (at[index] ?? 0) + 1;
			order.push(step);
			extend();
			order.pop();
			at[index] = (at[index] ?? 0) - 1;
		});
	}
	extend();
}

let orders = 0;
interleave(() => {
	orders++;
});

interface Claim {
	readonly subscription: Subscription;
	/** What came, in order. */
	readonly got: string[];
}

/** One order, played on a result of its own; throws at the first rule that does not hold. */
function play(order: readonly Step[], decision: Decision): string {
	const work$ = new Subject<string>();
	const result = refCountClaim(work$);
	result.connect();
	const told: string[] = [];
	const listening = result.state$.subscribe({ next: ({ kind }) => told.push(kind), error: noop });
	const claims = new Map<string, Claim>();
	const left = new Set<string>();
	let taken: HandOver<string> | undefined;
	let settled = false;
	let published = false;

	for (const step of order) {
		const before = result.state.kind;
		const [what, who = ""] = step.split(" ");
		if (step === "settle") {
			settled = true;
			work$.next("result");
			work$.complete();
		} else if (what === "claim") {
			claims.set(who, newClaim(result));
		} else if (what === "leave") {
			left.add(who);
			claims.get(who)?.subscription.unsubscribe();
		} else if (step === "decide") {
			// The first to decide may find that there was nothing to take.
			taken?.[decision]();
			if (taken !== undefined && decision === "commit") published = true;
			taken?.lose();
		} else {
			taken = result.handOver();
			must((taken !== undefined) === (before === "held"), "a hand-over is made exactly when the result is held");
		}
		check(result, before, { claims, left, settled, published });
	}

	const { kind } = result.state;
	must(kind !== "pending", "it has settled");
	must(!work$.observed, "nobody observes the work any more");
	must(told.at(-1) === kind, "state$ has told the last state");
	must(told[0] === "pending", "state$ began with the first state");
	must(listening.closed === (kind === "delivered" || kind === "committed"), "state$ has ended with a last state only");
	listening.unsubscribe();
	return kind;
}

function newClaim(result: RefCountClaim<string>): Claim {
	const got: string[] = [];
	const subscription = result.claim$.subscribe({
		next: (value) => got.push(value),
		error: () => got.push("error"),
		complete: () => got.push("end"),
	});
	return { subscription, got };
}

interface Story {
	readonly claims: ReadonlyMap<string, Claim>;
	readonly left: ReadonlySet<string>;
	readonly settled: boolean;
	readonly published: boolean;
}

/** What must hold after every step. */
function check(result: RefCountClaim<string>, before: string, { claims, left, settled, published }: Story): void {
	const { state } = result;
	const served = [...claims.values()].filter(({ got }) => got.length > 0);
	const waiting = [...claims].filter(([who, { got }]) => got.length === 0 && !left.has(who));
	must((state.kind === "pending") === !settled, "pending is what has not settled");
	must(waiting.length === ("claims" in state ? state.claims : 0), "the state counts those who wait");
	must(
		served.every(({ got }) => got.join() === "result,end"),
		"a claim gets the completion once and whole",
	);
	must(state.kind !== "delivered" || served.length > 0, "what is delivered was read");
	must((state.kind === "committed") === published, "what is committed was published, and the other way round");
	must(served.length === 0 || state.kind === "delivered" || state.kind === "committed", "what was read is not held");
	if (before === "delivered" || before === "committed") must(state.kind === before, "a last state stays");
}

function must(holds: boolean, rule: string): void {
	if (!holds) throw new Error(rule);
}

describe("refCountClaim in all orders", () => {
	for (const [decision, ends] of [
		["commit", ["committed", "delivered", "handed", "held"]],
		["lose", ["delivered", "handed", "held"]],
	] as const) {
		const name = `has one owner at every step of ${orders} orders of settling, 3 claims, 3 leaves and a hand-over (${decision})`;
		it(name, { timeout: 120_000 }, () => {
			const reached = new Set<string>();
			const failures: string[] = [];
			let tried = 0;
			interleave((order) => {
				tried++;
				try {
					reached.add(play(order, decision));
				} catch (error) {
					if (failures.length < 5) failures.push(`${order.join(", ")}: ${String(error)}`);
				}
			});
			expect(failures).toEqual([]);
			expect(tried).toBe(75_600);
			// No rule held for want of a case.
			expect([...reached].sort()).toEqual(ends);
		});
	}
});
