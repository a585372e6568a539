import type { Subscription } from "rxjs";
import type { RefCountClaim } from "../../src/operators/index.ts";
import type { Reading, Route, RunEvent, RunKey, TerminalRecord } from "../../src/streams/index.ts";

/** What is known from outside about one run: what was done to it, and what came out of it. */
export interface RunFacts {
	readonly key: RunKey;
	readonly agent: number;
	readonly run: number;
	/** The machine under test. Its state is compared with the facts, never taken for one. */
	readonly claim: RefCountClaim<TerminalRecord>;
	/** When it settled, counted in settlements. */
	settledAt?: number;
	/** Whether its session has come to rest, or never came into being. */
	closed: boolean;
	/** The session, while it exists. */
	live: { emit(event: RunEvent): void; end(): void } | undefined;
	/** Whether it has been told to stop. */
	told: boolean;
	/** How often a hand-over of it was lost. */
	losses: number;
	/** Who observes `claim.state$`. */
	stateObservers: number;
}

/** A call that waits for a result, and what it got. */
export interface Reader {
	readonly who: string;
	readonly key: RunKey;
	readonly got: Reading[];
	subscription?: Subscription;
	ended: boolean;
	left: boolean;
}

/** A message on its way to the parent's session. */
export interface InFlight {
	readonly route: Route;
	readonly keys: readonly RunKey[];
}

/** Everything that has happened on a stage, as seen from outside the code under test. */
export interface Facts {
	readonly runs: RunFacts[];
	readonly readers: Reader[];
	inFlight: InFlight[];
	/** What stands in the parent's session, in order; a key that stands there twice was published twice. */
	readonly session: RunKey[];
	readonly parent: { running: boolean; muted: boolean; woken: boolean; replaced: boolean };
	/** Agents in the order in which they are to start. */
	readonly line: number[];
	slots: number;
	/** The most there have been: lowering the limit stops nothing that has a slot. */
	mostSlots: number;
	settlements: number;
	/** When the host last refused a message. */
	refusedAt: number | undefined;
	/** Rules that were broken inside a callback, where nothing may be thrown. */
	readonly faults: string[];
}

export function newFacts(): Facts {
	return {
		runs: [],
		readers: [],
		inFlight: [],
		session: [],
		parent: { running: false, muted: false, woken: false, replaced: false },
		line: [],
		slots: 0,
		mostSlots: 0,
		settlements: 0,
		refusedAt: undefined,
		faults: [],
	};
}

/** The newest run of an agent. */
export function currentRun(facts: Facts, agent: number): RunFacts | undefined {
	return facts.runs.findLast((run) => run.agent === agent);
}

/** Whether a reader is still waiting for its result. */
export function isWaiting({ ended, left }: Reader): boolean {
	return !ended && !left;
}
