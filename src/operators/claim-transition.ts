/** Who owns a result. There is no other record of it: every question about ownership is a question about this state. */
export type ClaimState =
	/** Not settled yet; so many claims wait for it. */
	| { readonly kind: "pending"; readonly claims: number }
	/** Settled, and nobody claims it: the fallback may take it. */
	| { readonly kind: "held" }
	/** The fallback has taken it and does not know yet whether it arrived; so many claims wait to hear. */
	| { readonly kind: "handed"; readonly claims: number }
	/** Read by a claim: never published. The end. */
	| { readonly kind: "delivered" }
	/** Published by the fallback. The end. */
	| { readonly kind: "committed" };

/**
 * What can happen: a claim comes, a claim that has not been served leaves, the work settles, the fallback takes the
 * result (`hand_over`) and learns that it arrived (`commit`) or did not (`lose`).
 */
export type ClaimInput = "claim" | "leave" | "settle" | "hand_over" | "commit" | "lose";

/**
 * The whole decision logic of a result's ownership, as a pure function. An input that has no place in a state changes
 * nothing: the same object comes back.
 *
 * | | claim | leave | settle | hand_over | commit | lose |
 * |---|---|---|---|---|---|---|
 * | pending(n) | pending(n+1) | pending(n-1) | n > 0: delivered, else held | | | |
 * | held | delivered | | | handed(0) | | |
 * | handed(n) | handed(n+1) | handed(n-1) | | | committed | n > 0: delivered, else held |
 * | delivered, committed | | | | | | |
 *
 * Claims that are waiting when the state becomes delivered or committed are served then, and waiting no longer.
 */
export function claimTransition(state: ClaimState, input: ClaimInput): ClaimState {
	switch (state.kind) {
		case "pending":
			return input === "settle" ? deliveredOrHeld(state.claims) : withClaims(state, input);
		case "held":
			if (input === "claim") return { kind: "delivered" };
			return input === "hand_over" ? { kind: "handed", claims: 0 } : state;
		case "handed":
			if (input === "commit") return { kind: "committed" };
			return input === "lose" ? deliveredOrHeld(state.claims) : withClaims(state, input);
		case "delivered":
		case "committed":
			return state;
	}
}

/** Explicit reading wins: a result that someone waits for is theirs. */
function deliveredOrHeld(claims: number): ClaimState {
	return claims > 0 ? { kind: "delivered" } : { kind: "held" };
}

function withClaims(state: Extract<ClaimState, { claims: number }>, input: ClaimInput): ClaimState {
	if (input === "claim") return { ...state, claims: state.claims + 1 };
	if (input === "leave" && state.claims > 0) return { ...state, claims: state.claims - 1 };
	return state;
}
