import { EMPTY, Observable, type Subscriber, Subscription } from "rxjs";
import { type ClaimInput, type ClaimState, claimTransition } from "./claim-transition.ts";
import { type Completion, observeCompletion, tellCompletion } from "./completion.ts";
import { createStateFeed } from "./create-state-feed.ts";
import { guarded } from "./guarded.ts";

/** A result in the fallback's hands. The first call of `commit` or `lose` decides; later ones do nothing. */
export interface HandOver<T> {
	readonly completion: Completion<T>;
	/** It arrived. Claims that came meanwhile get the completion too, and see `state` say that it was published. */
	commit(): void;
	/** It did not arrive: claims that came meanwhile get it, or else it is held again. */
	lose(): void;
}

/** One result between those who wait for it and a fallback that publishes it: one side owns it, and never neither. */
export interface RefCountClaim<T> {
	/**
	 * Each subscription is a claim from the moment it is made. It gets the completion (last value and end, end alone, or
	 * the error itself) at settlement, at once when that was earlier, and when the fallback has decided if that holds it.
	 * Unsubscribing before then gives the claim back. Delivery counts here: put nothing asynchronous behind it.
	 */
	readonly claim$: Observable<T>;
	readonly state: ClaimState;
	/** The current state, then each change, in order; completes after `delivered` and `committed`. Never errors. */
	readonly state$: Observable<ClaimState>;
	/** Takes the result for the fallback, if it is `held`. Whoever takes it must call `commit` or `lose` in the end. */
	handOver(): HandOver<T> | undefined;
	/**
	 * Subscribes the completion, once: every call returns the same subscription. Whoever owns the work calls it when the
	 * work begins, for it must settle with nobody claiming it, too. Closed at settlement; unsubscribing it earlier leaves
	 * the state pending for good, and claims waiting, so only the end of the owner's scope does that.
	 */
	connect(): Subscription;
}

/**
 * The ownership of one result. Subscribing `claim$` claims it; a result that nobody claims at settlement is `held`, and
 * a fallback may take it with `handOver`. Handing over is not delivery: a claim that comes meanwhile waits for the
 * fallback's `commit` or `lose`. All decisions are made by `claimTransition`.
 *
 * Safe under re-entrance: claims are served in the order they came, after the state has changed and before `state$`
 * says so, hence no observer of `state$` can take a result away from a claim that owns it. An error of `completion$` is
 * data: it goes to claims and into the hand-over. A subscriber that throws is reported as RxJS does; its siblings get
 * theirs.
 *
 * @example
 * const result = refCountClaim(completion$);
 * scope.add(result.connect());
 * const answer = await firstValueFrom(result.claim$.pipe(takeUntilAborted(signal))); // an abort gives it back
 * result.handOver()?.commit(); // elsewhere: the fallback, which gets nothing here
 */
export function refCountClaim<T>(completion$: Observable<T>): RefCountClaim<T> {
	const feed = createStateFeed<ClaimState>({ kind: "pending", claims: 0 }, isFinal);
	/** Who the claims of the state are: as many, in the order they came. */
	const waiting = new Set<Subscriber<T>>();
	// Let go at settlement: a result may be kept for long, and what it took to get there need not be.
	let source$ = completion$;
	let completion: Completion<T> | undefined;
	let connection: Subscription | undefined;
	let newest: HandOver<T> | undefined;

	function serve(settled: Completion<T>): void {
		const served = [...waiting];
		// From here on they are served: a claim that leaves on its value, as `take(1)` does, gives nothing back.
		waiting.clear();
		for (const subscriber of served) guarded(() => tellCompletion(settled, subscriber));
	}

	function step(input: ClaimInput): void {
		const next = claimTransition(feed.current, input);
		if (next !== feed.current) feed.put(next);
		if (completion !== undefined && isFinal(next)) serve(completion);
		feed.flush();
	}

	function handOver(): HandOver<T> | undefined {
		if (completion === undefined || claimTransition(feed.current, "hand_over") === feed.current) return undefined;
		function decide(input: "commit" | "lose"): void {
			// The newest alone: one that was lost must not decide the next. One that has decided finds a state that
			// knows neither word.
			if (taken === newest) step(input);
		}
		const taken: HandOver<T> = { completion, commit: () => decide("commit"), lose: () => decide("lose") };
		newest = taken;
		step("hand_over");
		return taken;
	}

	return {
		claim$: new Observable((subscriber) => {
			if (subscriber.closed) return;
			// Before the claim is made: an observer of `state$` may end this very subscription.
			subscriber.add(() => {
				if (waiting.delete(subscriber)) step("leave");
			});
			waiting.add(subscriber);
			step("claim");
		}),
		get state() {
			return feed.current;
		},
		state$: feed.state$,
		handOver,
		connect() {
			if (connection === undefined) {
				// Assigned before it is filled: a synchronous completion may lead back here.
				const made = new Subscription();
				connection = made;
				made.add(
					observeCompletion(source$, (settled) => {
						completion = settled;
						source$ = EMPTY;
						step("settle");
						made.unsubscribe();
					}),
				);
			}
			return connection;
		},
	};
}

function isFinal(state: ClaimState): boolean {
	return state.kind === "delivered" || state.kind === "committed";
}
