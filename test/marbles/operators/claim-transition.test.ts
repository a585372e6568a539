import { describe, expect, it } from "vitest";
import { type ClaimInput, type ClaimState, claimTransition } from "../../../src/operators/index.ts";

const inputs: readonly ClaimInput[] = ["claim", "leave", "settle", "hand_over", "commit", "lose"];
const held: ClaimState = { kind: "held" };
const delivered: ClaimState = { kind: "delivered" };
const committed: ClaimState = { kind: "committed" };
const pending = (claims: number): ClaimState => ({ kind: "pending", claims });
const handed = (claims: number): ClaimState => ({ kind: "handed", claims });

/** Every move there is; whatever is not named here changes nothing. */
const moves: readonly [ClaimState, Partial<Record<ClaimInput, ClaimState>>][] = [
	[pending(0), { claim: pending(1), settle: held }],
	[pending(1), { claim: pending(2), leave: pending(0), settle: delivered }],
	[pending(2), { claim: pending(3), leave: pending(1), settle: delivered }],
	[held, { claim: delivered, hand_over: handed(0) }],
	[handed(0), { claim: handed(1), commit: committed, lose: held }],
	[handed(1), { claim: handed(2), leave: handed(0), commit: committed, lose: delivered }],
	[handed(2), { claim: handed(3), leave: handed(1), commit: committed, lose: delivered }],
	[delivered, {}],
	[committed, {}],
];

describe("claimTransition", () => {
	for (const [state, to] of moves) {
		for (const input of inputs) {
			const next = to[input];
			const name = `${JSON.stringify(state)} on ${input}`;
			if (next === undefined) {
				it(`${name} stays the same object`, () => {
					expect(claimTransition(state, input)).toBe(state);
				});
			} else {
				it(`${name} becomes ${JSON.stringify(next)}`, () => {
					const before = structuredClone(state);
					expect(claimTransition(state, input)).toEqual(next);
					expect(state).toEqual(before);
				});
			}
		}
	}

	it("reaches delivered or committed only by a claim that reads or a commit, and never leaves them", () => {
		const finals = new Set(["delivered", "committed"]);
		for (const [state] of moves) {
			for (const input of inputs) {
				const next = claimTransition(state, input);
				if (finals.has(state.kind)) expect(next).toBe(state);
				else if (next.kind === "committed") expect([state.kind, input]).toEqual(["handed", "commit"]);
			}
		}
	});
});
